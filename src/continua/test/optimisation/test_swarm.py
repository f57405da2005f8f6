import numpy as np
import pytest

from continua.optimisation import minimise


def rastrigin(points):
    """Over 10^n local minima in the box; the least is 0, at 0."""
    return np.sum(points**2 - 10.0 * np.cos(2.0 * np.pi * points) + 10.0, axis=1)


def box(n, size=5.12):
    return np.full(n, -size), np.full(n, size)


@pytest.mark.parametrize('seed', range(5))
def test_least_of_many_minima_is_found(seed):
    low, high = box(3)
    found = minimise(rastrigin, low, high, np.random.default_rng(seed), particles=60, iterations=300)
    np.testing.assert_allclose(found.x, 0.0, atol=0.02)


def test_a_curved_valley_is_followed():
    def rosenbrock(p):
        return 100.0 * (p[:, 1] - p[:, 0] ** 2) ** 2 + (1.0 - p[:, 0]) ** 2

    found = minimise(rosenbrock, *box(2), np.random.default_rng(0), iterations=400, tolerance=1e-6)
    np.testing.assert_allclose(found.x, 1.0, atol=1e-2)


def test_minimum_on_a_bound_is_found():
    found = minimise(lambda p: p.sum(axis=1), [1.0, -2.0], [3.0, 5.0], np.random.default_rng(0))
    np.testing.assert_allclose(found.x, [1.0, -2.0], atol=1e-2)


def test_points_stay_in_the_box_and_the_best_cost_never_rises():
    low, high = np.array([-1.0, 10.0]), np.array([0.5, 11.0])
    seen = []

    def cost(points):
        seen.append(points.copy())
        return rastrigin(points)

    found = minimise(cost, low, high, np.random.default_rng(1), iterations=40)
    everything = np.concatenate(seen)
    assert np.all((everything >= low) & (everything <= high))
    assert len(everything) == found.evaluations
    assert np.all(np.diff(found.best) <= 0.0)
    assert found.cost == found.best[-1] == rastrigin(everything).min()


def test_one_seed_gives_one_result():
    runs = [minimise(rastrigin, *box(2), np.random.default_rng(7), iterations=20) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].particles, runs[1].particles)


def test_what_cannot_be_evaluated_is_avoided():
    def cost(points):
        return np.where(points[:, 0] < 0.0, np.nan, points[:, 0] + points[:, 1] ** 2)

    found = minimise(cost, *box(2), np.random.default_rng(3))
    assert found.x[0] >= 0.0
    np.testing.assert_allclose(found.x, 0.0, atol=0.05)


def test_a_start_is_never_made_worse():
    start = np.array([0.01, -0.01, 0.02, 0.0])
    found = minimise(rastrigin, *box(4), np.random.default_rng(0), start=start, particles=5, iterations=2)
    assert found.cost <= rastrigin(start[None])[0]


def test_progress_is_told_and_may_end_the_search():
    told = []

    def progress(done, total):
        told.append((done, total))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimise(rastrigin, *box(2), np.random.default_rng(0), iterations=10, progress=progress)
    assert told == [(1, 10), (2, 10), (3, 10)]


@pytest.mark.parametrize(
    ('given', 'sentence'),
    [
        ({'low': [0.0, 1.0], 'high': [1.0, 1.0]}, 'low < high'),
        ({'low': [0.0], 'high': [np.inf]}, 'finite bounds'),
        ({'particles': 2}, '3 particles'),
        ({'start': [2.0, 0.5]}, 'in the box'),
        ({'cost': lambda points: points}, 'a cost for each of 30 points'),
        ({'cost': lambda points: np.full(len(points), np.nan)}, 'no cost of the first 30 points'),
    ],
)
def test_wrong_input_is_told(given, sentence):
    arguments = {'cost': rastrigin, 'low': [0.0, 0.0], 'high': [1.0, 1.0], 'rng': np.random.default_rng(0)}
    with pytest.raises(ValueError, match=sentence):
        minimise(**(arguments | given))
