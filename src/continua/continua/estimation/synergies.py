"""The shapes that a robot takes, in a few coordinates: where estimators look for the shape of the moment.

Unknowns z are coefficients of modes of many shapes, in units of their standard deviation over those, so that
|z|^2 is the Gaussian prior that the shapes suggest; their range bounds z (soft_synergies eq 33).
"""

import math
from dataclasses import dataclass

import numpy as np

from continua.reduction import ReducedModel, decompose, equilibria, random_inputs
from continua.rod import Rod

__all__ = ['Synergies']


@dataclass(frozen=True)
class Synergies:
    """q = mean + basis z within low <= z <= high; mean (n,), basis (n, r), low and high (r,)."""

    mean: np.ndarray
    basis: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of_statics(
        cls, rod: Rod, modes: int = 6, samples: int = 300, disturbance: float = 1e-4, seed: int = 0
    ) -> 'Synergies':
        """Modes of a rod's shapes at rest under so many random tensions, in each of which a tendon pulls with
        probability one half.

        disturbance: J, elastic energy that unknown loads may put into each mode beside the tendons. Raises
        ValueError where a setting is not positive or no tensions have a static equilibrium.
        """
        for name, value in {'modes': modes, 'samples': samples, 'disturbance': disturbance}.items():
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f'{name}: expected a positive number, got {value}')
        shapes = _static_shapes(rod, samples, seed)
        mean = shapes.mean(axis=0)
        found = decompose(rod, shapes - mean, 'energy', min(modes, rod.dof))
        deviation = np.sqrt(found.singular_values**2 / len(shapes) + disturbance)
        low, high = (1.5 * bound / deviation for bound in found.bounds.T)
        return cls(mean, found.modes * deviation, low - 3.0, high + 3.0)

    @classmethod
    def of_reduced(cls, reduced: ReducedModel) -> 'Synergies':
        """The coordinates of `ReducedModel.rod` within the bounds of its snapshots, over which they are taken
        for evenly spread."""
        low, high = reduced.bounds.T
        deviation = np.maximum(high - low, np.finfo(float).tiny) / math.sqrt(12.0)
        end = np.full(deviation.size, math.sqrt(3.0))
        return cls(0.5 * (low + high), np.diag(deviation), -end, end)


def _static_shapes(rod: Rod, count: int, seed: int) -> np.ndarray:
    """Equilibria (s, n) with s <= count."""
    low, high = np.zeros((2, len(rod.input_names)))
    limits = [tendon.limits.tension for tendon in rod.robot.tendons]
    low[: rod.n_tendons], high[: rod.n_tendons] = np.reshape(limits, (-1, 2)).T
    q, solved = equilibria(rod, random_inputs(low, high, count, np.random.default_rng(seed), 0.5))
    if not solved.any():
        raise ValueError(
            f'robot {rod.robot.name}: none of {count} random tensions has a static equilibrium; '
            'check tension limits, material and gravity in the robot file'
        )
    return q[solved]
