"""The bounded solver against SciPy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares, lsq_linear

from continua.estimation.levenberg_marquardt import solve


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6))
def test_linear_problems_with_bounds(seed, n):
    random = np.random.default_rng(seed)
    A, b = random.normal(size=(2 * n + 1, n)), 3 * random.normal(size=2 * n + 1)
    low, high = -random.uniform(0.1, 1, n), random.uniform(0.1, 1, n)
    found = solve(
        lambda x: (A @ x - b, A), np.zeros(n), low, high, np.ones(n), tolerance=1e-10, max_iterations=100
    )
    expected = lsq_linear(A, b, (low, high), method='bvls')
    assert found.converged
    assert np.all((low <= found.x) & (found.x <= high))
    assert found.cost <= expected.cost * (1 + 1e-9) + 1e-12


def test_a_curved_valley_with_and_without_its_minimum_inside():
    def rosenbrock(x):
        return np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]]), np.array([[-20 * x[0], 10], [-1, 0]])

    for high in (2.0, 0.5):
        bounds = (np.full(2, -2.0), np.full(2, high))
        found = solve(
            rosenbrock, np.array([-1.2, 0.4]), *bounds, np.ones(2), tolerance=1e-10, max_iterations=200
        )
        expected = least_squares(
            lambda x: rosenbrock(x)[0], [-1.2, 0.4], lambda x: rosenbrock(x)[1], bounds=bounds, xtol=1e-12
        )
        assert found.converged
        assert np.allclose(found.x, expected.x, atol=1e-5)


def test_the_end_on_the_bounds_and_where_nothing_has_an_effect():
    def away(x):
        return x + 2.0, np.eye(2)

    found = solve(away, np.ones(2), -np.ones(2), np.ones(2), np.ones(2))
    assert found.converged and np.array_equal(found.x, [-1.0, -1.0])
    assert 'no free variable' in found.message
    # a residual that does not depend on x has no slope to divide by
    still = solve(lambda x: (np.ones(3), np.zeros((3, 2))), np.zeros(2), -np.ones(2), np.ones(2), np.ones(2))
    assert still.converged and np.array_equal(still.x, np.zeros(2))


def test_no_step_is_taken_to_where_the_residual_is_not_finite():
    def wall(x):
        value = np.log(x) if x[0] > 0 else np.full(1, np.nan)
        return value, np.array([[1.0 / x[0]]])

    found = solve(wall, np.full(1, 3.0), np.full(1, -10.0), np.full(1, 10.0), np.ones(1), tolerance=1e-9)
    assert found.converged
    assert abs(found.x[0] - 1.0) < 1e-8


def test_what_does_not_converge_says_so():
    found = solve(
        lambda x: (np.exp(-x), -np.exp(-x)[:, None]), np.zeros(1), -np.ones(1), np.full(1, 1e9), np.ones(1)
    )
    assert not found.converged
    assert 'no convergence' in found.message
