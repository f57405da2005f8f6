"""Which point of a motion capture is which marker of the robot.

A marker set has names. Points without names go to the nearest expected place, all at once, so that the sum of
squared distances is least. The place is where the marker was last; after a gap it may be as far from there as
it can have moved. Where two markers that were lost could both be one point, none gets it: an estimator copes
with a marker that is missing, not with two that are swapped.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

__all__ = ['MarkerTracker', 'by_name']

_CLEAR = 2.0  # times as far must another lost marker's place be from a point that is taken after a gap
_FAR = 1e6  # m^2, costs of what is out of reach


def by_name(names: Sequence[str], given: Sequence[str], positions: np.ndarray) -> np.ndarray:
    """Positions (n, 3) of `names` among those (m, 3) that are called `given`; NaN for the others."""
    found = np.full((len(names), 3), np.nan)
    if len(given) != len(positions):  # the set was changed, and its new names have not come yet
        return found
    rows = dict(zip(given, positions, strict=True))
    for i, name in enumerate(names):
        found[i] = rows.get(name, np.nan)
    return found


class MarkerTracker:
    """Follows markers that have no names from one frame to the next.

    ambiguous: how often a point was left without a name because it could be two markers.
    """

    def __init__(self, places: np.ndarray, start_reach: float, speed: float, jitter: float) -> None:
        """places (n, 3) m: where the markers are at first, each within `start_reach` m.

        speed: m/s, the largest of a marker. jitter: m, by which a point may be off in addition.
        """
        self.ambiguous = 0
        self._places = np.array(places, dtype=float)
        self._start_reach, self._speed, self._jitter = start_reach, speed, jitter
        self._largest_reach = start_reach + np.ptp(self._places, axis=0).max()
        self._seen_at = np.full(len(places), -np.inf)
        self._now = -np.inf

    def name(self, points: np.ndarray, time: float) -> np.ndarray:
        """Positions (n, 3) of the markers among the points (k, 3) of the exposure at `time` s; NaN where
        a marker is not among them."""
        n, last = len(self._places), self._now
        found = np.full((n, 3), np.nan)
        self._now = time
        if len(points) == 0:
            return found
        reach, is_lost = self._reach(time), self._seen_at < last
        distance = np.linalg.norm(self._places[:, None] - points[None], axis=2)
        is_near = distance <= reach[:, None]
        rows, columns = linear_sum_assignment(np.where(is_near, distance**2, _FAR))
        for i, j in zip(rows, columns, strict=True):
            if not is_near[i, j]:
                continue
            if is_lost[i] and self._is_contested(i, distance[:, j], is_near[:, j], is_lost):
                self.ambiguous += 1
                continue
            found[i] = points[j]
        is_found = np.isfinite(found[:, 0])
        self._places[is_found], self._seen_at[is_found] = found[is_found], time
        return found

    def _reach(self, time: float) -> np.ndarray:
        """How far (n,) each marker may be from its place; never farther than the robot is large."""
        gap = np.maximum(time - self._seen_at, 0.0)
        grown = np.minimum(self._jitter + self._speed * gap, self._largest_reach)
        return np.where(np.isfinite(gap), grown, self._start_reach)

    @staticmethod
    def _is_contested(i: int, distance: np.ndarray, is_near: np.ndarray, is_lost: np.ndarray) -> bool:
        """Whether a point at those distances (n,) could as well be another marker that was lost."""
        others = is_near & is_lost
        others[i] = False
        return bool((distance[others] < _CLEAR * distance[i]).any())
