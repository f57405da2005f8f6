"""Parameters of a robot from recorded experiments: static weights, tension sweeps, releases."""

from continua.identification.excitation import Excitation, excitation
from continua.identification.fit import Identified, Swarm, identify
from continua.identification.observations import Motion, Poses
from continua.identification.parameters import Parameter, ParameterSet, parameter
from continua.identification.prediction import Predictor, Unsolved

__all__ = [
    'Excitation',
    'Identified',
    'Motion',
    'Parameter',
    'ParameterSet',
    'Poses',
    'Predictor',
    'Swarm',
    'Unsolved',
    'excitation',
    'identify',
    'parameter',
]
