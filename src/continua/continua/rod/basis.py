"""Strain bases: the columns of Phi at points of a division (soft_synergies eqs 6, 13).

Whatever the family, a basis is a `Basis`: it gives its columns at any relative arc lengths x in [0, 1] of its
division, in blocks for torsion, bending about y and z, elongation, shear along y and z. Columns have the unit
of the strain per coordinate, so coordinates are rad/m for curvatures and dimensionless for stretches.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import chebyshev, legendre, polynomial

from continua.description import ElementBasis, PolynomialBasis

__all__ = ['Basis', 'given_basis', 'strain_basis']

_POLYNOMIALS = {'legendre': legendre.legval, 'monomial': polynomial.polyval, 'chebyshev': chebyshev.chebval}
# Gauss points for a basis of which nothing is known, per interval between its kinks.
_GIVEN_DEGREE = 8


@dataclass(frozen=True)
class Basis:
    """A strain basis of n columns on one division.

    columns: (m,) relative arc lengths -> (m, 6, n). strain: (n,) which strain [kx ky kz lx ly lz] a column
    belongs to, -1 where it couples several. degree: of the polynomials between the kinks. kinks: relative arc
    lengths in (0, 1) at which columns are not smooth.
    """

    columns: Callable[[np.ndarray], np.ndarray]
    strain: np.ndarray
    degree: int
    kinks: tuple[float, ...] = ()

    @property
    def dof(self) -> int:
        """Number of columns n."""
        return self.strain.size

    @property
    def size(self) -> int:
        """Most columns of one strain: so many points it takes to tell them apart."""
        return int(np.bincount(np.maximum(self.strain, 0)).max())


def strain_basis(description: PolynomialBasis | ElementBasis) -> Basis:
    """The basis that a robot file describes."""
    strain = np.repeat(np.arange(6), description.sizes)
    if isinstance(description, PolynomialBasis):
        value = _POLYNOMIALS[description.type]
        # monomials are powers of x, the others live on [-1, 1]
        scale, shift = (1.0, 0.0) if description.type == 'monomial' else (2.0, -1.0)
        functions = [
            _polynomial(value, degree, scale, shift) for size in description.sizes for degree in range(size)
        ]
        return Basis(_in_blocks(strain, functions), strain, max(description.sizes) - 1)
    counts = [count or 0 for count in description.elements.in_strain_order()]
    make, degree = _ELEMENTS[description.type]
    functions = [function for count in counts if count for function in make(count)]
    kinks = sorted({i / count for count in counts for i in range(1, count)})
    return Basis(_in_blocks(strain, functions), strain, degree, tuple(kinks))


def given_basis(columns: Callable[[np.ndarray], np.ndarray], begin: float, end: float) -> Basis:
    """A basis of the user's: columns(X (m,) in m) -> (m, 6, n), on a division from `begin` to `end`.

    Raises ValueError where it gives another shape or something that is not finite.
    """
    X = np.linspace(begin, end, 5)
    found = np.asarray(columns(X), dtype=float)
    if found.ndim != 3 or found.shape[:2] != (5, 6) or found.shape[2] == 0 or not np.all(np.isfinite(found)):
        raise ValueError(
            f'bases: expected finite columns of shape (5, 6, n) at 5 arc lengths, got shape {found.shape}; '
            'a basis maps arc lengths (m,) to (m, 6, n), strains in the order kx ky kz lx ly lz'
        )
    used = np.any(found != 0.0, axis=0)
    strain = np.where(used.sum(axis=0) == 1, used.argmax(axis=0), -1)
    return Basis(lambda x: np.asarray(columns(begin + (end - begin) * x), dtype=float), strain, _GIVEN_DEGREE)


def _in_blocks(strain: np.ndarray, functions: list[Callable]) -> Callable[[np.ndarray], np.ndarray]:
    """Columns (m, 6, n), the k-th function in row strain[k] of the k-th column."""

    def columns(x: np.ndarray) -> np.ndarray:
        x = np.asarray(x, dtype=float)
        phi = np.zeros((x.size, 6, strain.size))
        for k, function in enumerate(functions):
            phi[:, strain[k], k] = function(x)
        return phi

    return columns


def _polynomial(value: Callable, degree: int, scale: float, shift: float) -> Callable:
    coefficients = [0.0] * degree + [1.0]
    return lambda x: value(scale * x + shift, coefficients)


def _constants(count: int) -> list[Callable]:
    """1 in one element each; the last includes the end."""

    def constant(i: int) -> Callable:
        return lambda x: (np.minimum(np.floor(x * count + 1e-12), count - 1) == i).astype(float)

    return [constant(i) for i in range(count)]


def _hats(count: int) -> list[Callable]:
    """1 at one node each, linear to 0 at its neighbours."""
    return [lambda x, i=i: np.maximum(0.0, 1.0 - np.abs(x * count - i)) for i in range(count + 1)]


def _hermites(count: int) -> list[Callable]:
    """Cubics with value 1 and with slope 1 per element at one node each."""

    def value(i: int) -> Callable:
        def function(x: np.ndarray) -> np.ndarray:
            t = np.minimum(np.abs(x * count - i), 1.0)
            return (1.0 + 2.0 * t) * (1.0 - t) ** 2

        return function

    def slope(i: int) -> Callable:
        def function(x: np.ndarray) -> np.ndarray:
            t = np.clip(x * count - i, -1.0, 1.0)
            return t * (1.0 - np.abs(t)) ** 2

        return function

    return [make(i) for i in range(count + 1) for make in (value, slope)]


_ELEMENTS = {
    'piecewise_constant': (_constants, 0),
    'piecewise_linear': (_hats, 1),
    'cubic_hermite': (_hermites, 3),
}
