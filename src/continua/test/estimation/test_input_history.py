"""Means of inputs between measurements."""

import numpy as np
import pytest
from scipy.integrate import quad

from continua.estimation.input_history import InputHistory


def history(window=10.0):
    inputs = InputHistory(window)
    for t, u in ((1.0, (0.0, 5.0)), (2.0, (2.0, 5.0)), (2.5, (-1.0, 4.0))):
        assert inputs.add(t, np.array(u))
    return inputs


@pytest.mark.parametrize(
    ('start', 'end'), [(0.0, 0.5), (0.2, 3.0), (1.2, 1.7), (1.5, 2.2), (2.0, 2.5), (4.0, 5.0)]
)
def test_the_mean_is_that_of_the_lines_between(start, end):
    inputs = history()
    for i, values in enumerate(((0.0, 2.0, -1.0), (5.0, 5.0, 4.0))):
        integral = quad(lambda t, v=values: np.interp(t, (1.0, 2.0, 2.5), v), start, end, points=[1, 2, 2.5])[
            0
        ]
        assert inputs.mean(start, end)[i] == pytest.approx(integral / (end - start), abs=1e-9)


def test_only_newer_inputs_are_taken_and_old_ones_forgotten():
    inputs = history(window=0.6)
    assert not inputs.add(2.5, np.zeros(2))
    assert not inputs.add(0.5, np.zeros(2))
    assert inputs.newest == 2.5
    # 1.0 s has left the window; 1.9 s lies in it, before the stamp at 2.0 s.
    np.testing.assert_allclose(inputs.mean(0.0, 0.5), [0.0, 5.0])
    assert inputs.add(3.0, np.zeros(2))
    np.testing.assert_allclose(inputs.mean(0.0, 0.5), [2.0, 5.0])


def test_without_inputs_there_is_no_mean():
    with pytest.raises(ValueError, match='inputs'):
        InputHistory(1.0).mean(0.0, 1.0)
    with pytest.raises(ValueError, match='inputs'):
        history().mean(1.0, 1.0)
