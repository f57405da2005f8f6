"""Nonlinear joint springs: one force law for each joint coordinate that has one.

A law is linear between its knots and goes on straight beyond its ends: tabulated springs, stops, and the
pull towards a rest position that is not zero.
"""

from typing import NamedTuple

import numpy as np

from continua.jit import inner, njit

__all__ = ['SpringArrays', 'add_spring_forces', 'add_spring_tangent', 'spring_energy']


class SpringArrays(NamedTuple):
    """P laws of the same number m of knots."""

    direction: np.ndarray  # (P, n) the joint coordinate it acts on, x = direction . q
    knots: np.ndarray  # (P, m) rad or m, increasing
    force: np.ndarray  # (P, m) N m or N, that it takes to hold the coordinate there


@inner
def add_spring_forces(s: SpringArrays, q: np.ndarray, out: np.ndarray) -> None:
    """Add the force that it takes to hold the springs at q (n,) to out (n,)."""
    for k in range(s.direction.shape[0]):
        force = _law(s, k, _stretch(s, k, q))[0]
        for c in range(q.size):
            out[c] += force * s.direction[k, c]


@inner
def add_spring_tangent(s: SpringArrays, q: np.ndarray, scale: float, out: np.ndarray) -> None:
    """Add scale times the stiffness of the laws at q (n,) to out (n, n)."""
    for k in range(s.direction.shape[0]):
        slope, d = scale * _law(s, k, _stretch(s, k, q))[1], s.direction[k]
        for c in range(q.size):
            if d[c] != 0.0:
                for b in range(q.size):
                    out[c, b] += slope * d[c] * d[b]


def spring_energy(s: SpringArrays, q: np.ndarray) -> float:
    """Energy (J) stored at q (n,), from zero coordinates on."""
    total = 0.0
    for k, end in enumerate(s.direction @ q):
        knots = s.knots[k]
        x = np.sort(np.concatenate([[0.0, end], knots[(knots > min(0.0, end)) & (knots < max(0.0, end))]]))
        force = np.array([_law(s, k, each)[0] for each in x])
        total += np.copysign(1.0, end) * np.trapezoid(force, x)
    return float(total)


@inner
def _stretch(s: SpringArrays, k: int, q: np.ndarray) -> float:
    """The joint coordinate that law k acts on, at q (n,)."""
    total = 0.0
    for c in range(q.size):
        total += s.direction[k, c] * q[c]
    return total


@njit
def _law(s: SpringArrays, k: int, x: float) -> tuple[float, float]:
    """Force of law k at x, and its slope."""
    knots, force, i = s.knots[k], s.force[k], 0
    while i < knots.size - 2 and x > knots[i + 1]:
        i += 1
    slope = (force[i + 1] - force[i]) / (knots[i + 1] - knots[i])
    return force[i] + slope * (x - knots[i]), slope
