"""Single evaluations of the equation of motion: how long, how that grows, and how far it is from the floor.

The floor is the time in which one core could do the counted operations at its measured peak.
"""

from collections.abc import Iterator

import numba
import numpy as np

from continua.bench.arms import SIZES, arm, pull
from continua.bench.figure import Figure
from continua.bench.flops import count_flops
from continua.bench.machine import scalar_peak, vector_peak
from continua.bench.timing import seconds_per_call
from continua.description import parse_robot
from continua.jit import Held
from continua.rod import Rod
from continua.rod.arrays import Conditions
from continua.rod.jacobian import jacobians, mass_and_coriolis
from continua.rod.residual import Model, residual, residual_tangent

__all__ = ['evaluation_times', 'measure_evaluations']

_CALLS = 50
_POINTS = 16


def measure_evaluations(robots: dict[str, str]) -> Iterator[Figure]:
    """Yield times by degrees of freedom and points, and of robots (name: text), against the floor."""
    scalar, vector = scalar_peak(), vector_peak()
    yield Figure('peak of one core, scalar', 1e-9 * scalar, 'Gflop/s')
    yield Figure('peak of one core, vector', 1e-9 * vector, 'Gflop/s')
    by_dof = {}
    for dof in SIZES:
        text = arm(dof, _POINTS)
        by_dof[dof] = evaluation_times(Rod(parse_robot(text)))
        yield from _against_floor(text, f'{dof} dof, {_POINTS} points', by_dof[dof], scalar, vector)
    for name in by_dof[22]:
        exponent = np.log(by_dof[72][name] / by_dof[22][name]) / np.log(72 / 22)
        yield Figure(f'{name} from 22 to 72 dof grows as dof to the power of', float(exponent))
    for points in (8, 16, 32, 64):
        times = evaluation_times(Rod(parse_robot(arm(22, points))))
        for name, seconds in times.items():
            yield Figure(f'{name}, 22 dof, {points} points', 1e6 * seconds, 'us')
    for name, text in robots.items():
        rod = Rod(parse_robot(text))
        yield from _against_floor(text, f'{name}, {rod.dof} dof', evaluation_times(rod), scalar, vector)


def _against_floor(
    robot: str, size: str, times: dict[str, float], scalar: float, vector: float
) -> Iterator[Figure]:
    """Yield the times, and their ratios to the floor where the operations are counted."""
    flops = count_flops(robot)
    for name, seconds in times.items():
        yield Figure(f'{name}, {size}', 1e6 * seconds, 'us')
        if name in flops:
            yield Figure('  counted operations', flops[name])
            yield Figure('  times the floor at scalar peak', seconds * scalar / flops[name])
            yield Figure('  times the floor at vector peak', seconds * vector / flops[name])


def evaluation_times(rod: Rod) -> dict[str, float]:
    """Seconds of each kernel in a bent shape, without the way through Python."""
    model, q, n = rod._held, 0.1 * rod.scale, rod.dof
    acting, reaction = rod.conditions(pull(rod)), np.zeros(rod.n_constraints)
    r, out = np.zeros(n + rod.n_constraints), np.zeros((n + rod.n_constraints, n + rod.n_constraints))
    J, Jd = np.zeros((2, rod.arc_length.size, 6, n))
    M, C = np.zeros((2, n, n))
    calls = {
        'residual': lambda: _residuals(model, q, reaction, acting, r, _CALLS),
        'residual_tangent': lambda: _tangents(model, acting, out, _CALLS),
        'Jacobians, M and C': lambda: _matrices(model.value, q, J, Jd, M, C, _CALLS),
    }
    return {name: seconds_per_call(call, budget=0.1) / _CALLS for name, call in calls.items()}


@numba.jit(nopython=True)
def _residuals(
    model: Held, q: np.ndarray, reaction: np.ndarray, acting: Conditions, r: np.ndarray, count: int
) -> None:
    for _ in range(count):
        residual(model, q, q, q, reaction, acting, r)


@numba.jit(nopython=True)
def _tangents(model: Held, acting: Conditions, out: np.ndarray, count: int) -> None:
    for _ in range(count):
        residual_tangent(model, 1.0, 1.0, 1.0, acting, out)


@numba.jit(nopython=True)
def _matrices(
    m: Model, q: np.ndarray, J: np.ndarray, Jd: np.ndarray, M: np.ndarray, C: np.ndarray, count: int
) -> None:
    for _ in range(count):
        jacobians(m.rod, q, q, m.work, J, Jd)
        mass_and_coriolis(m.rod, m.work, J, Jd, M, C)
