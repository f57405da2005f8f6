"""Explicit time integration, for motions without stiffness: rigid linkages, long waves in soft ones.

The method of Dormand and Prince of order 5 with an embedded one of order 4 (J. Comput. Appl. Math. 6, 1980)
on the state [q, qd], with the accelerations from the residual of the equation of motion and its mass matrix.
Its steps are as short as the fastest motion asks, also where that is damped out: for soft robots with
elongation or shear, `Integrator` is faster by orders of magnitude.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from continua.jit import Held, inner, njit
from continua.linalg import assign, lu_factor, lu_solve
from continua.rod.arrays import Conditions, coordinates
from continua.rod.residual import residual, residual_tangent
from continua.rod.rod import Rod
from continua.rod.step_control import accepted_factor, rejected_factor
from continua.rod.stepping import Stepping, check_free, check_tolerance

__all__ = ['ExplicitIntegrator']

_TABLEAU = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
_ERROR = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
_ERROR_ORDER = 5
# A step that needs parts shorter than this share of the time scale counts as failed.
_SHORTEST = 1e-9
# Error of a step whose estimate is no number.
_HOPELESS = 1e30


class _State(NamedTuple):
    q: np.ndarray  # (n,)
    qd: np.ndarray  # (n,) 1/s
    position: np.ndarray  # (n,) q of the stage at work, at last of the end
    rate: np.ndarray  # (7, n) 1/s, qd of the stages
    acceleration: np.ndarray  # (7, n) 1/s^2, qdd of the stages
    none: np.ndarray  # (0,) reactions
    mass: np.ndarray  # (n, n)
    pivot: np.ndarray  # (n,)
    scale: np.ndarray  # (n,)
    time: float  # s
    tolerance: float
    part: np.ndarray  # (1,) s, length that suits the tolerance; 0 when not known yet
    error: np.ndarray  # (1,) of the last part accepted
    count: np.ndarray  # (3,) int64


class ExplicitIntegrator(Stepping):
    """Steps a robot without loops through time under conditions that are constant during each step.

    q, qd: (n,) state, read with the attributes and set with `reset`.
    """

    def __init__(self, rod: Rod, error_tolerance: float = 1e-6):
        """error_tolerance: largest estimated error of an internal step, in units of deformation (about 1 rad
        at the tip); rates count by what they do within a radian of the rod's slowest vibration.

        Raises ValueError for a robot with loops or position drives, and for a tolerance that is not positive.
        """
        check_tolerance('error_tolerance', error_tolerance)
        check_free(rod, 'an explicit')
        n = rod.dof
        self.rod = rod
        self._state = _State(
            q=np.zeros(n),
            qd=np.zeros(n),
            position=np.zeros(n),
            rate=np.zeros((7, n)),
            acceleration=np.zeros((7, n)),
            none=np.zeros(0),
            mass=np.zeros((n, n)),
            pivot=np.zeros(n, dtype=np.int64),
            scale=rod.scale,
            time=rod.period / (2.0 * np.pi),
            tolerance=float(error_tolerance),
            part=np.zeros(1),
            error=np.ones(1),
            count=np.zeros(3, dtype=np.int64),
        )

    def reset(self, q: np.ndarray, qd: np.ndarray | None = None) -> None:
        """Start over from q and qd (at rest by default)."""
        s, dof = self._state, self.rod.dof
        s.q[:] = coordinates(q, dof)
        s.qd[:] = 0.0 if qd is None else coordinates(qd, dof, 'qd')
        s.part[:] = 0.0
        s.error[:] = 1.0
        s.count[:] = 0

    def step(self, dt: float, u: np.ndarray, **acting: Any) -> bool:
        """Advance by dt (s) under `Rod.conditions`. False where no step, however small, meets the tolerance;
        the state stays finite."""
        return _step(self.rod._held, self._state, dt, self.rod.conditions(u, **acting))


@njit
def _step(model: Held, s: _State, dt: float, acting: Conditions) -> bool:
    part = s.part[0] if s.part[0] > 0.0 else min(dt, 0.1 * s.time)
    done = 0.0
    _accelerate(model, s, s.q, s.qd, acting, s.acceleration[0])
    while done < dt * (1.0 - 1e-12):
        h = min(part, dt - done)
        error = _single_step(model, s, h, acting)
        if error <= 1.0:
            s.count[0] += 1
            done += h
            # a part that the end of the step cut short says only that the next one may be as long
            part = max(h * accepted_factor(error, s.error[0], _ERROR_ORDER), part if h < part else 0.0)
            s.error[0] = error
        else:
            s.count[1] += 1
            part = h * rejected_factor(error, _ERROR_ORDER)
            if part < _SHORTEST * s.time:
                s.part[0] = 0.0
                return False
    s.part[0] = part
    return True


@inner
def _single_step(model: Held, s: _State, h: float, acting: Conditions) -> float:
    """One step of h, or nothing; returns its error in units of the tolerance. acceleration[0] is that of the
    state before and after."""
    n = s.q.size
    assign(s.qd, s.rate[0])
    for i in range(1, 7):
        for c in range(n):
            x, v = s.q[c], s.qd[c]
            for j in range(i):
                x += h * _TABLEAU[i, j] * s.rate[j, c]
                v += h * _TABLEAU[i, j] * s.acceleration[j, c]
            s.position[c], s.rate[i, c] = x, v
        _accelerate(model, s, s.position, s.rate[i], acting, s.acceleration[i])
    error = 0.0
    for c in range(n):
        x, v = 0.0, 0.0
        for i in range(7):
            x += h * _ERROR[i] * s.rate[i, c]
            v += h * _ERROR[i] * s.acceleration[i, c]
        # a comparison with NaN is false, and max would pass it over
        if not abs(x) + abs(v) < math.inf:
            return _HOPELESS
        error = max(error, max(abs(x), s.time * abs(v)) / (s.scale[c] * s.tolerance))
    if error <= 1.0:
        assign(s.position, s.q)
        assign(s.rate[6], s.qd)
        assign(s.acceleration[6], s.acceleration[0])
    return error


@inner
def _accelerate(
    model: Held, s: _State, q: np.ndarray, qd: np.ndarray, acting: Conditions, qdd: np.ndarray
) -> None:
    """qdd (n,) at q, qd (n,): -M^-1 r(q, qd, 0)."""
    qdd[:] = 0.0
    residual(model, q, qd, qdd, s.none, acting, qdd)
    residual_tangent(model, 0.0, 0.0, 1.0, acting, s.mass)
    s.count[2] += 1
    if not lu_factor(s.mass, s.pivot):
        qdd[:] = math.nan
        return
    lu_solve(s.mass, s.pivot, qdd)
    for c in range(qdd.size):
        qdd[c] = -qdd[c]
