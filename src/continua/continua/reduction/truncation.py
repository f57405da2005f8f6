"""How many modes: by the error of the points that matter, not by energy (soft_synergies section III-C)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from continua.description import Robot
from continua.reduction.cases import Cases, Place, points_of
from continua.rod import Rod

__all__ = ['Truncation', 'knee', 'truncation']


@dataclass(frozen=True)
class Truncation:
    """Errors of c reduced models in k cases (or at k times), at p points.

    counts: (c,) modes, ascending. error: (c, k, p) m, distance to the point of the full model; infinite where
    only the full one has a solution. actuators: inputs of the robot, n_a. length: m, of the backbone.
    seconds: (c,) s, wall times of the solutions; full_seconds: s, of the full model.
    """

    counts: np.ndarray
    error: np.ndarray
    actuators: int
    length: float
    seconds: np.ndarray
    full_seconds: float

    @property
    def mean(self) -> np.ndarray:
        """(c,) m, mean error over cases and points."""
        return self.error.mean(axis=(1, 2))

    @property
    def speed_up(self) -> np.ndarray:
        """(c,) wall time of the full model in that of the reduced one."""
        return self.full_seconds / self.seconds

    @property
    def knee(self) -> int:
        """Modes beyond which more gain little: the knee of the logarithm of the mean error.

        Errors below 1e-4 of the length count as that: nobody sees them. Raises ValueError where no reduced
        model has a solution in all cases.
        """
        usable = np.isfinite(self.mean)
        if not usable.any():
            raise ValueError(
                f'none of the models with {", ".join(map(str, self.counts))} modes has a solution in all '
                'cases; allow more modes, or compare in easier cases'
            )
        error = np.maximum(self.mean[usable], 1e-4 * self.length)
        return knee(self.counts[usable], np.log10(error))

    @property
    def recommended(self) -> int:
        """The knee, or the fewest modes that the inputs ask for (`message`), if those are more."""
        enough = self.counts[(self.counts >= self.actuators) & np.isfinite(self.mean)]
        return max(self.knee, int(enough[0])) if enough.size else self.knee

    @property
    def message(self) -> str:
        """One sentence on the recommended number of modes."""
        n = self.recommended
        error = 1e3 * self.mean[np.flatnonzero(self.counts == n)[0]]
        said = f'{n} modes recommended, mean error {error:.2g} mm'
        if self.actuators == 0:
            return f'{said}; the knee is there'
        bound = f'the {self.actuators} inputs need at least {self.actuators} modes'
        if n < self.actuators:
            return f'{said}; but {bound}, and none of the counts with a solution has as many'
        return f'{said}; the knee is at {self.knee}, and {bound}'

    def fewest(self, limit: float) -> int | None:
        """Fewest modes from which on no mean error is above a limit, m; None where there are none."""
        above = np.flatnonzero(~(self.mean <= limit))
        first = above[-1] + 1 if above.size else 0
        return int(self.counts[first]) if first < self.counts.size else None


def truncation(
    robot: Robot,
    modes: np.ndarray,
    cases: Cases,
    places: Sequence[Place],
    counts: Sequence[int] | None = None,
    points: Mapping[str, tuple[np.ndarray, np.ndarray]] | None = None,
) -> Truncation:
    """Errors of models with the first n of the modes (dof, r) for each n of counts, all of them by default.

    places: points to compare, such as `[(None, length)]` for the tip. points: quadrature rules of the reduced
    models, as for `Rod`. Raises ValueError where the counts are not among the modes, or the full model has no
    solution.
    """
    counts = np.arange(1, modes.shape[1] + 1) if counts is None else np.unique(counts)
    if counts.size == 0 or counts[0] < 1 or counts[-1] > modes.shape[1]:
        raise ValueError(f'counts: expected numbers of modes from 1 to {modes.shape[1]}, got {counts}')
    robot = cases.robot(robot)
    full = Rod(robot)
    truth, full_seconds = _solve(full, cases, list(places))
    solved = np.isfinite(truth).all(axis=(1, 2))
    if not solved.any():
        raise ValueError(f'robot {robot.name}: its full model has a solution in none of the cases')
    error, seconds = [], []
    for n in counts:
        found, wall = _solve(Rod(robot, points=points, modes=modes[:, :n]), cases, list(places))
        distance = np.linalg.norm(found - truth, axis=2)[solved]
        error.append(np.where(np.isfinite(distance), distance, np.inf))
        seconds.append(wall)
    return Truncation(
        counts, np.array(error), len(full.input_names), full.length, np.array(seconds), full_seconds
    )


def knee(x: np.ndarray, y: np.ndarray) -> int:
    """Where the falling curve y(x), its least so far, is furthest below the line between its ends.

    This is Kneedle (Satopaa et al. 2011) without smoothing. The first x where nothing falls.
    """
    y = np.minimum.accumulate(y)
    if y[0] == y[-1]:
        return int(x[0])
    below = (y[0] - y) / (y[0] - y[-1]) - (x - x[0]) / (x[-1] - x[0])
    return int(x[np.argmax(below)])


def _solve(rod: Rod, cases: Cases, places: list[Place]) -> tuple[np.ndarray, float]:
    """Positions (k, p, 3) m of the places in all cases, and the wall time of the solutions, s."""
    start = time.perf_counter()
    q = cases.solve(rod)
    seconds = time.perf_counter() - start
    return points_of(rod, q, places), seconds
