"""Variational time integration, for long motions without damping.

The discrete Euler-Lagrange equations of the Lagrangian at the middle of each step (Marsden, West: Discrete
mechanics and variational integrators, Acta Numerica 10, 2001, section 2.3): with v = (q_1 - q_0) / h and all
at q = (q_0 + q_1) / 2,

    M v - p_0 = h/2 (dL/dq + forces),    p_1 = 2 M v - p_0,

the implicit midpoint rule in coordinates and momenta. The method is of order 2, symplectic and
time-reversible: its energy oscillates by an amount of the second order in the step, but does not drift
however long the motion. The forces on the right are those of the inverse dynamics, d(M v)/dt - r(q, v, 0), so
loads, inputs and dampers act too.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from continua.jit import Held, inner, njit
from continua.linalg import lu_factor, lu_solve
from continua.rod.arrays import Conditions, coordinates
from continua.rod.jacobian import jacobians
from continua.rod.residual import residual, residual_tangent
from continua.rod.rod import Rod
from continua.rod.stepping import Stepping, check_free, check_tolerance

__all__ = ['VariationalIntegrator']

_MAX_ITERATIONS = 30


class _State(NamedTuple):
    q: np.ndarray  # (n,)
    p: np.ndarray  # (n,) generalised momentum
    v: np.ndarray  # (n,) 1/s, mean rate of the step
    middle: np.ndarray  # (n,) q in the middle of the step
    momentum: np.ndarray  # (n,) M v there
    force: np.ndarray  # (n,) its rate
    correction: np.ndarray  # (n,)
    none: np.ndarray  # (0,) reactions
    J: np.ndarray  # (N, 6, n)
    Jd: np.ndarray  # (N, 6, n)
    matrix: np.ndarray  # (n, n)
    pivot: np.ndarray  # (n,)
    scale: np.ndarray  # (n,)
    tolerance: float
    count: np.ndarray  # (3,) int64


class VariationalIntegrator(Stepping):
    """Steps a robot without loops through time under conditions that are constant during each step.

    q, qd: (n,) state, read with the attributes and set with `reset`.
    """

    def __init__(self, rod: Rod, tolerance: float = 1e-11):
        """tolerance: how well each step is solved, in units of deformation; its error is what energy drifts
        by.

        Raises ValueError for a robot with loops or position drives, and for a tolerance that is not positive.
        """
        check_tolerance('tolerance', tolerance)
        check_free(rod, 'the variational')
        n, N = rod.dof, rod.arc_length.size
        self.rod = rod
        self._state = _State(
            *np.zeros((7, n)),
            none=np.zeros(0),
            J=np.zeros((N, 6, n)),
            Jd=np.zeros((N, 6, n)),
            matrix=np.zeros((n, n)),
            pivot=np.zeros(n, dtype=np.int64),
            scale=rod.scale,
            tolerance=float(tolerance),
            count=np.zeros(3, dtype=np.int64),
        )

    @property
    def qd(self) -> np.ndarray:
        return np.linalg.solve(self.rod.mass_matrix(self._state.q), self._state.p)

    def reset(self, q: np.ndarray, qd: np.ndarray | None = None) -> None:
        """Start over from q and qd (at rest by default)."""
        s, dof = self._state, self.rod.dof
        s.q[:] = coordinates(q, dof)
        s.v[:] = 0.0 if qd is None else coordinates(qd, dof, 'qd')
        s.p[:] = self.rod.mass_matrix(s.q) @ s.v
        s.count[:] = 0

    def step(self, dt: float, u: np.ndarray, **acting: Any) -> bool:
        """Advance by one step of dt (s) under `Rod.conditions`. False, and nothing done, where it has no
        solution that can be found: it is too long for the motion."""
        return _step(self.rod._held, self._state, dt, self.rod.conditions(u, **acting))


@njit
def _step(model: Held, s: _State, h: float, acting: Conditions) -> bool:
    """Simplified Newton's method for v, from the one of the last step; the matrix is that of the
    beginning."""
    n = s.q.size
    for iteration in range(_MAX_ITERATIONS):
        for c in range(n):
            s.middle[c] = s.q[c] + 0.5 * h * s.v[c]
        _momentum(model, s, acting)
        if iteration == 0:
            residual_tangent(model, 0.25 * h * h, 0.5 * h, 1.0, acting, s.matrix)
            if not lu_factor(s.matrix, s.pivot):
                break
        for c in range(n):
            s.correction[c] = s.momentum[c] - s.p[c] - 0.5 * h * s.force[c]
        lu_solve(s.matrix, s.pivot, s.correction)
        size, total = 0.0, 0.0
        for c in range(n):
            s.v[c] -= s.correction[c]
            total += s.correction[c]
            size = max(size, h * abs(s.correction[c]) / s.scale[c])
        if not math.isfinite(total):
            break
        if size <= s.tolerance:
            for c in range(n):
                s.q[c] += h * s.v[c]
                # the momentum at the corrected v, to first order in the correction
                s.p[c] += h * s.force[c]
            s.count[0] += 1
            return True
    s.v[:] = 0.0
    s.count[1] += 1
    return False


@inner
def _momentum(model: Held, s: _State, acting: Conditions) -> None:
    """momentum M v and the force d(M v)/dt - r(q, v, 0) at the middle; leaves the model ready for its
    tangent."""
    m, n = model[0], s.v.size
    jacobians(m.rod, s.middle, s.v, m.work, s.J, s.Jd)
    s.momentum[:] = 0.0
    residual(model, s.middle, s.v, s.momentum, s.none, acting, s.force)
    s.count[2] += 1
    for c in range(n):
        s.force[c] = -s.force[c]
    for j in range(1, s.J.shape[0]):
        if m.rod.inertia[j, 3, 3] == 0.0:
            continue
        rate = m.work.vector[0]
        for k in range(6):
            rate[k] = 0.0
            for c in range(n):
                rate[k] += s.Jd[j, k, c] * s.v[c]
        for r in range(6):
            along, change = 0.0, 0.0
            for k in range(6):
                along += m.rod.inertia[j, r, k] * m.work.eta[j, k]
                change += m.rod.inertia[j, r, k] * rate[k]
            for c in range(n):
                s.momentum[c] += s.J[j, r, c] * along
                s.force[c] += s.Jd[j, r, c] * along + s.J[j, r, c] * change
