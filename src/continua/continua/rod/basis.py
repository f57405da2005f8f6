"""Strain bases: the columns of Phi at given points of a link (soft_synergies eqs 6, 13)."""

from collections.abc import Sequence

import numpy as np
from numpy.polynomial.legendre import legval

__all__ = ['legendre_basis']


def legendre_basis(order: Sequence[int | None], x: np.ndarray) -> np.ndarray:
    """Legendre polynomials scaled to [0, 1], one block of columns for each strain.

    order: highest degree of torsion, bending about y, bending about z, elongation, shear along y, shear along
    z; None leaves that strain at its reference.
    x: (m,) relative arc length X / L. Returns (m, 6, n) with n = sum(order + 1); units of the strain per
    coordinate, so coordinates are rad/m for curvatures and dimensionless for stretches.
    """
    x = np.asarray(x, dtype=float)
    columns = []
    for row, degree in enumerate(order):
        for k in range(0 if degree is None else degree + 1):
            column = np.zeros((x.size, 6))
            column[:, row] = legval(2.0 * x - 1.0, [0.0] * k + [1.0])
            columns.append(column)
    return np.stack(columns, axis=2)
