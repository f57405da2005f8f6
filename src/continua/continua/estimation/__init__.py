"""State and shape estimators, each a `step(belief, measurement, dt) -> belief`."""

from continua.estimation.shape_least_squares import ShapeEstimate, ShapeLeastSquares

__all__ = ['ShapeEstimate', 'ShapeLeastSquares']
