"""What docs/rod_validation.md says about convergence."""

import numpy as np

from continua.bench.convergence import by_basis, by_points, by_step, draw


def order(curve):
    """Power of x with which the error falls from the first to the last but one."""
    return -np.log(curve.error[-2] / curve.error[0]) / np.log(curve.x[-2] / curve.x[0])


def test_error_falls_exponentially_with_the_basis_functions(tmp_path):
    curves = by_basis()
    for curve in curves:
        # a hundredfold at least by every four functions more, until theory and quadrature set the end
        above = [e for e in curve.error if e > 1e-6]
        assert np.all(np.array(above[4:]) < 0.01 * np.array(above[:-4])), curve
        assert curve.error[-1] < 2e-6
    draw(curves, 'basis functions', tmp_path / 'figure.svg')
    assert (tmp_path / 'figure.svg').stat().st_size > 1000


def test_error_falls_with_the_fourth_power_of_the_quadrature_points():
    for curve in by_points():
        assert order(curve) > 3.8, curve


def test_mean_error_falls_with_the_second_power_of_the_time_step_at_least():
    _, mean = by_step()
    assert -order(mean) > 1.9, mean
