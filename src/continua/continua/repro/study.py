"""A robot, its modes, and what reduced models of it are tested on: reduced and full side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from continua.description import Robot
from continua.reduction import Decomposition, Truncation, cubature, truncation
from continua.reduction.cases import Cases, Place
from continua.reduction.cubature import Rules

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
        """Errors and times of reduced models of each number of modes; the shortest times of several runs."""
        modes = self.found.modes
        runs = [
            truncation(self.robot, modes, self.tested, self.places, counts, rules) for _ in range(repeats)
        ]
        return replace(
            runs[0],
            seconds=np.min([run.seconds for run in runs], axis=0),
            full_seconds=min(run.full_seconds for run in runs),
        )

    def rules(self, count: int, limit: float) -> Rules | None:
        """Quadrature of the reduced model of `count` modes that costs at most `limit` m of error; None where
        the full one is the smallest."""
        first = self.found.first(count)
        chosen = cubature(self.robot, first.modes, first.coefficients.T, self.rehearsed, self.places, limit)
        return None if chosen is None else chosen.rules
