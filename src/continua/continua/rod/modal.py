"""Natural vibrations about an equilibrium.

K phi = w^2 M phi with the tangent stiffness K (n, n), its symmetric part, and the mass matrix M, among the
motions that the loops allow; the damping ratio of a mode is phi^T D phi / (2 w) for phi^T M phi = 1. It is
exact where D is a multiple of K, which holds for one material without tensions and gravity, and else of first
order in the damping.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh, null_space

from continua.rod.rod import Rod

__all__ = ['Mode', 'vibration_modes']

STRAINS = {
    0: 'torsion',
    1: 'bending_y',
    2: 'bending_z',
    3: 'elongation',
    4: 'shear_y',
    5: 'shear_z',
    -1: 'joints',
}


@dataclass(frozen=True)
class Mode:
    """One mode: frequency in Hz, undamped, and 0 where the equilibrium is unstable; damping_ratio (1 and more
    does not oscillate; infinite where unstable); shape (n,), normalised to unit modal mass.

    share: what part of the mode's energy each of the strains has, and the joints, by name, the largest first.
    """

    frequency: float
    damping_ratio: float
    shape: np.ndarray
    share: dict[str, float]

    @property
    def name(self) -> str:
        """The strain that dominates."""
        return next(iter(self.share))


def vibration_modes(rod: Rod, q: np.ndarray, **acting: Any) -> list[Mode]:
    """All modes about the equilibrium q (n,) under `Rod.conditions`, ascending in frequency."""
    stiffness, damping, mass = rod.residual_derivatives(q, **acting)
    free = np.eye(rod.dof)
    if rod.n_constraints:
        stiffness = stiffness - _reaction_stiffness(rod, q, **acting)
        free = null_space(rod.constraint_matrix(q) * rod.scale) * rod.scale[:, None]
    stiffness, mass = 0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T)
    square, shapes = eigh(free.T @ stiffness @ free, free.T @ mass @ free)
    modes = []
    for w, shape in zip(np.sqrt(np.maximum(square, 0.0)), (free @ shapes).T, strict=True):
        ratio = float(shape @ damping @ shape / (2.0 * w)) if w > 0.0 else np.inf
        # A motion that nothing resists has no elastic energy; its kinetic one says what moves.
        weight = stiffness if w**2 > 1e-12 * np.abs(square).max() else mass
        modes.append(Mode(float(w / (2.0 * np.pi)), ratio, shape, _share(rod, shape * (weight @ shape))))
    return modes


def _reaction_stiffness(rod: Rod, q: np.ndarray, **acting: Any) -> np.ndarray:
    """d(A^T reaction)/dq (n, n) with the reactions that hold the equilibrium, by central differences."""
    reaction = np.linalg.lstsq(rod.constraint_matrix(q).T, rod.residual(q, **acting), rcond=None)[0]
    columns = []
    for step in 1e-5 * np.diag(rod.scale):
        change = rod.constraint_matrix(q + step) - rod.constraint_matrix(q - step)
        columns.append(change.T @ reaction / (2.0 * step.sum()))
    return np.array(columns).T


def _share(rod: Rod, energy: np.ndarray) -> dict[str, float]:
    """Energies (n,) of the coordinates, summed by strain, as shares of the whole."""
    share = {
        name: float(energy[rod.strain_index == strain].sum() / energy.sum())
        for strain, name in STRAINS.items()
        if np.any(rod.strain_index == strain)
    }
    return dict(sorted(share.items(), key=lambda item: -item[1]))
