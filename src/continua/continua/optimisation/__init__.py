"""Searches for minima of costs that know nothing of robots."""

from continua.optimisation.swarm import SwarmResult, minimise

__all__ = ['SwarmResult', 'minimise']
