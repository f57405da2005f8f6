"""Natural vibrations about an equilibrium.

K phi = w^2 M phi with the tangent stiffness K (n, n), its symmetric part, and the mass matrix M, among the
motions that the loops allow; the damping ratio of a mode is phi^T D phi / (2 w) for phi^T M phi = 1. It is
exact where D is a multiple of K, which holds for one material without tensions and gravity, and else of first
order in the damping.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh

from continua.rod.arrays import coordinates
from continua.rod.local_model import directions, local_model
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
# Squares of frequencies closer than this, relative, are one.
_SAME = 1e-8


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
    q, rest = coordinates(q, rod.dof), np.zeros(rod.dof)
    local, free = local_model(rod, q, rest, rest, rod.conditions(**acting)), directions(rod, q)
    stiffness, damping, mass = (each[: rod.dof] for each in (local.stiffness, local.damping, local.mass))
    stiffness, mass = 0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T)
    square, shapes = eigh(free.T @ stiffness @ free, free.T @ mass @ free)
    modes = []
    shapes = _told_apart(rod, square, free @ shapes, stiffness)
    for w, shape in zip(np.sqrt(np.maximum(square, 0.0)), shapes.T, strict=True):
        ratio = float(shape @ damping @ shape / (2.0 * w)) if w > 0.0 else np.inf
        # A motion that nothing resists has no elastic energy; its kinetic one says what moves.
        weight = stiffness if w**2 > 1e-12 * np.abs(square).max() else mass
        modes.append(Mode(float(w / (2.0 * np.pi)), ratio, shape, _share(rod, shape * (weight @ shape))))
    return modes


def _told_apart(rod: Rod, square: np.ndarray, shapes: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Modes (n, m), those of one frequency told apart by strain; any mixture of them is a mode too.

    A round arm bends with one frequency about y and about z; rounding errors would choose the directions.
    """
    rank = np.array([list(STRAINS).index(strain) for strain in rod.strain_index], dtype=float)
    by_strain = 0.5 * (rank[:, None] + rank) * stiffness
    shapes, begin = shapes.copy(), 0
    for end in range(1, square.size + 1):
        if end < square.size and square[end] - square[begin] <= _SAME * abs(square[end]):
            continue
        if end - begin > 1:
            equal = shapes[:, begin:end]
            shapes[:, begin:end] = equal @ eigh(equal.T @ by_strain @ equal)[1]
        begin = end
    return shapes


def _share(rod: Rod, energy: np.ndarray) -> dict[str, float]:
    """Energies (n,) of the coordinates, summed by strain, as shares of the whole."""
    share = {
        name: float(energy[rod.strain_index == strain].sum() / energy.sum())
        for strain, name in STRAINS.items()
        if np.any(rod.strain_index == strain)
    }
    return dict(sorted(share.items(), key=lambda item: -item[1]))
