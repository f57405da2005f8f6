"""State and shape estimators, each a `step(belief, measurement, ..., dt)` that gives the next belief."""

from continua.estimation.poses import pose_difference
from continua.estimation.sdre import SdreBelief, SdreInfo, SdreObserver
from continua.estimation.shape_least_squares import ShapeEstimate, ShapeLeastSquares
from continua.estimation.ukf import Ukf, UkfBelief, UkfInfo

__all__ = [
    'SdreBelief',
    'SdreInfo',
    'SdreObserver',
    'ShapeEstimate',
    'ShapeLeastSquares',
    'Ukf',
    'UkfBelief',
    'UkfInfo',
    'pose_difference',
]
