"""Parameters of a robot from recorded experiments: static weights, tension sweeps, releases."""

from continua.identification.excitation import Excitation, excitation
from continua.identification.fit import Identified, Swarm, identify
from continua.identification.from_bags import Bags, Outcome, identify_from_bags, usual_parameters
from continua.identification.observations import Motion, Poses
from continua.identification.parameters import Parameter, ParameterSet, parameter
from continua.identification.prediction import Misreading, Predictor, Unsolved

__all__ = [
    'Bags',
    'Excitation',
    'Identified',
    'Misreading',
    'Motion',
    'Outcome',
    'Parameter',
    'ParameterSet',
    'Poses',
    'Predictor',
    'Swarm',
    'Unsolved',
    'excitation',
    'identify',
    'identify_from_bags',
    'parameter',
    'usual_parameters',
]
