"""Reduced-order models: snapshots of a robot's deformations, their proper orthogonal modes, and what to keep.

soft_synergies sections III to V.
"""

from continua.reduction.cases import Equilibria
from continua.reduction.cubature import Cubature, cubature
from continua.reduction.decomposition import Decomposition, decompose
from continua.reduction.dynamic_snapshots import dynamic_snapshots
from continua.reduction.excitation import Excitation
from continua.reduction.incremental import IncrementalDecomposition
from continua.reduction.inputs import hold_signal, hypercube, push_signal, random_inputs, step_signal
from continua.reduction.modal_derivatives import modal_derivatives, with_derivatives
from continua.reduction.mode_shapes import ModeShape, mode_shapes
from continua.reduction.pool import Pool
from continua.reduction.progress import progress_bar
from continua.reduction.reduced_model import ReducedModel, reduced_file
from continua.reduction.snapshots import Snapshots
from continua.reduction.static_snapshots import equilibria, static_snapshots
from continua.reduction.truncation import Truncation, truncation

__all__ = [
    'Cubature',
    'Decomposition',
    'Equilibria',
    'Excitation',
    'IncrementalDecomposition',
    'ModeShape',
    'Pool',
    'ReducedModel',
    'Snapshots',
    'Truncation',
    'cubature',
    'decompose',
    'dynamic_snapshots',
    'equilibria',
    'hold_signal',
    'hypercube',
    'modal_derivatives',
    'mode_shapes',
    'progress_bar',
    'push_signal',
    'random_inputs',
    'reduced_file',
    'static_snapshots',
    'step_signal',
    'truncation',
    'with_derivatives',
]
