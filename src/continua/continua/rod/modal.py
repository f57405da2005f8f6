"""Natural vibrations about an equilibrium.

K phi = w^2 M phi with the tangent stiffness K (n, n), its symmetric part, and the mass matrix M; the damping
ratio of a mode is phi^T D phi / (2 w) for phi^T M phi = 1. It is exact where D is a multiple of K, which
holds for one material without tensions and gravity, and else of first order in the damping.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from continua.rod.rod import Rod

__all__ = ['Mode', 'vibration_modes']

STRAINS = ('torsion', 'bending_y', 'bending_z', 'elongation', 'shear_y', 'shear_z')


@dataclass(frozen=True)
class Mode:
    """One mode: frequency in Hz, undamped, and 0 where the equilibrium is unstable; damping_ratio (1 and more
    does not oscillate; infinite where unstable); shape (n,), normalised to unit modal mass.

    share: what part of the mode's elastic energy each of the strains has, by name, the largest first.
    """

    frequency: float
    damping_ratio: float
    shape: np.ndarray
    share: dict[str, float]

    @property
    def name(self) -> str:
        """The strain that dominates."""
        return next(iter(self.share))


def vibration_modes(rod: Rod, q: np.ndarray, u: np.ndarray | None = None, gravity: bool = True) -> list[Mode]:
    """All modes about the equilibrium q (n,) under inputs u (K,), ascending in frequency."""
    stiffness, damping, mass = rod.residual_derivatives(q, u=u, gravity=gravity)
    square, shapes = eigh(0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T))
    omega = np.sqrt(np.maximum(square, 0.0))
    modes = []
    for w, shape in zip(omega, shapes.T, strict=True):
        ratio = shape @ damping @ shape / (2.0 * w) if w > 0.0 else np.inf
        modes.append(Mode(float(w / (2.0 * np.pi)), float(ratio), shape, _share(rod, shape)))
    return modes


def _share(rod: Rod, shape: np.ndarray) -> dict[str, float]:
    energy = shape * (rod.stiffness @ shape)
    share = {
        name: float(energy[rod.strain_index == strain].sum() / energy.sum())
        for strain, name in enumerate(STRAINS)
    }
    return dict(sorted(share.items(), key=lambda item: -item[1]))
