"""The robot that stands in for hardware: rod, drives, sensors and faults in one object."""

from continua.simulation.arm import Measurement, SensorSettings, SimulatedArm
from continua.simulation.chambers import Valve

__all__ = ['Measurement', 'SensorSettings', 'SimulatedArm', 'Valve']
