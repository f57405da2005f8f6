"""Loop closures and position drives: constraints with Lagrange multipliers.

A loop joint leaves the relative motion of two stations a, b free along some twists and forbids it along
others, the rows s of its `perp`. With g = g_a^-1 g_b, the twist of b relative to a in the frame of b is
eta_b - Ad(g)^-1 eta_a, and

    A qd = s . (eta_b - Ad(g)^-1 eta_a) = 0                  Pfaffian form, at velocity level
    e(q) = s . [rotation vector of R; R^T p] = 0             at position level

(soft_synergies, section II-C, after its reference [40]). A position drive holds a joint coordinate x at
its target: A = dx/dq, e = x - target. Dynamics solve A qd + rate e = target's rate (0 for loops), so that
drift decays at `rate`; with no rates the same rows are the conditions of statics. The multipliers are the
wrenches that the joints bear, and the efforts of the drives: the motion gets A^T lambda. A loop joint yields
by `COMPLIANCE` times what it bears, so loops that constrain a direction twice, as planar linkages in space
do, still have one answer.
"""

from typing import NamedTuple

import numpy as np

from continua.jit import inner
from continua.lie.blocks import Ad_inv_matrix, add_product, momentum_matrix
from continua.lie.se3 import Ad_inv, Ad_inv_T
from continua.lie.so3 import rotation_vector
from continua.linalg import assign
from continua.rod.arrays import Conditions, Workspace

__all__ = [
    'ConstraintArrays',
    'ConstraintState',
    'add_constraint_tangent',
    'add_reactions',
    'constraint_rows',
    'make_constraint_state',
]

COMPLIANCE = 1e-9  # m/N, rad/(N m)


class ConstraintArrays(NamedTuple):
    """L loops with k rows in all, followed by one row for each of P position drives."""

    station: np.ndarray  # (L, 2) stations a and b
    begin: np.ndarray  # (L + 1,) rows of loop l are begin[l] to begin[l + 1]
    perp: np.ndarray  # (k, 6) forbidden twists, in the frame of b
    columns: np.ndarray  # (L, 2) range of coordinates that move either station
    direction: np.ndarray  # (P, n) joint coordinates of the position drives, x = direction . q
    rate: np.ndarray  # (k + P,) 1/s, at which what is left of a row decays


class ConstraintState(NamedTuple):
    """Loops in one configuration: left by `add_reactions` for the others."""

    R: np.ndarray  # (L, 3, 3) a <- b
    p: np.ndarray  # (L, 3) m
    error: np.ndarray  # (L, 6) rad, m: rotation vector of R, then R^T p
    wrench: np.ndarray  # (L, 6) N m, N: on b, in its frame


def make_constraint_state(loops: int) -> ConstraintState:
    """Buffers for so many loops."""
    return ConstraintState(
        np.zeros((loops, 3, 3)), np.zeros((loops, 3)), np.zeros((loops, 6)), np.zeros((loops, 6))
    )


@inner
def add_reactions(c: ConstraintArrays, reaction: np.ndarray, w: Workspace, state: ConstraintState) -> None:
    """Take the loops' wrenches, of multipliers `reaction` (k + P,), from what the linkage has to bear."""
    for loop in range(c.station.shape[0]):
        a, b = c.station[loop, 0], c.station[loop, 1]
        R, p, wrench = state.R[loop], state.p[loop], state.wrench[loop]
        for i in range(3):
            for k in range(3):
                R[i, k] = (
                    w.R[a, 0, i] * w.R[b, 0, k] + w.R[a, 1, i] * w.R[b, 1, k] + w.R[a, 2, i] * w.R[b, 2, k]
                )
            p[i] = 0.0
            for k in range(3):
                p[i] += w.R[a, k, i] * (w.p[b, k] - w.p[a, k])
        wrench[:] = 0.0
        for row in range(c.begin[loop], c.begin[loop + 1]):
            for i in range(6):
                wrench[i] += c.perp[row, i] * reaction[row]
        for i in range(6):
            w.wrench[b, i] -= wrench[i]
        Ad_inv_T(R, p, wrench, w.wrench[a])


@inner
def constraint_rows(
    c: ConstraintArrays,
    q: np.ndarray,
    qd: np.ndarray,
    acting: Conditions,
    reaction: np.ndarray,
    w: Workspace,
    state: ConstraintState,
    r: np.ndarray,
) -> None:
    """r[n:] = A qd + rate e, and the position drives' efforts taken from r[:n]; after `add_reactions`."""
    n, rows = q.size, c.perp.shape[0]
    relative = w.vector[0]
    for loop in range(c.station.shape[0]):
        a, b, e = c.station[loop, 0], c.station[loop, 1], state.error[loop]
        R, p = state.R[loop], state.p[loop]
        rotation_vector(R, e)
        for i in range(3):
            e[i + 3] = R[0, i] * p[0] + R[1, i] * p[1] + R[2, i] * p[2]
        Ad_inv(R, p, w.eta[a], relative)
        for row in range(c.begin[loop], c.begin[loop + 1]):
            total = c.rate[row] * COMPLIANCE * reaction[row]
            for i in range(6):
                total += c.perp[row, i] * (w.eta[b, i] - relative[i] + c.rate[row] * e[i])
            r[n + row] = total
    for k in range(c.direction.shape[0]):
        row = rows + k
        r[n + row] = -acting.target_rate[k] - c.rate[row] * acting.target[k]
        for i in range(n):
            r[n + row] += c.direction[k, i] * (qd[i] + c.rate[row] * q[i])
            r[i] -= c.direction[k, i] * reaction[row]


@inner
def add_constraint_tangent(
    c: ConstraintArrays, a0: float, a1: float, w: Workspace, state: ConstraintState, out: np.ndarray
) -> None:
    """The constraints' part of the (n + k + P) square tangent `out`, between the passes out and back.

    a0 (not 0) and a1 weigh d/dq and d/dqd. Of the velocity row, d(A qd)/dq is left out: it is small where
    steps are, and vanishes at rest.
    """
    n, rows = w.d_pose.shape[2], c.perp.shape[0]
    relative, matrix = w.columns[0], w.matrix[0]
    for loop in range(c.station.shape[0]):
        a, b = c.station[loop, 0], c.station[loop, 1]
        Ad_inv_matrix(state.R[loop], state.p[loop], matrix)
        assign(w.d_pose[b], relative)
        add_product(matrix, w.d_pose[a], -1.0, c.columns[loop], relative)
        for row in range(c.begin[loop], c.begin[loop + 1]):
            out[n + row, n + row] = c.rate[row] * COMPLIANCE
            _fill_row(c, row, n, a0, a1, state.error[loop], relative, w.vector[0], out)
        # the reaction on a changes because b moves relative to it
        if np.any(state.wrench[loop]):
            change = w.columns[1]
            change[:] = 0.0
            momentum_matrix(state.wrench[loop], -1.0, w.matrix[1])
            add_product(w.matrix[1], relative, 1.0, c.columns[loop], change)
            add_product(matrix.T, change, 1.0, c.columns[loop], w.d_wrench[a])
    for k in range(c.direction.shape[0]):
        row = n + rows + k
        for i in range(n):
            out[row, i] = (a1 + a0 * c.rate[rows + k]) * c.direction[k, i]
            out[i, row] = -c.direction[k, i]


@inner
def _fill_row(
    c: ConstraintArrays,
    row: int,
    n: int,
    a0: float,
    a1: float,
    error: np.ndarray,
    relative: np.ndarray,
    weights: np.ndarray,
    out: np.ndarray,
) -> None:
    """Row n + row and its column of `out`, for relative motions (6, n) times a0; weights (6,) is scratch."""
    s = c.perp[row]
    _position_gradient(error, s, weights)
    for i in range(6):
        weights[i] = (a1 * s[i] + a0 * c.rate[row] * weights[i]) / a0
    for b in range(n):
        along, total = 0.0, 0.0
        for i in range(6):
            along += s[i] * relative[i, b]
            total += weights[i] * relative[i, b]
        out[n + row, b] = total
        out[b, n + row] = -along / a0


@inner
def _position_gradient(e: np.ndarray, s: np.ndarray, out: np.ndarray) -> None:
    """out (6,): derivative of s . e along the relative body twist; e (6,) rotation vector and R^T p.

    The rotation vector w moves with (I + hat(w)/2 + c hat(w)^2) times the angular part, the position in the
    frame of b with the linear part and x cross the angular one.
    """
    square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    half = 0.5 * np.sqrt(square)
    c = 1.0 / 12.0 + square / 720.0 if square < 1e-4 else (1.0 - half / np.tan(half)) / square
    sw = s[0] * e[0] + s[1] * e[1] + s[2] * e[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        # transposed: s - hat(w) s / 2 + c (w (w.s) - |w|^2 s)
        out[i] = s[i] - 0.5 * (e[j] * s[k] - e[k] * s[j]) + c * (e[i] * sw - square * s[i])
        out[i] += s[j + 3] * e[k + 3] - s[k + 3] * e[j + 3]
        out[i + 3] = s[i + 3]
