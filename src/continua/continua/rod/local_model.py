"""The equation of motion to first order about a point of its motion, with what Newton's matrix leaves out.

`Rod.residual_derivatives` knows neither the reactions of loops, whose direction turns with the robot, nor how
the velocities at which loops open change with the shape. Reactions are those that the motion asks for; the
velocities are differences of order 4.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space

from continua.rod.arrays import Conditions
from continua.rod.residual import residual, residual_tangent
from continua.rod.rod import Rod

__all__ = ['LocalModel', 'directions', 'local_model']

# Steps of the differences, in units of deformation.
_STEP = 1e-3


@dataclass(frozen=True)
class LocalModel:
    """Derivatives of the residual r (n + k,) of `rod.residual`, n coordinates and k constraints, and the
    reactions (k,) at which they hold.

    stiffness, damping, mass: (n + k, n) in q, qd and qdd. reaction_matrix: (n + k, k) in the reactions, its
    upper part -A^T.
    """

    stiffness: np.ndarray
    damping: np.ndarray
    mass: np.ndarray
    reaction_matrix: np.ndarray
    reaction: np.ndarray


def local_model(rod: Rod, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, acting: Conditions) -> LocalModel:
    """At q, qd and qdd, each (n,), which solve the equation of motion under `acting` with some reactions."""
    model, n, k = rod._held, rod.dof, rod.n_constraints
    r, out = np.zeros(n + k), np.zeros((3, n + k, n + k))
    reaction, zero = np.zeros(k), np.zeros(n)
    if k:
        residual(model, q, qd, qdd, reaction, acting, r)
        reaction = np.linalg.lstsq(rod.constraint_matrix(q).T, r[:n], rcond=None)[0]
    residual(model, q, qd, qdd, reaction, acting, r)
    for each, weights in zip(out, ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 0.0, 1.0)), strict=True):
        residual_tangent(model, *weights, acting, each)
    stiffness = out[0, :, :n].copy()

    def closures(x: np.ndarray) -> np.ndarray:
        residual(model, x, qd, zero, reaction, acting, r)
        return r[n:].copy()

    if rod.robot.loops and np.any(qd):
        stiffness[n:] = _differences(closures, q, rod.scale)
    return LocalModel(
        stiffness,
        out[1, :, :n] - out[0, :, :n],
        out[2, :, :n] - out[0, :, :n],
        out[0, :, n:].copy(),
        reaction,
    )


def directions(rod: Rod, q: np.ndarray) -> np.ndarray:
    """Motions (n, r) that the constraints allow at q (n,): orthonormal in units of deformation; the identity
    where there are none."""
    if rod.n_constraints == 0:
        return np.eye(rod.dof)
    return null_space(rod.constraint_matrix(q) * rod.scale) * rod.scale[:, None]


def _differences(
    function: Callable[[np.ndarray], np.ndarray], q: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """Derivative (., n) of a function of q (n,)."""
    columns = []
    for step in _STEP * np.diag(scale):
        once = function(q + step) - function(q - step)
        twice = function(q + 2.0 * step) - function(q - 2.0 * step)
        columns.append((8.0 * once - twice) / (12.0 * step.sum()))
    return np.array(columns).T
