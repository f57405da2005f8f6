"""Sizes of a rod's coordinates and the time scale of its motion: what errors and steps are measured with."""

import numpy as np
from scipy.linalg import LinAlgError, eigh

from continua.rod.arrays import RodArrays

__all__ = ['longest_period', 'unit_deformation']


def unit_deformation(rod: RodArrays, length: float) -> np.ndarray:
    """(n,) the amount of each coordinate that turns or stretches its link by about 1, or moves it."""
    out, size, mean_square = np.ones(rod.phi.shape[2]), *np.zeros((2, rod.phi.shape[2]))
    heavy = np.flatnonzero(rod.weight)
    for j in heavy:
        size += rod.weight[j] * np.any(rod.phi[j] != 0.0, axis=0)
    units = np.stack([size] * 3 + [np.ones_like(size)] * 3)
    for j in heavy:
        mean_square += rod.weight[j] * np.sum((rod.phi[j] * units) ** 2, axis=0)
    soft = mean_square > 0.0
    out[soft] = np.sqrt(size[soft] / mean_square[soft])
    joints = np.flatnonzero(~soft)
    out[joints] = np.where(np.any(rod.phi_1[:, :3, joints], axis=(0, 1)), 1.0, length)
    return out


def longest_period(stiffness: np.ndarray, mass: np.ndarray, scale: np.ndarray, length: float) -> float:
    """Period (s) of the slowest vibration under stiffness and mass matrices (n, n); that of a pendulum of
    this length (m) where no spring resists. Raises ValueError where a coordinate moves no mass."""
    S = np.outer(scale, scale)
    try:
        rates = eigh(S * stiffness, S * mass, eigvals_only=True)
    except LinAlgError:
        raise ValueError(
            'some coordinate moves no mass; '
            'give every body that a joint turns a moment of inertia about that axis'
        ) from None
    elastic = rates[rates > 1e-9 * max(rates[-1], 1e-300)]
    slowest = elastic[0] if elastic.size else 9.81 / length
    return 2.0 * np.pi / float(np.sqrt(slowest))
