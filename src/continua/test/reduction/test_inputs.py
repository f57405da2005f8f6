"""Inputs that excite a robot: sweeps, steps, babbling, pushes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.reduction import hold_signal, hypercube, push_signal, random_inputs, step_signal

SEEDS = st.integers(0, 2**32 - 1)


@given(st.lists(st.integers(2, 5), min_size=1, max_size=4))
def test_a_hypercube_has_every_combination_once_and_goes_from_neighbour_to_neighbour(steps):
    low, high = -np.arange(1.0, len(steps) + 1), np.arange(len(steps)) + 0.5
    inputs = hypercube(low, high, steps)
    grids = [np.linspace(a, b, count) for a, b, count in zip(low, high, steps, strict=True)]
    expected = np.stack(np.meshgrid(*grids, indexing='ij'), axis=-1).reshape(-1, len(steps))
    order = np.lexsort(inputs.T[::-1])
    assert np.allclose(inputs[order], expected, rtol=0, atol=1e-12)
    strides = np.array([grid[1] - grid[0] for grid in grids])
    moved = np.abs(np.diff(inputs, axis=0)) / strides
    assert np.allclose(np.sort(moved, axis=1)[:, :-1], 0.0, atol=1e-9)
    assert np.allclose(moved.max(axis=1), 1.0)


def test_the_corners_of_the_papers_six_cables_are_64():
    assert hypercube([0.0] * 6, [25.0] * 6, 2).shape == (64, 6)


def _hold_times(column, rate):
    """Times (s) for which the values are held, but for the last one, that the end cuts."""
    changes = np.flatnonzero(np.diff(column) != 0.0) + 1
    return np.diff(np.concatenate([[0], changes])) / rate


@given(SEEDS)
def test_babbling_holds_each_input_by_itself_within_the_interval_and_the_range(seed):
    low, high = np.array([-20.0, 0.0]), np.array([20.0, 1.0])
    u = hold_signal(low, high, (0.5, 1.0), 20.0, 100.0, np.random.default_rng(seed))
    assert u.shape == (2001, 2)
    assert np.all((low <= u) & (u <= high))
    for column in u.T:
        held = _hold_times(column, 100.0)
        assert held.size >= 15
        assert np.all((held > 0.5 - 0.011) & (held < 1.0 + 0.011))
    changes = np.diff(u, axis=0) != 0.0
    assert not np.array_equal(changes[:, 0], changes[:, 1])


@given(SEEDS)
def test_pushes_change_together_and_are_released_in_between(seed):
    high = np.array([1.0, 1.0, 1.0, 5.0, 5.0, 5.0])
    push = push_signal(-high, high, (0.25, 0.5), True, 10.0, 100.0, np.random.default_rng(seed))
    assert push.shape == (1001, 6)
    assert np.all(np.abs(push) <= high)
    changes = np.diff(push, axis=0) != 0.0
    assert np.array_equal(changes.any(axis=1), changes.all(axis=1))
    pushed = np.concatenate([push[:1], push[1:][changes.any(axis=1)]]).any(axis=1)
    assert np.array_equal(pushed, np.arange(pushed.size) % 2 == 0)
    held = push_signal(-high, high, (0.25, 0.5), False, 10.0, 100.0, np.random.default_rng(seed))
    assert np.all(held.any(axis=1))


def test_a_step_happens_at_its_time_and_the_paper_s_run_has_126_samples():
    u = step_signal([0.0], [5.0], 0.5, 1.25, 100.0)
    assert u.shape == (126, 1)
    assert np.all(u[:50] == 0.0) and np.all(u[50:] == 5.0)


def test_random_inputs_act_with_their_share_within_the_range():
    u = random_inputs([1.0, -2.0], [3.0, 2.0], 4000, np.random.default_rng(0), share=0.25)
    assert np.all((u >= [1.0, -2.0]) & (u <= [3.0, 2.0]))
    acting = np.mean(u != [1.0, -2.0], axis=0)
    assert np.allclose(acting, 0.25, atol=0.03)


@pytest.mark.parametrize(
    ('call', 'sentence'),
    [
        (lambda random: hypercube([0.0], [1.0], 1), 'steps: expected at least 2'),
        (lambda random: hypercube([1.0], [0.0], 3), 'low, high: expected two vectors'),
        (lambda random: hypercube([0.0, 0.0], [1.0], 3), 'low, high: expected two vectors'),
        (lambda random: step_signal([0.0], [1.0], 0.0, 0.0, 1.0), 'duration: expected a positive number'),
        (lambda random: hold_signal([0.0], [1.0], (0.5, 1.0), 1.0, np.nan, random), 'rate: expected a pos'),
        (lambda random: hold_signal([0.0], [1.0], (0.0, 1.0), 1.0, 10.0, random), 'hold: expected a range'),
    ],
)
def test_signals_that_cannot_be_are_refused_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(np.random.default_rng(0))
