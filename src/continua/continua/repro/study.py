"""A robot, its modes, and what reduced models of it are tested on: reduced and full side by side."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from continua.description import Robot
from continua.reduction import Decomposition, Excitation, Truncation, cubature, truncation
from continua.reduction.cases import Cases, Place
from continua.reduction.cubature import Rules
from continua.rod import Rod

__all__ = ['Study']


@dataclass(frozen=True)
class Study:
    """A scenario of the paper.

    found: modes of the snapshots. tested: cases that the reduced models have not seen. places: points that
    are compared. rehearsed: cases like those of the snapshots, on which quadrature rules are chosen. length:
    m, of which errors are shares.
    """

    robot: Robot
    found: Decomposition
    tested: Cases
    places: list[Place]
    rehearsed: Cases
    length: float

    def truncation(self, counts: Sequence[int], rules: Rules | None = None, repeats: int = 1) -> Truncation:
        """Errors of reduced models of each number of modes. Wall times are the shortest of several runs, in
        which equilibria are searched from the reference shape, as the paper does."""
        modes, robot = self.found.modes, self.tested.robot(self.robot)
        found = truncation(self.robot, modes, self.tested, self.places, counts, rules)
        seconds = [self._seconds(Rod(robot, points=rules, modes=modes[:, :n]), repeats) for n in counts]
        return replace(found, seconds=np.array(seconds), full_seconds=self._seconds(Rod(robot), repeats))

    def rules(self, count: int, limit: float) -> Rules | None:
        """Quadrature of the reduced model of `count` modes that costs at most `limit` m of error; None where
        the full one is the smallest."""
        first = self.found.first(count)
        chosen = cubature(self.robot, first.modes, first.coefficients.T, self.rehearsed, self.places, limit)
        return None if chosen is None else chosen.rules

    def _seconds(self, rod: Rod, repeats: int) -> float:
        best = np.inf
        for _ in range(repeats):
            start = time.perf_counter()
            if isinstance(self.tested, Excitation):
                self.tested.motion(rod)
            else:
                for u in self.tested.inputs:
                    rod.statics(u, gravity=self.tested.gravity)
            best = min(best, time.perf_counter() - start)
        return best
