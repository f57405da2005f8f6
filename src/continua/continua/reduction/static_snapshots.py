"""Equilibria under many inputs: static sweeps, in chunks that any number of workers share."""

from collections.abc import Sequence

import numpy as np

from continua.description import Robot
from continua.reduction.pool import IN_THIS_PROCESS, Pool, Progress, task_key
from continua.reduction.snapshots import Snapshots
from continua.rod import Rod

__all__ = ['equilibria', 'static_snapshots']

# Inputs of one task: a second or so of work. Fixed, so that results do not depend on the workers.
_CHUNK = 64


def static_snapshots(
    robot: Robot,
    inputs: Sequence[Sequence[float]] | np.ndarray,
    gravity: bool = True,
    pool: Pool = IN_THIS_PROCESS,
    progress: Progress = lambda done, total: None,
    seed: int | None = None,
) -> Snapshots:
    """Equilibria of the robot's full model under inputs (k, m); those that are not found are left out.

    seed: of the inputs, if they are random. Raises ValueError where no equilibrium is found or the inputs do
    not fit the robot.
    """
    rod, inputs = Rod(robot), np.asarray(inputs, dtype=float)
    names = rod.input_names
    if inputs.ndim != 2 or inputs.shape[1] != len(names) or not np.all(np.isfinite(inputs)):
        raise ValueError(
            f'inputs: expected finite numbers (k, {len(names)}) for {", ".join(names) or "nothing"}, '
            f'got shape {inputs.shape}'
        )
    chunks = [inputs[i : i + _CHUNK] for i in range(0, len(inputs), _CHUNK)]
    tasks = {
        task_key('static', robot.hash, gravity, each, i): (robot, each, gravity)
        for i, each in enumerate(chunks)
    }
    found = pool.run(_solve_chunk, tasks, progress)
    q, solved = (
        np.concatenate([each[name] for each in found] or [empty])
        for name, empty in (('q', np.zeros((0, rod.dof))), ('solved', np.zeros(0, dtype=bool)))
    )
    return Snapshots.of(rod, q[solved], inputs[solved], seed=seed, left_out=int(np.sum(~solved)))


def equilibria(rod: Rod, inputs: np.ndarray, gravity: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Equilibria (k, n) under inputs (k, m), and which of them (k,) were found.

    Each search starts from the solved neighbour, by distance in the ranges of the inputs; where that ends
    without a stable equilibrium, also from the reference shape.
    """
    q, solved = np.zeros((len(inputs), rod.dof)), np.zeros(len(inputs), dtype=bool)
    width = np.ptp(inputs, axis=0)
    scaled = inputs / np.where(width > 0.0, width, 1.0)
    for i, u in enumerate(inputs):
        starts = [None]
        known = np.flatnonzero(solved[:i])
        if known.size:
            distance = np.linalg.norm(scaled[known] - scaled[i], axis=1)
            starts.insert(0, q[known[::-1][np.argmin(distance[::-1])]])
        for start in starts:
            result = rod.statics(u, start, gravity=gravity)
            if result.converged and (result.stable or not solved[i]):
                q[i], solved[i] = result.q, True
            if result.converged and result.stable:
                break
    return q, solved


def _solve_chunk(robot: Robot, inputs: np.ndarray, gravity: bool) -> dict[str, np.ndarray]:
    q, solved = equilibria(Rod(robot), inputs, gravity)
    return {'q': q, 'solved': solved}
