"""Reduced-order models: snapshots of a robot's deformations, their proper orthogonal modes, and what to keep.

soft_synergies sections III to V.
"""

from continua.reduction.decomposition import Decomposition, decompose
from continua.reduction.dynamic_snapshots import dynamic_snapshots
from continua.reduction.excitation import Excitation
from continua.reduction.inputs import hold_signal, hypercube, push_signal, random_inputs, step_signal
from continua.reduction.pool import Pool
from continua.reduction.progress import progress_bar
from continua.reduction.snapshots import Snapshots
from continua.reduction.static_snapshots import equilibria, static_snapshots

__all__ = [
    'Decomposition',
    'Excitation',
    'Pool',
    'Snapshots',
    'decompose',
    'dynamic_snapshots',
    'equilibria',
    'hold_signal',
    'hypercube',
    'progress_bar',
    'push_signal',
    'random_inputs',
    'static_snapshots',
    'step_signal',
]
