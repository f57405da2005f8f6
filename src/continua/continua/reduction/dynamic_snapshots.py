"""Snapshots of motions: steps, babbling, pushes with release; runs side by side on any number of workers."""

import numpy as np

from continua.description import Robot
from continua.reduction.excitation import Excitation
from continua.reduction.pool import IN_THIS_PROCESS, Pool, Progress, task_key
from continua.reduction.snapshots import Snapshots
from continua.rod import Rod

__all__ = ['dynamic_snapshots']


def dynamic_snapshots(
    robot: Robot,
    inputs: np.ndarray,
    rate: float,
    gravity: bool = True,
    substeps: int = 1,
    wrench: np.ndarray | None = None,
    place: tuple[str, float] | None = None,
    pool: Pool = IN_THIS_PROCESS,
    progress: Progress = lambda done, total: None,
    seed: int | None = None,
) -> Snapshots:
    """Motion of the robot's full model at the samples of its inputs, for one run or several that begin anew.

    inputs: (T, m), or (R, T, m) of several runs, at `rate` Hz; wrench: (T, 6) or (R, T, 6); they and the
    others as for `Excitation`. Samples that a run does not reach are left out. seed: of the inputs, if they
    are random. Raises ValueError where the inputs do not fit the robot or each other.
    """
    rod, inputs = Rod(robot), np.asarray(inputs, dtype=float)
    inputs = inputs[None] if inputs.ndim == 2 else inputs
    wrenches = [None] * len(inputs)
    if wrench is not None:
        wrenches = np.asarray(wrench, dtype=float).reshape(len(inputs), -1, 6)
    runs = [
        Excitation(each, rate, gravity, substeps, push, place)
        for each, push in zip(inputs, wrenches, strict=True)
    ]
    rod.conditions(runs[0].inputs[0])
    tasks = {
        task_key('dynamic', i, robot.hash, each.inputs, rate, gravity, substeps, each.wrench, place): (
            each.robot(robot),
            each,
        )
        for i, each in enumerate(runs)
    }
    reached = [result['q'] for result in pool.run(_move, tasks, progress)]
    return Snapshots.of(
        rod,
        np.concatenate(reached),
        np.concatenate([each.inputs[: len(q)] for each, q in zip(runs, reached, strict=True)]),
        np.concatenate([each.time[: len(q)] for each, q in zip(runs, reached, strict=True)]),
        seed,
        inputs.shape[0] * inputs.shape[1] - sum(map(len, reached)),
    )


def _move(robot: Robot, run: Excitation) -> dict[str, np.ndarray]:
    return {'q': run.motion(Rod(robot))}
