"""Static cases beside the runs of `Excitation`: what models are compared on."""

from dataclasses import dataclass

import numpy as np

from continua.description import Robot
from continua.reduction.excitation import Excitation
from continua.reduction.static_snapshots import equilibria
from continua.rod import Rod

__all__ = ['Cases', 'Equilibria', 'Place', 'points_of']

Place = tuple[str | None, float]
"""A link, None for the backbone, and an arc length on it in m."""


@dataclass(frozen=True)
class Equilibria:
    """Static cases: inputs (k, m), with or without gravity."""

    inputs: np.ndarray
    gravity: bool = True

    def robot(self, robot: Robot) -> Robot:
        """The robot itself."""
        return robot

    def solve(self, rod: Rod) -> np.ndarray:
        """Coordinates (k, n) of any model of the robot; NaN where there is no equilibrium."""
        q, solved = equilibria(rod, np.asarray(self.inputs, dtype=float), self.gravity)
        return np.where(solved[:, None], q, np.nan)


Cases = Equilibria | Excitation


def points_of(rod: Rod, q: np.ndarray, places: list[Place]) -> np.ndarray:
    """Positions (k, p, 3) m in world of p places in shapes q (k, n); NaN where q is."""
    samplers = [rod.sampler(np.array([X]), link) for link, X in places]
    out = np.full((len(q), len(places), 3), np.nan)
    for k in np.flatnonzero(np.isfinite(q).all(axis=1)):
        out[k] = [sampler.poses(q[k])[1][0] for sampler in samplers]
    return out
