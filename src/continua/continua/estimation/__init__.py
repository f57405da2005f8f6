"""State and shape estimators, each a `step(belief, measurement, ..., dt)` that gives the next belief."""

from continua.estimation.sdre import SdreBelief, SdreInfo, SdreObserver
from continua.estimation.shape_least_squares import ShapeEstimate, ShapeLeastSquares

__all__ = ['SdreBelief', 'SdreInfo', 'SdreObserver', 'ShapeEstimate', 'ShapeLeastSquares']
