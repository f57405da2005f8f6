"""Motions of the collocation rod under babbled pressures: what the one-step network learns from.

Each motion is cut into segments. Before a segment the state may be disturbed, towards another motion and at
random, so that a network learns that what leaves the motions returns to them; and its segments are what a
filter's sigma points look like.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.reduction.pool import IN_THIS_PROCESS, Pool, Progress
from continua.surrogate.ansatz import DdPinnNetwork
from continua.surrogate.fingerprint import fingerprint

__all__ = ['COMPLIANCE_RANGE', 'SEGMENT', 'Motions', 'babbled_pressures', 'motions']

SEGMENT = 20  # steps
COMPLIANCE_RANGE = (0.7, 1.3)
"""Of the robot file's bending compliance."""

_MOTIONS, _SEGMENTS = 32, 6  # of a task: some seconds of work
_LAG = 0.0914  # s, of the pressure behind its setpoint (eq 32)
_ZERO = 0.2  # probability that a setpoint is none
_TURNS, _LAGGED, _DISTURBED = 0.25, 0.6, 0.5  # shares


@dataclass(frozen=True)
class Motions:
    """Segments: states x (S, SEGMENT + 1, n), gauge pressures u (S, SEGMENT, m) Pa that are held over each
    step of dt (s), and bending compliance c (S,) rad/(N m m), all single precision."""

    x: np.ndarray
    u: np.ndarray
    c: np.ndarray
    dt: float


def motions(
    robot: Robot,
    tasks: int,
    dt: float,
    seed: int = 0,
    nodes: int = 6,
    pool: Pool = IN_THIS_PROCESS,
    progress: Progress = lambda done, total: None,
    teacher: Path | None = None,
) -> Motions:
    """Segments of `tasks` times 32 motions of 120 steps each; those that could not be solved are left out.

    teacher: file of a DD-PINN that steps in the rod's place. Raises ValueError for a robot that the
    collocation rod cannot represent, and for a teacher of another.
    """
    rod = CollocationRod(robot, nodes)
    _transition(rod, teacher)
    made_of = repr((fingerprint(rod), dt, seed)).encode() + (teacher.read_bytes() if teacher else b'')
    key = hashlib.sha256(made_of).hexdigest()[:16]
    work = {f'motions-{key}-{i}': (robot, nodes, dt, (seed, i), teacher) for i in range(tasks)}
    return _joined(pool.run(_task, work, progress), dt)


def babbled_pressures(random: np.random.Generator, steps: int, limits: np.ndarray, dt: float) -> np.ndarray:
    """(steps, m) Pa within limits (2, m): setpoints that are held for 1 to 70 steps, or a turn through the
    chambers at 0.1 to 2 Hz, behind a first-order lag that is the paper's or between 5 and 200 ms."""
    low, high = limits
    top = low + random.uniform(0.2, 1.0) * (high - low)
    if random.random() < _TURNS:
        frequency, phase = np.exp(random.uniform(np.log(0.1), np.log(2.0))), random.uniform(0, 2 * np.pi, 3)
        share = 0.5 + 0.5 * np.sin(2 * np.pi * frequency * dt * np.arange(steps)[:, None] + phase)
        return low + share * (top - low)
    hold = int(np.exp(random.uniform(0.0, np.log(70.0))))
    share = random.uniform(size=(steps // hold + 1, low.size))
    share *= random.uniform(size=share.shape) > _ZERO
    setpoints = low + np.repeat(share, hold, axis=0)[:steps] * (top - low)
    lag = _LAG if random.random() < _LAGGED else np.exp(random.uniform(np.log(5e-3), np.log(0.2)))
    u, follow = np.empty_like(setpoints), -np.expm1(-dt / lag)
    u[0] = setpoints[0]
    for k in range(1, steps):
        u[k] = u[k - 1] + follow * (setpoints[k] - u[k - 1])
    return u


def _transition(rod: CollocationRod, teacher: Path | None) -> Callable:
    """step(x, u, dt, theta) of the rod, or of the teacher."""
    if teacher is None:
        return rod.step
    network = DdPinnNetwork.load(teacher)
    network.check(rod)
    return lambda x, u, dt, theta: network(x, u, theta[:, 2:3], dt)


def _task(
    robot: Robot, nodes: int, dt: float, seed: tuple[int, int], teacher: Path | None
) -> dict[str, np.ndarray]:
    rod, random = CollocationRod(robot, nodes), np.random.default_rng(seed)
    step = _transition(rod, teacher)
    limits = np.array([chamber.limits.pressure for chamber in robot.chambers]).T
    steps = SEGMENT * _SEGMENTS
    u = np.stack([babbled_pressures(random, steps, limits, dt) for _ in range(_MOTIONS)], axis=1)
    c = rod.theta[2] * random.uniform(*COMPLIANCE_RANGE, _MOTIONS)
    theta = np.array([rod.with_theta(bending_compliance=each) for each in c])
    x = rod.statics(u[0] * random.integers(0, 2, (_MOTIONS, 1)), theta=theta)
    found = np.empty((_SEGMENTS, _MOTIONS, SEGMENT + 1, rod.n), dtype=np.float32)
    for i in range(_SEGMENTS):
        # A motion that was lost goes on from the straight rod.
        x = np.where(np.isfinite(x), x, 0.0)
        if i:
            x = _disturbed(random, x)
        found[i, :, 0] = x
        for k in range(SEGMENT):
            x = step(x, u[i * SEGMENT + k], dt, theta)
            found[i, :, k + 1] = x
    segments = u.reshape(_SEGMENTS, SEGMENT, _MOTIONS, -1).swapaxes(1, 2).astype(np.float32)
    return {'x': found, 'u': segments, 'c': np.tile(c, (_SEGMENTS, 1)).astype(np.float32)}


def _disturbed(random: np.random.Generator, x: np.ndarray) -> np.ndarray:
    """Some of the states (B, n) moved towards those of other motions, and by noise."""
    count = len(x)
    others, is_disturbed = random.permutation(count), random.uniform(size=(count, 1)) < _DISTURBED
    towards = random.uniform(0.0, 0.5, (count, 1)) * (x[others] - x)
    size = np.exp(random.uniform(np.log(1e-3), np.log(0.1), (count, 1)))
    noise = size * x.std(axis=0) * random.normal(size=x.shape)
    return x + is_disturbed * (random.integers(0, 2, (count, 1)) * towards + noise)


def _joined(found: list[Mapping[str, np.ndarray]], dt: float) -> Motions:
    x, u, c = (
        np.concatenate([each[name].reshape(-1, *each[name].shape[2:]) for each in found]) for name in 'xuc'
    )
    kept = np.isfinite(x).all(axis=(1, 2))
    return Motions(x[kept], u[kept], c[kept], dt)
