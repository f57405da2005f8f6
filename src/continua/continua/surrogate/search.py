"""Search for a DD-PINN's size and learning rate by asynchronous successive halving (ASHA) on Ray Tune.

Sampled as in figure 6 of adaptive_nempc: neurons and layers, oscillations, initial learning rate.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.reduction.pool import Pool
from continua.surrogate.ddpinn import DdPinn, DdPinnSettings
from continua.surrogate.motions import motions
from continua.surrogate.training import fit

__all__ = ['search_ddpinn']

_RANGE_TASKS = 8


def search_ddpinn(
    robot: Robot,
    settings: DdPinnSettings,
    dt: float,
    folder: Path,
    samples: int = 72,
    grace: int = 300,
    nodes: int = 6,
    ray_address: str = 'local',
    device: str = 'cpu',
) -> dict[str, Any]:
    """Train `samples` networks for up to `settings.epochs`, of which the worse half ends after `grace`,
    2 `grace`, ... epochs; settings and validation of all, best first, by the least they reached.

    ray_address: of a cluster, or 'local'. folder: of Tune's own results. Raises ValueError where Ray Tune is
    not installed.
    """
    try:
        import ray
        from ray import tune
        from ray.tune.schedulers import ASHAScheduler
    except ImportError:
        command = 'pip install -r requirements/cluster.txt -c requirements/constraints.txt'
        raise ValueError(f'the search needs Ray Tune; install it with: {command}') from None
    if not ray.is_initialized():
        ray.init(address=ray_address, log_to_driver=False, include_dashboard=False)

    def train(sampled: dict[str, Any]) -> None:
        found = motions(robot, _RANGE_TASKS, dt, settings.seed, nodes, Pool(1, None, folder / 'motions'))
        hidden = (sampled['neurons'],) * sampled['layers']
        own = replace(settings, hidden=hidden, oscillations=sampled['oscillations'], rate=sampled['rate'])
        problem = DdPinn(CollocationRod(robot, nodes), found, own, device)
        fit(problem, own.epochs, report=lambda epoch: tune.report({'validation': epoch.validation}))

    space = {
        'neurons': tune.randint(32, 513),
        'layers': tune.randint(1, 4),
        'oscillations': tune.randint(4, 41),
        'rate': tune.loguniform(1e-4, 5e-3),
    }
    scheduler = ASHAScheduler(max_t=settings.epochs, grace_period=grace, reduction_factor=2)
    resources = {'cpu': 1, 'gpu': float(device == 'cuda')}
    tuner = tune.Tuner(
        tune.with_resources(train, resources),
        param_space=space,
        tune_config=tune.TuneConfig(
            metric='validation', mode='min', num_samples=samples, scheduler=scheduler
        ),
        run_config=tune.RunConfig(name='search', storage_path=str(folder.resolve()), verbose=0),
    )
    results = tuner.fit()
    trials = [
        each.config | {'validation': each.metrics['validation'], 'epochs': each.metrics['training_iteration']}
        for each in results
        if each.metrics and 'validation' in each.metrics
    ]
    return {'trials': sorted(trials, key=lambda each: each['validation']), 'failed': results.num_errors}
