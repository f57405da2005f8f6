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

Error control: the weights b - gamma (1, -2, 1), which leave out the third stage, are of order 2, so

    e = gamma h (k_1 - 2 k_2 + k_3),   k_i = (qd_i, qdd_i)

is the local error of that embedded solution. It is filtered by (I - gamma h J)^-1, as Hosea and Shampine do
(Appl. Numer. Math. 20, 1996), or stiff modes, of which it holds much more than the step does, would rule the
step size. In second-order form, and with constraints, the filter is one residual at (q - gamma h e_q, qd,
qdd + e_qd) and one solution with Newton's matrix.
"""

import math
from typing import NamedTuple

import numpy as np

from continua.jit import Held, njit, part
from continua.linalg import assign, lu_factor, lu_solve
from continua.rod.arrays import Conditions
from continua.rod.residual import residual, residual_tangent
from continua.rod.step_control import accepted_factor, rejected_factor

__all__ = ['GAMMA', 'TABLEAU', 'Stepper', 'make_stepper', 'run']

GAMMA = 0.4358665215084590
TABLEAU = np.array(
    [
        [GAMMA, 0.0, 0.0],
        [0.5 * (1.0 - GAMMA), GAMMA, 0.0],
        [-1.5 * GAMMA**2 + 4.0 * GAMMA - 0.25, 1.5 * GAMMA**2 - 5.0 * GAMMA + 1.25, GAMMA],
    ]
)
# Times of the beginning and of the stages, in steps.
_NODE = np.array([0.0, GAMMA, 0.5 * (1.0 + GAMMA), 1.0])
# A step that needs parts shorter than this share of it, or of the time scale where errors are controlled, has
# failed.
_SHORTEST, _SHORTEST_CONTROLLED = 2.0**-8, 1e-8
# Order in h of the embedded solution's error.
_ERROR_ORDER = 3
# Error of a step whose estimate is no number.
_HOPELESS = 1e30
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
    error_tolerance: float  # the same of a step; infinite for steps that are taken as they are given
    part: np.ndarray  # (1,) s, length that suits the error tolerance; 0 when not known yet
    error: np.ndarray  # (1,) of the last part accepted, in units of the error tolerance
    count: np.ndarray  # (3,) int64: parts accepted, parts rejected or failed, residuals


def make_stepper(
    scale: np.ndarray,
    constraints: int,
    time: float,
    tolerance: float = 1e-5,
    error_tolerance: float = math.inf,
) -> Held:
    """A held `Stepper` at rest at q = 0.

    constraints: k. scale (n,): one unit of deformation in each coordinate; time (s): that of the slowest
    motion, a radian of its vibration. An error of the rate grows to an error of the shape within this time.
    error_tolerance: infinite for steps that are taken as they are given.
    """
    n = scale.size
    stepper = Stepper(
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
        error_tolerance,
        np.zeros(1),
        np.ones(1),
        np.zeros(3, dtype=np.int64),
    )
    return Held(stepper)


@njit
def run(
    model: Held,
    stepper: Held,
    dt: float,
    count: int,
    inputs: np.ndarray,
    acting: Conditions,
    q: np.ndarray,
    qd: np.ndarray,
) -> int:
    """Advance a held `Stepper` of a held `Model` by `count` steps of dt (s) under each row of inputs
    (k, m) and all else of `acting`. Returns how many rows were done; q, qd (k, n) get the states after them.
    A step that fails leaves the state at the last part that succeeded.
    """
    s = stepper[0]
    for row in range(inputs.shape[0]):
        now = Conditions(
            inputs[row], acting.gravity, acting.dead, acting.following, acting.target, acting.target_rate
        )
        for _ in range(count):
            if not _step(model, s, dt, now):
                return row
        assign(s.q, q[row])
        assign(s.qd, qd[row])
    return inputs.shape[0]


@part
def _step(model: Held, s: Stepper, dt: float, acting: Conditions) -> bool:
    """One step, in as many parts as it takes. Returns success."""
    controlled = s.error_tolerance < math.inf
    shortest = _SHORTEST_CONTROLLED * min(dt, s.time) if controlled else _SHORTEST * dt
    part = s.part[0] if controlled and s.part[0] > 0.0 else dt
    done, count = 0.0, max(1, math.ceil(dt / part - 1e-9))
    h = dt / count
    while count > 0:
        error = _single_step(model, s, h, acting)
        if error <= 1.0:
            s.count[0] += 1
            done += h
            if controlled:
                part = h * accepted_factor(error, s.error[0], _ERROR_ORDER)
                s.error[0] = error
            fewer = math.ceil((dt - done) / part - 1e-9) if count > 1 else 0
            if fewer == count - 1:
                count = fewer
                continue
            count = max(1, fewer)
        else:
            s.count[1] += 1
            part = h * (rejected_factor(error, _ERROR_ORDER) if error < math.inf else 0.5)
            if part < shortest:
                s.part[0] = 0.0
                return False
            count = math.ceil((dt - done) / part - 1e-9)
        h = (dt - done) / count
    s.part[0] = part
    return True


@part
def _single_step(model: Held, s: Stepper, h: float, acting: Conditions) -> float:
    """One step of exactly h, or nothing.

    Returns the error in units of the error tolerance, infinite where a stage has no solution; beyond 1 the
    state stays as it was.
    """
    n = s.q.size
    for i in range(3):
        last, qdd, qd = s.acceleration[i], s.acceleration[i + 1], s.rate[i]
        gap = h * (_NODE[i + 1] - _NODE[i])
        for c in range(n):
            qdd[c] = last[c] + gap * s.jerk[c]
            # position and rate of the stage, its own share included for the guessed qdd
            v, x = s.qd[c], s.q[c]
            for j in range(i):
                v += h * TABLEAU[i, j] * s.acceleration[j + 1, c]
                x += h * TABLEAU[i, j] * s.rate[j, c]
            qd[c] = v + h * GAMMA * qdd[c]
            s.position[c] = x + h * GAMMA * qd[c]
        if not _solve_stage(model, s, h, qd, qdd, acting):
            s.jerk[:] = 0.0
            return math.inf
        for c in range(n):
            s.jerk[c] = (qdd[c] - last[c]) / gap
    error = 0.0
    if s.error_tolerance < math.inf:
        error = _error(model, s, h, acting) / s.error_tolerance
        if error > 1.0:
            return error
    assign(s.position, s.q)
    assign(s.rate[2], s.qd)
    assign(s.acceleration[3], s.acceleration[0])
    return error


@part
def _error(model: Held, s: Stepper, h: float, acting: Conditions) -> float:
    """Filtered error of the step whose stages are in s, in units of deformation.

    Rates and accelerations of stages 1 and 2 are overwritten: nothing needs them any more.
    """
    a1 = h * GAMMA
    shifted, off, pushed = s.rate[0], s.rate[1], s.acceleration[1]
    for c in range(s.q.size):
        off[c] = a1 * (s.rate[0, c] - 2.0 * s.rate[1, c] + s.rate[2, c])
        change = s.acceleration[1, c] - 2.0 * s.acceleration[2, c] + s.acceleration[3, c]
        pushed[c] = s.acceleration[3, c] + a1 * change
        shifted[c] = s.position[c] - a1 * off[c]
    residual(model, shifted, s.rate[2], pushed, s.reaction, acting, s.correction)
    s.count[2] += 1
    lu_solve(s.matrix, s.pivot, s.correction)
    size = 0.0
    for c in range(s.q.size):
        rate = s.correction[c]
        if not abs(rate) < math.inf:
            return _HOPELESS
        size = max(size, max(abs(off[c] + a1 * rate), s.time * abs(rate)) / s.scale[c])
    return size


@part
def _solve_stage(
    model: Held, s: Stepper, h: float, qd: np.ndarray, qdd: np.ndarray, acting: Conditions
) -> bool:
    """Newton's method for acceleration and reactions of one stage, from the guesses in qdd and s."""
    a1 = h * GAMMA
    a0 = a1 * a1
    before, renewed = 0.0, False
    contraction = max(s.contraction[0], _FASTEST) ** _FORGETTING
    for iteration in range(_MAX_ITERATIONS):
        residual(model, s.position, qd, qdd, s.reaction, acting, s.correction)
        s.count[2] += 1
        if s.factored_step[0] != h:
            residual_tangent(model, a0, a1, 1.0, acting, s.matrix)
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
            return True
        if contraction > _SLOW and iteration > 0 and not renewed:
            s.factored_step[0] = 0.0
        before = size
    s.factored_step[0] = 0.0
    s.contraction[0] = 1.0
    return False
