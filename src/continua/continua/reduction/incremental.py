"""Proper orthogonal decomposition of snapshots that come block by block: streams, bags, data beyond memory.

With R Q = U Sigma V^T of what came so far, a block B is taken in by the decomposition of [U Sigma, R B] (the
sequential Karhunen-Loeve transform of Levy and Lindenbaum 2000; Brand 2006). V is not kept.
"""

import numpy as np

from continua.reduction.decomposition import Decomposition, decomposition_in
from continua.reduction.metrics import Metric, metric_factor
from continua.rod import Rod

__all__ = ['IncrementalDecomposition']


class IncrementalDecomposition:
    """The decomposition of all snapshots that `update` was given; equal to `decompose` where none is cut off.

    count: modes that are kept from block to block, all by default. Of the snapshots, only those with the
    least and the largest coefficient of each mode are kept, for the bounds.
    """

    def __init__(self, rod: Rod, metric: Metric = 'sections', count: int | None = None):
        """Raises ValueError for the metric 'range', which has to know all snapshots, and as `decompose`."""
        if metric == 'range':
            raise ValueError("metric: 'range' needs all snapshots at once; use decompose, or another metric")
        self._factor = metric_factor(rod, metric, np.zeros((1, rod.dof)))
        self._count = rod.dof if count is None else count
        if not 1 <= self._count <= rod.dof:
            raise ValueError(f'count: expected 1 to {rod.dof} modes, got {count}')
        self._scaled = np.zeros((rod.dof, 0))  # U Sigma
        self._extreme = np.zeros((0, rod.dof))
        self._squares = 0.0
        self.snapshots = 0

    def update(self, q: np.ndarray) -> None:
        """Take in a block of snapshots (b, n). Raises ValueError for another shape or numbers not finite."""
        q = np.asarray(q, dtype=float)
        if q.ndim != 2 or q.shape[1] != len(self._factor) or not np.all(np.isfinite(q)):
            raise ValueError(f'q: expected finite snapshots (b, {len(self._factor)}), got shape {q.shape}')
        block = self._factor @ q.T
        U, sigma, _ = np.linalg.svd(np.concatenate([self._scaled, block], axis=1), full_matrices=False)
        self._scaled = (U * sigma)[:, : self._count]
        seen = np.concatenate([self._extreme, q])
        coefficients = U[:, : self._count].T @ self._factor @ seen.T
        if len(seen):
            ends = np.concatenate([coefficients.argmin(axis=1), coefficients.argmax(axis=1)])
            self._extreme = seen[np.unique(ends)]
        self._squares += float(np.sum(block**2))
        self.snapshots += len(q)

    def result(self) -> Decomposition:
        """The decomposition so far; its coefficients are of the snapshots that were kept for the bounds.

        Raises ValueError where there was no snapshot.
        """
        if self.snapshots == 0:
            raise ValueError('no snapshot to decompose; call update first')
        U, sigma, _ = np.linalg.svd(self._scaled, full_matrices=True)
        sigma = np.pad(sigma, (0, len(U) - sigma.size))[: self._count]
        return decomposition_in(self._factor, U[:, : self._count], self._extreme, sigma, self._squares)
