"""Measurement models: what sensors on the robot should read for given coordinates."""

from continua.sensing.markers import MarkerModel

__all__ = ['MarkerModel']
