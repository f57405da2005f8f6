"""State and shape estimators: `step(belief, measurement, ...) -> belief`; they take models as objects or callables."""

from continua.estimation.shape_least_squares import ShapeEstimate, ShapeLeastSquares

__all__ = ['ShapeEstimate', 'ShapeLeastSquares']
