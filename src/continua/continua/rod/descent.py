"""Descent of the potential energy to an equilibrium, through constraints, saddles and joints without springs.

At a point where the constraints hold, the residual along the motions that they leave is the gradient of the
potential energy, and the symmetric part of its tangent the curvature. In the eigenvectors of the latter the
quadratic model of the energy falls apart into one of each direction, and its least value in a box has a
closed form: Newton's step where the curvature is positive and the step in reach, downhill by the reach
elsewhere. So this is a trust-region method that leaves saddles (Conn, Gould and Toint, Trust-Region Methods,
section 7.8). The energy itself is not needed: the fall on a step is the work of the residuals at its ends,
and forces that have no energy, as following loads, take part like any other.

A point from which no force leads away is taken for what it is: the descent does not choose a side to which an
unstable equilibrium falls.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space

from continua.jit import Held
from continua.rod.arrays import Conditions
from continua.rod.constraints import COMPLIANCE
from continua.rod.residual import residual, residual_tangent

__all__ = ['ROUNDING', 'descend', 'free_motions']

_MAX_ITERATIONS = 200
_MAX_CLOSING = 30
_SMALLEST_REACH = 1e-8
# Forces and curvatures below this share of the largest at a point are rounding errors.
ROUNDING = 1e-13
# Steps below this, in units of deformation, are taken unasked: their work is a rounding error of the energy.
_SMALL = 1e-6
# Corrections of an open loop, in units of deformation, that do not count.
_CLOSED = 1e-11
# Constraints whose share in what the others leave is smaller say nothing new.
_REPEATED = 1e-9


@dataclass(frozen=True)
class Point:
    """A shape in which the constraints hold, in units of deformation, J.

    y: (n,) coordinates. reaction: (k,) multipliers that balance most of the forces. force: (n,) residual that
    they leave. tangent: (n, n) of the residual. free: (n, f) orthonormal motions that constraints leave.
    """

    y: np.ndarray
    reaction: np.ndarray
    force: np.ndarray
    tangent: np.ndarray
    free: np.ndarray


def free_motions(rows: np.ndarray) -> np.ndarray:
    """Orthonormal motions (n, f) that constraints with these rows (k, n) leave."""
    return null_space(rows, rcond=_REPEATED) if rows.size else np.eye(rows.shape[1])


def descend(
    model: Held, guess: np.ndarray, acting: Conditions, scale: np.ndarray, tolerance: float
) -> tuple[np.ndarray | None, int]:
    """The equilibrium (n + k,) down the energy from a guess (n + k,), coordinates and reactions; iterations.

    None instead of it where there is none. scale: (n,) one unit of deformation. The last step is below
    tolerance * scale.
    """
    n = scale.size
    point, reach = _closed(model, guess[:n] / scale, guess[n:], acting, scale), 1.0
    iteration, size = 0, np.inf
    while point is not None and reach > _SMALLEST_REACH and iteration < _MAX_ITERATIONS:
        iteration += 1
        step, fall = _step(point, reach)
        size = np.abs(step).max(initial=0.0)
        trial = _closed(model, point.y + step, point.reaction, acting, scale)
        work = -np.inf
        if trial is not None:
            work = -0.5 * (point.force + trial.force) @ (trial.y - point.y)
            if work > 0.1 * fall or size < _SMALL:
                point = trial
                if size < tolerance:
                    return np.concatenate([scale * point.y, point.reaction]), iteration
        if work < 0.25 * fall:
            reach = 0.25 * min(reach, size)
        elif work > 0.75 * fall:
            reach = min(2.0 * reach, 1.0)
    return None, iteration


def _step(point: Point, reach: float) -> tuple[np.ndarray, float]:
    """Step (n,) to the least value of the quadratic model in a box along its eigenvectors; the fall to it."""
    tangent = point.free.T @ point.tangent @ point.free
    curvature, axes = np.linalg.eigh(0.5 * (tangent + tangent.T))
    axes = point.free @ axes
    force = axes.T @ point.force
    nothing = ROUNDING * max(np.abs(point.force).max(), np.abs(point.tangent).max())
    idle = (np.abs(force) <= nothing) & (curvature <= nothing)
    axes, force, curvature = axes[:, ~idle], force[~idle], curvature[~idle]
    if np.all(curvature > 0.0):
        # the model has a lowest point; Newton's step to it sees the part that is not symmetric too
        step = -np.linalg.solve(axes.T @ point.tangent @ axes, force)
    if np.any(curvature <= 0.0) or np.abs(step).max(initial=0.0) > reach:
        near = np.abs(force) < reach * curvature
        step = np.where(near, -force / np.where(near, curvature, 1.0), -reach * np.sign(force))
    return axes @ step, float(-step @ force - 0.5 * step**2 @ curvature)


def _closed(
    model: Held, y: np.ndarray, reaction: np.ndarray, acting: Conditions, scale: np.ndarray
) -> Point | None:
    """The point next to y (n,) in which the constraints hold, by Gauss-Newton; None where none is found."""
    n, zero, rate = scale.size, np.zeros_like(scale), model.value.constraints.rate
    loops = model.value.constraints.perp.shape[0]
    r, A = np.zeros(n + rate.size), np.zeros((n + rate.size, n + rate.size))
    for _ in range(_MAX_CLOSING):
        residual(model, scale * y, zero, zero, reaction, acting, r)
        residual_tangent(model, 1.0, 0.0, 0.0, acting, A)
        if not (np.all(np.isfinite(r)) and np.all(np.isfinite(A))):
            return None
        gap = r[n:] / rate
        # loop joints are rigid here
        gap[:loops] -= COMPLIANCE * reaction[:loops]
        move = np.linalg.lstsq(A[n:, :n] * scale / rate[:, None], gap, rcond=_REPEATED)[0]
        if np.abs(move).max(initial=0.0) < _CLOSED:
            break
        y = y - move / max(1.0, np.abs(move).max())
    if np.abs(gap).max(initial=0.0) > _SMALL:
        return None
    force, rows = scale * r[:n], -A[:n, n:].T * scale
    change = np.linalg.lstsq(rows.T, force, rcond=_REPEATED)[0]
    tangent = scale[:, None] * A[:n, :n] * scale
    return Point(y, reaction + change, force - rows.T @ change, tangent, free_motions(rows))
