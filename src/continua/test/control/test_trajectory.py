"""Goals over time."""

import numpy as np
import pytest

from continua.control.trajectory import Trajectory


def test_goals_are_linear_between_and_constant_outside():
    trajectory = Trajectory(np.array([0.5, 1.0, 3.0]), np.array([[0.0, 1.0], [2.0, 1.0], [2.0, 5.0]]))
    assert trajectory.duration == 3.0
    found = trajectory.at(np.array([[0.0, 0.75], [2.0, 9.0]]))
    np.testing.assert_allclose(found, [[[0.0, 1.0], [1.0, 1.0]], [[2.0, 3.0], [2.0, 5.0]]])


@pytest.mark.parametrize(
    ('time', 'values'),
    [
        ([], np.zeros((0, 1))),
        ([0.0, 0.0], np.zeros((2, 1))),
        ([0.0, 1.0], np.zeros((3, 1))),
        ([0.0, np.nan], np.zeros((2, 1))),
        ([0.0, 1.0], np.array([[0.0], [np.inf]])),
    ],
)
def test_what_is_no_trajectory_is_refused(time, values):
    with pytest.raises(ValueError, match='trajectory'):
        Trajectory(np.array(time), values)
