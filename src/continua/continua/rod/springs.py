"""Nonlinear joint springs: one force law for each coordinate that has one.

A law is linear between its knots and goes on straight beyond its ends: tabulated springs, stops, and the
pull towards a rest position that is not zero.
"""

from typing import NamedTuple

import numpy as np

from continua.jit import njit

__all__ = ['SpringArrays', 'add_spring_forces', 'add_spring_tangent', 'spring_energy']


class SpringArrays(NamedTuple):
    """P laws of the same number m of knots."""

    coordinate: np.ndarray  # (P,) the coordinate that it acts on
    knots: np.ndarray  # (P, m) rad or m, increasing
    force: np.ndarray  # (P, m) N m or N, that it takes to hold the coordinate there


@njit
def add_spring_forces(s: SpringArrays, q: np.ndarray, out: np.ndarray) -> None:
    """Add the force that it takes to hold the springs at q (n,) to out (n,)."""
    for k in range(s.coordinate.size):
        out[s.coordinate[k]] += _law(s, k, q[s.coordinate[k]])[0]


@njit
def add_spring_tangent(s: SpringArrays, q: np.ndarray, scale: float, out: np.ndarray) -> None:
    """Add scale times the slope of the laws to the diagonal of out (n, n)."""
    for k in range(s.coordinate.size):
        c = s.coordinate[k]
        out[c, c] += scale * _law(s, k, q[c])[1]


def spring_energy(s: SpringArrays, q: np.ndarray) -> float:
    """Energy (J) stored at q (n,), from zero coordinates on."""
    total = 0.0
    for k, c in enumerate(s.coordinate):
        knots = s.knots[k]
        x = np.sort(np.concatenate([[0.0, q[c]], knots[(knots > min(0.0, q[c])) & (knots < max(0.0, q[c]))]]))
        force = np.array([_law(s, k, each)[0] for each in x])
        total += np.copysign(1.0, q[c]) * np.trapezoid(force, x)
    return float(total)


@njit
def _law(s: SpringArrays, k: int, x: float) -> tuple[float, float]:
    """Force of law k at x, and its slope."""
    knots, force, i = s.knots[k], s.force[k], 0
    while i < knots.size - 2 and x > knots[i + 1]:
        i += 1
    slope = (force[i + 1] - force[i]) / (knots[i + 1] - knots[i])
    return force[i] + slope * (x - knots[i]), slope
