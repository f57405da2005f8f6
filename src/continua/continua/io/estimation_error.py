"""How far an estimated shape of a run is from the true one and from the measured markers."""

from dataclasses import dataclass

import numpy as np

from continua.description import Marker
from continua.io.run import Run
from continua.io.shape_series import ShapeSeries, resample

__all__ = ['START_UP', 'ErrorSeries', 'marker_error', 'measured_error', 'tip_error']

START_UP = 1.0  # [s] after the first estimate that do not count: an estimator starts from a guess
_LONGEST_GAP = 0.1  # [s] nothing is interpolated over a longer one


@dataclass(frozen=True)
class ErrorSeries:
    """Distances between estimated and reference points. stamp: (N,) s. distance: (N,) m."""

    stamp: np.ndarray
    distance: np.ndarray

    def after_start_up(self) -> np.ndarray:
        """The distances that count."""
        if len(self.stamp) == 0:
            return self.distance
        return self.distance[self.stamp >= self.stamp[0] + START_UP]


def tip_error(run: Run, estimate: ShapeSeries) -> ErrorSeries | None:
    """Estimated against true tip at the estimate's stamps; None without the truth."""
    if run.truth is None:
        return None
    return _distance(estimate.stamp, estimate.tip, run.truth.stamp, run.truth.tip)


def marker_error(run: Run, estimate: ShapeSeries, marker: Marker) -> ErrorSeries | None:
    """Where the estimate puts a marker, against where it truly is, at the estimate's stamps."""
    if run.truth is None:
        return None
    return _distance(estimate.stamp, _point(estimate, marker), run.truth.stamp, _point(run.truth, marker))


def measured_error(run: Run, estimate: ShapeSeries, marker: Marker) -> ErrorSeries | None:
    """Measured position of a marker against where the estimate puts it, at the measurements' stamps."""
    measured = run.markers.get(marker.name)
    if measured is None:
        return None
    return _distance(measured.stamp, measured.position, estimate.stamp, _point(estimate, marker))


def _point(shape: ShapeSeries, marker: Marker) -> np.ndarray:
    return shape.point(marker.arc_length, marker.offset)


def _distance(
    stamp: np.ndarray, points: np.ndarray, reference_stamp: np.ndarray, reference: np.ndarray
) -> ErrorSeries:
    reference, known = resample(reference_stamp, reference, stamp, _LONGEST_GAP)
    return ErrorSeries(stamp[known], np.linalg.norm(points[known] - reference[known], axis=1))
