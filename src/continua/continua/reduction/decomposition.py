"""Proper orthogonal decomposition of snapshots of coordinates (soft_synergies section III).

With Q (n, s) the snapshots and R^T R = G the metric,  R Q = U Sigma V^T  and the modes are W = R^-1 U: a
snapshot is q = W z with z a column of Sigma V^T, W^T G W = I, and z = W^T G q (eq 35). Nothing is subtracted
from the snapshots, so the reference shape is z = 0.
"""

from dataclasses import dataclass

import numpy as np

from continua.reduction.metrics import Metric, metric_factor
from continua.rod import Rod

__all__ = ['Decomposition', 'decompose', 'decomposition_in']

# Of the randomised decomposition: columns beyond those that are asked for, and power iterations.
_OVERSAMPLING = 10
_POWER = 2


@dataclass(frozen=True)
class Decomposition:
    """r modes of s snapshots, by descending singular value.

    modes: (n, r), of unit size in the metric; projection: (r, n), z = projection q. singular_values: (r,).
    coefficients: (r, s), z of the snapshots. relative_energy: (r,), share of the squares of all singular
    values that the first 1, 2, ... modes hold (eq 23).
    """

    modes: np.ndarray
    projection: np.ndarray
    singular_values: np.ndarray
    coefficients: np.ndarray
    relative_energy: np.ndarray

    @property
    def bounds(self) -> np.ndarray:
        """(r, 2): least and largest z of the snapshots, the range of Sigma V^T (section VI-A)."""
        return np.stack([self.coefficients.min(axis=1), self.coefficients.max(axis=1)], axis=1)

    def first(self, count: int) -> 'Decomposition':
        """Its first modes."""
        return Decomposition(
            self.modes[:, :count],
            self.projection[:count],
            self.singular_values[:count],
            self.coefficients[:count],
            self.relative_energy[:count],
        )


def decompose(
    rod: Rod,
    q: np.ndarray,
    metric: Metric = 'sections',
    count: int | None = None,
    randomized: bool = False,
    seed: int = 0,
) -> Decomposition:
    """Modes of snapshots q (s, n) of the full model `rod`; `count` of them, or all n.

    Modes beyond the rank of the snapshots complete the basis and have no coefficients. randomized: by random
    projections (Halko, Martinsson and Tropp 2011), for many snapshots of many coordinates; `seed` decides
    them. Raises ValueError where q does not fit the rod, and as `metric_factor`.
    """
    q = np.asarray(q, dtype=float)
    if q.ndim != 2 or q.shape[1] != rod.dof or len(q) == 0 or not np.all(np.isfinite(q)):
        raise ValueError(f'q: expected finite snapshots (s, {rod.dof}), got shape {q.shape}')
    count = rod.dof if count is None else count
    if not 1 <= count <= rod.dof:
        raise ValueError(f'count: expected 1 to {rod.dof} modes, got {count}')
    factor = metric_factor(rod, metric, q)
    # columns of zeros complete the basis where there are fewer snapshots than coordinates
    weighted = np.pad(factor @ q.T, ((0, 0), (0, max(0, rod.dof - len(q)))))
    if randomized:
        U, sigma = _randomized(weighted, count, np.random.default_rng(seed))
    else:
        U, sigma, _ = np.linalg.svd(weighted, full_matrices=False)
    return decomposition_in(factor, U[:, :count], q, sigma[:count], float(np.sum(weighted**2)))


def decomposition_in(
    factor: np.ndarray, U: np.ndarray, q: np.ndarray, sigma: np.ndarray, squares: float
) -> Decomposition:
    """The decomposition with left singular vectors U (n, r) and singular values sigma (r,) in the metric of a
    factor R (n, n); q (s, n): snapshots for the coefficients; squares: of all singular values, summed."""
    # of the two signs of a mode, the one whose largest entry is positive
    U = U * np.sign(np.take_along_axis(U, np.abs(U).argmax(axis=0)[None], axis=0))
    return Decomposition(
        modes=np.linalg.solve(factor, U),
        projection=U.T @ factor,
        singular_values=sigma,
        coefficients=U.T @ factor @ q.T,
        relative_energy=np.cumsum(sigma**2) / max(squares, np.finfo(float).tiny),
    )


def _randomized(A: np.ndarray, count: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Left singular vectors (n, r) and singular values (r,) of A (n, s), almost, with r >= count."""
    columns = min(count + _OVERSAMPLING, len(A))
    Q = np.linalg.qr(A @ random.standard_normal((A.shape[1], columns)))[0]
    for _ in range(_POWER):
        Q = np.linalg.qr(A @ np.linalg.qr(A.T @ Q)[0])[0]
    U, sigma, _ = np.linalg.svd(Q.T @ A, full_matrices=False)
    return Q @ U, sigma
