"""How far the estimated shape of a run is from the true one and from the measured markers."""

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


def tip_error(run: Run) -> ErrorSeries | None:
    """Estimated against true tip at the estimates' stamps; None without both."""
    if run.estimate is None or run.truth is None:
        return None
    return _distance(run.estimate.stamp, run.estimate.tip, run.truth.stamp, run.truth.tip)


def marker_error(run: Run, marker: Marker) -> ErrorSeries | None:
    """Where the estimate puts a marker, against where it truly is, at the estimates' stamps."""
    if run.estimate is None or run.truth is None:
        return None
    estimated, true = _point(run.estimate, marker), _point(run.truth, marker)
    return _distance(run.estimate.stamp, estimated, run.truth.stamp, true)


def measured_error(run: Run, marker: Marker) -> ErrorSeries | None:
    """Measured position of a marker against where the estimate puts it, at the measurements' stamps."""
    measured = run.markers.get(marker.name)
    if run.estimate is None or measured is None:
        return None
    estimated = _point(run.estimate, marker)
    return _distance(measured.stamp, measured.position, run.estimate.stamp, estimated)


def _point(shape: ShapeSeries, marker: Marker) -> np.ndarray:
    return shape.point(marker.arc_length, marker.offset)


def _distance(
    stamp: np.ndarray, points: np.ndarray, reference_stamp: np.ndarray, reference: np.ndarray
) -> ErrorSeries:
    reference, known = resample(reference_stamp, reference, stamp, _LONGEST_GAP)
    return ErrorSeries(stamp[known], np.linalg.norm(points[known] - reference[known], axis=1))
