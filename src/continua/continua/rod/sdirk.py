"""Implicit time stepping of the stiff equation of motion: diagonally implicit Runge-Kutta.

Alexander's three-stage method (SIAM J. Numer. Anal. 14, 1977): order 3, L-stable and stiffly accurate, so
the fast modes that viscosity damps within microseconds are followed without ringing, and a jump of the input
needs no special start. Each stage solves the residual of the equation of motion for the acceleration by
Newton's method, from a straight line through the two accelerations before, together with the reactions of
the constraints, which the stages satisfy exactly; all stages share one matrix

    gamma^2 h^2 dr/dq + gamma h dr/dqd + dr/dqdd,

which is exact, kept over many steps and renewed where convergence slows. The error left after an iteration
is estimated from the rate of convergence (Hairer, Wanner: Solving ODEs II, section IV.8), which the stages
inherit from each other, so most stages cost one or two residuals. A step that fails is halved.
"""

import math
from typing import NamedTuple

import numpy as np

from continua.jit import njit
from continua.linalg import lu_factor, lu_solve
from continua.rod.arrays import Conditions
from continua.rod.residual import Model, residual, residual_tangent

__all__ = ['Stepper', 'make_stepper', 'step']

_GAMMA = 0.4358665215084590
_TABLEAU = np.array(
    [
        [_GAMMA, 0.0, 0.0],
        [0.5 * (1.0 - _GAMMA), _GAMMA, 0.0],
        [-1.5 * _GAMMA**2 + 4.0 * _GAMMA - 0.25, 1.5 * _GAMMA**2 - 5.0 * _GAMMA + 1.25, _GAMMA],
    ]
)
# Times of the beginning and of the stages, in steps.
_NODE = np.array([0.0, _GAMMA, 0.5 * (1.0 + _GAMMA), 1.0])
# A step is halved at most this often before it counts as failed.
_MAX_HALVINGS = 8
_MAX_ITERATIONS = 10
# Newton's matrix is renewed when an iteration shrinks the correction by less than this.
_SLOW = 0.3
# What an inherited rate of convergence is worth: the exponent makes old news bad news.
_FASTEST, _FORGETTING = 1e-3, 0.8


class Stepper(NamedTuple):
    """State and buffers of the integration of n coordinates under k constraints; updated in place."""

    q: np.ndarray  # (n,)
    qd: np.ndarray  # (n,) 1/s
    rate: np.ndarray  # (3, n) 1/s, qd of the stages
    acceleration: np.ndarray  # (4, n) 1/s^2, qdd at the beginning of the step and of the stages
    jerk: np.ndarray  # (n,) 1/s^3, slope of the last two accelerations
    position: np.ndarray  # (n,) q of the stage at work
    reaction: np.ndarray  # (k,) multipliers of the constraints
    correction: np.ndarray  # (n + k,)
    matrix: np.ndarray  # (n + k, n + k) factors of Newton's matrix
    pivot: np.ndarray  # (n + k,)
    factored_step: np.ndarray  # (1,) s, step that matrix was made for; 0 when there is none
    contraction: np.ndarray  # (1,) by how much an iteration shrinks the correction
    scale: np.ndarray  # (n,) one unit of deformation in each coordinate
    time: float  # s, in which a rate counts like a deformation
    tolerance: float  # largest accepted error of a stage, in units of scale and scale / time


def make_stepper(scale: np.ndarray, constraints: int, time: float, tolerance: float = 1e-5) -> Stepper:
    """A stepper at rest at q = 0.

    constraints: k. scale (n,): one unit of deformation in each coordinate; time (s): that of the slowest
    motion, a radian of its vibration. An error of the rate grows to an error of the shape within this time.
    """
    n = scale.size
    return Stepper(
        np.zeros(n),
        np.zeros(n),
        np.zeros((3, n)),
        np.zeros((4, n)),
        np.zeros(n),
        np.zeros(n),
        np.zeros(constraints),
        np.zeros(n + constraints),
        np.zeros((n + constraints, n + constraints)),
        np.zeros(n + constraints, dtype=np.int64),
        np.zeros(1),
        np.ones(1),
        scale,
        time,
        tolerance,
    )


@njit
def step(m: Model, s: Stepper, dt: float, acting: Conditions) -> tuple[bool, int]:
    """Advance s by dt (s) under constant conditions. Returns success and the residuals evaluated.

    A failed step leaves the state at the last part that succeeded.
    """
    done, h, halvings, evaluations = 0.0, dt, 0, 0
    while done < dt * (1.0 - 1e-12):
        h = min(h, dt - done)
        ok, count = _single_step(m, s, h, acting)
        evaluations += count
        if ok:
            done += h
        else:
            halvings += 1
            h *= 0.5
            if halvings > _MAX_HALVINGS:
                return False, evaluations
    return True, evaluations


@njit
def _single_step(m: Model, s: Stepper, h: float, acting: Conditions) -> tuple[bool, int]:
    """One step of exactly h, or nothing."""
    n, evaluations = s.q.size, 0
    for i in range(3):
        last, qdd, qd = s.acceleration[i], s.acceleration[i + 1], s.rate[i]
        gap = h * (_NODE[i + 1] - _NODE[i])
        for c in range(n):
            qdd[c] = last[c] + gap * s.jerk[c]
            # position and rate of the stage, its own share included for the guessed qdd
            v, x = s.qd[c], s.q[c]
            for j in range(i):
                v += h * _TABLEAU[i, j] * s.acceleration[j + 1, c]
                x += h * _TABLEAU[i, j] * s.rate[j, c]
            qd[c] = v + h * _GAMMA * qdd[c]
            s.position[c] = x + h * _GAMMA * qd[c]
        ok, count = _solve_stage(m, s, h, qd, qdd, acting)
        evaluations += count
        if not ok:
            s.jerk[:] = 0.0
            return False, evaluations
        for c in range(n):
            s.jerk[c] = (qdd[c] - last[c]) / gap
    s.q[:] = s.position
    s.qd[:] = s.rate[2]
    s.acceleration[0] = s.acceleration[3]
    return True, evaluations


@njit
def _solve_stage(
    m: Model, s: Stepper, h: float, qd: np.ndarray, qdd: np.ndarray, acting: Conditions
) -> tuple[bool, int]:
    """Newton's method for acceleration and reactions of one stage, from the guesses in qdd and s."""
    a1 = h * _GAMMA
    a0 = a1 * a1
    before, renewed = 0.0, False
    contraction = max(s.contraction[0], _FASTEST) ** _FORGETTING
    for iteration in range(_MAX_ITERATIONS):
        residual(m, s.position, qd, qdd, s.reaction, acting, s.correction)
        if s.factored_step[0] != h:
            residual_tangent(m, a0, a1, 1.0, acting, s.matrix)
            if not lu_factor(s.matrix, s.pivot):
                break
            s.factored_step[0] = h
            renewed = True
        lu_solve(s.matrix, s.pivot, s.correction)
        size, total = 0.0, 0.0
        for c in range(qd.size):
            delta = s.correction[c]
            total += delta
            qdd[c] -= delta
            qd[c] -= a1 * delta
            s.position[c] -= a0 * delta
            size = max(size, a1 * max(a1, s.time) * abs(delta) / s.scale[c])
        for k in range(s.reaction.size):
            total += s.correction[qd.size + k]
            s.reaction[k] -= s.correction[qd.size + k]
        # not `size`, for a comparison with NaN is false and max would pass it over
        if not math.isfinite(total):
            break
        if iteration > 0:
            contraction = size / before
        if size * min(1.0, contraction / max(1.0 - contraction, 1e-300)) <= s.tolerance:
            s.contraction[0] = contraction
            return True, iteration + 1
        if contraction > _SLOW and iteration > 0 and not renewed:
            s.factored_step[0] = 0.0
        before = size
    s.factored_step[0] = 0.0
    s.contraction[0] = 1.0
    return False, iteration + 1
