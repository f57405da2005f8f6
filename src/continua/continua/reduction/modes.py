"""Proper orthogonal modes of snapshots, in the inner product of elastic energy.

The plain decomposition (soft_synergies eqs 12 to 19) weighs a curvature of 1 rad/m like a stretch of 1. Here
snapshots are scaled by the Cholesky factor of the stiffness matrix first, so singular values are square roots
of elastic energy (J) and modes do not depend on units.
"""

from dataclasses import dataclass

import numpy as np

__all__ = ['Modes', 'energy_modes']


@dataclass(frozen=True)
class Modes:
    """Orthogonal modes of deformation about a mean.

    mean: (n,) coordinates. basis: (n, r), columns of unit elastic energy norm, q^T K q = 1. amplitude: (r,)
    sqrt(J), root mean square of each mode over the snapshots, descending. low, high: (r,) sqrt(J), range of
    each mode's coefficient over the snapshots.
    """

    mean: np.ndarray
    basis: np.ndarray
    amplitude: np.ndarray
    low: np.ndarray
    high: np.ndarray


def energy_modes(snapshots: np.ndarray, stiffness: np.ndarray, count: int) -> Modes:
    """The first `count` modes (at most n) of snapshots (s, n) under the stiffness matrix (n, n)."""
    mean = snapshots.mean(axis=0)
    factor = np.linalg.cholesky(stiffness)
    # full matrices: with fewer snapshots than modes the basis is completed by unexcited directions
    left, singular, right = np.linalg.svd(((snapshots - mean) @ factor).T, full_matrices=True)
    count = min(count, mean.size)
    amplitude, coefficient = np.zeros(mean.size), np.zeros((mean.size, len(snapshots)))
    amplitude[: singular.size] = singular / np.sqrt(len(snapshots))
    coefficient[: singular.size] = singular[:, None] * right[: singular.size]
    return Modes(
        mean=mean,
        basis=np.linalg.solve(factor.T, left[:, :count]),
        amplitude=amplitude[:count],
        low=coefficient[:count].min(axis=1),
        high=coefficient[:count].max(axis=1),
    )
