"""What a mode looks like: its strains along the backbone, and the family of shapes that it makes."""

from dataclasses import dataclass

import numpy as np

from continua.reduction.decomposition import Decomposition
from continua.rod import Rod

__all__ = ['ModeShape', 'mode_shapes']


@dataclass(frozen=True)
class ModeShape:
    """A mode along the backbone: arc_length (m,) m; strain (m, 6) rad/m and - per unit of its coordinate;
    family (k, m, 3) m, positions from its least to its largest coefficient; share: of all energy."""

    arc_length: np.ndarray
    strain: np.ndarray
    family: np.ndarray
    share: float


def mode_shapes(rod: Rod, found: Decomposition, count: int, members: int = 7) -> list[ModeShape]:
    """The first `count` modes of the full model `rod` (soft_synergies figs 3 to 6)."""
    X = np.linspace(0.0, rod.length, 101)
    reference = rod.shape(np.zeros(rod.dof), X).strain
    shares = np.diff(found.relative_energy[:count], prepend=0.0)
    out = []
    for mode, (low, high), share in zip(found.modes.T[:count], found.bounds[:count], shares, strict=True):
        family = [rod.shape(z * mode, X).position for z in np.linspace(low, high, members)]
        out.append(ModeShape(X, rod.shape(mode, X).strain - reference, np.array(family), float(share)))
    return out
