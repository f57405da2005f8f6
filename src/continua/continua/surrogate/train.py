"""From a robot to a trained network in a file: `continua train`.

A run is a folder: `motions/`, what the simulator gave, `checkpoint.safetensors` and `log.csv`, and at the end
the network with its card. Interrupted, it goes on where it was.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.reduction.pool import Pool, Progress
from continua.surrogate.ddpinn import DdPinn, DdPinnSettings
from continua.surrogate.fingerprint import fingerprint
from continua.surrogate.motions import COMPLIANCE_RANGE, motions
from continua.surrogate.student import Student, StudentSettings
from continua.surrogate.training import Epoch, fit
from continua.surrogate.verification import Verification, rollouts, verify

__all__ = ['Run', 'card_of', 'train_ddpinn', 'train_student']

_RANGE_TASKS = 8  # lots of motions that give the ranges of the states
_ROLLOUTS, _DURATION, _SEED = 5, 20.0, 10_000  # motions and s of the verification


@dataclass(frozen=True)
class Run:
    """Where and how a training runs. folder: of the run. resume: go on with what is there. device: PyTorch's.
    show(title) gives a progress callback; report is called with each finished epoch."""

    folder: Path
    resume: bool = False
    device: str = 'cpu'
    show: Callable[[str], Progress] = lambda title: lambda done, total: None
    report: Callable[[Epoch], None] = lambda epoch: None


def train_student(
    robot: Robot,
    settings: StudentSettings,
    tasks: int,
    dt: float,
    run: Run,
    nodes: int = 6,
    teacher: Path | None = None,
) -> dict[str, Any]:
    """Simulate `tasks` lots of motions, train, verify; the card of `run.folder`/student.safetensors.

    teacher: file of a DD-PINN to learn from in place of the rod. Raises ValueError for a robot that the
    collocation rod cannot represent, and as `fit`.
    """
    rod = CollocationRod(robot, nodes)
    found = motions(robot, tasks, dt, settings.seed, nodes, _pool(run), run.show('motions'), teacher=teacher)
    student = Student(rod, found, settings, run.device)
    history = fit(student, settings.epochs, run.folder, run.resume, run.show('training'), run.report)
    card = {
        'network': 'one-step network',
        'data': f'{len(found.x)} segments of {found.u.shape[1]} steps of '
        f'{"the collocation rod" if teacher is None else teacher.name} under babbled pressures, half of them '
        'disturbed at their start',
        'loss': 'mean square of the states after 1, 4 and 10 steps on its own',
    }
    return _finish(rod, student, history, card, dt, run.folder / 'student.safetensors')


def train_ddpinn(
    robot: Robot, settings: DdPinnSettings, dt: float, run: Run, nodes: int = 6
) -> dict[str, Any]:
    """Train by the equations, verify; the card of `run.folder`/ddpinn.safetensors. Raises as the other."""
    rod = CollocationRod(robot, nodes)
    found = motions(robot, _RANGE_TASKS, dt, settings.seed, nodes, _pool(run), run.show('ranges'))
    problem = DdPinn(rod, found, settings, run.device)
    history = fit(problem, settings.epochs, run.folder, run.resume, run.show('training'), run.report)
    card = {
        'network': 'DD-PINN',
        'data': f'{settings.points} points an epoch, states: {settings.states}; no motion is learned from',
        'loss': f'eq 37, metric: {settings.metric}',
    }
    return _finish(rod, problem, history, card, dt, run.folder / 'ddpinn.safetensors')


def _pool(run: Run) -> Pool:
    return Pool(1, None, run.folder / 'motions')


def _finish(
    rod: CollocationRod,
    problem: Student | DdPinn,
    history: list[Epoch],
    card: dict[str, Any],
    dt: float,
    path: Path,
) -> dict[str, Any]:
    network = problem.model(card)
    errors = verify(network, rod, rollouts(rod, _ROLLOUTS, _DURATION, dt, _SEED))
    network = network.with_card(**card_of(rod, errors, history, problem.settings))
    network.save(path)
    return network.card


def card_of(
    rod: CollocationRod, errors: Verification, history: list[Epoch], settings: dict[str, Any]
) -> dict[str, Any]:
    """What is known of a network of that rod: its states, errors, and range of validity."""
    robot = rod.robot
    limits = [list(chamber.limits.pressure) for chamber in robot.chambers]
    groups = {name: float(np.sqrt(np.mean(errors.states[i] ** 2))) for name, i in rod.groups.items()}
    return {
        'model': fingerprint(rod),
        'robot': robot.name,
        'settings': settings,
        'training_s': round(history[-1].seconds, 1),
        'epochs': len(history),
        'validation': history[-1].validation,
        'valid': {
            'pressure_Pa': limits,
            'bending_compliance': [float(share * rod.theta[2]) for share in COMPLIANCE_RANGE],
        },
        'tip_error_mm': {
            'one_step_mean': 1e3 * float(errors.one_step.mean()),
            'rollout_mean': 1e3 * float(errors.rollout.mean()),
            'rollout_99th_percentile': 1e3 * float(np.percentile(errors.rollout, 99)),
            'rollout_max': 1e3 * float(errors.rollout.max()),
        },
        'one_step_state_errors': groups,
    }
