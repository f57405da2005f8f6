"""Estimator nodes: shape least squares, observers, filters."""
