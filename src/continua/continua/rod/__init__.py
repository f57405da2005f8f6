"""Geometric variable-strain rods: kinematics, dynamics and statics of strain-parameterised linkages."""

from continua.rod.integrator import Integrator
from continua.rod.rod import Rod
from continua.rod.sampler import Sampler, Shape
from continua.rod.statics import StaticsResult

__all__ = ['Integrator', 'Rod', 'Sampler', 'Shape', 'StaticsResult']
