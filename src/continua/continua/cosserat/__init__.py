"""The collocation model of adaptive_nempc_ddpinn, section III: a Cosserat rod in state space."""

from continua.cosserat.rod import CollocationRod, Shape

__all__ = ['CollocationRod', 'Shape']
