"""Reduced bases: snapshots of a robot's deformations and their proper orthogonal modes."""

from continua.reduction.modes import Modes, energy_modes
from continua.reduction.snapshots import static_snapshots

__all__ = ['Modes', 'energy_modes', 'static_snapshots']
