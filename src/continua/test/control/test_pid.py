"""PID controller: its formula, its limits, and what it forgets."""

import numpy as np
import pytest

from continua.control.pid import Pid, PidGains


def test_a_constant_error_gives_the_formula():
    pid = Pid(PidGains(2.0, 3.0), 2, limits=(-10.0, 10.0))
    setpoint, measured = np.array([1.0, -0.5]), np.zeros(2)
    outputs = [pid.step(setpoint, measured, 0.1) for _ in range(11)]
    np.testing.assert_allclose(outputs[-1], (2.0 + 3.0 * 1.0) * setpoint)


def test_the_derivative_acts_on_the_measurement_behind_a_low_pass():
    pid = Pid(PidGains(0.0, 0.0, 2.0, filter_time=0.1), 1, limits=(-10.0, 10.0))
    dt, slope = 1e-3, 1.5
    outputs = [pid.step(np.array([k % 7.0]), np.array([slope * dt * k]), dt)[0] for k in range(1001)]
    # a first-order low pass of the slope, sampled by backward Euler
    share = 1.0 - (0.1 / 0.101) ** np.arange(1001)
    np.testing.assert_allclose(outputs, -2.0 * slope * share, atol=1e-9)


def test_the_integral_stands_still_at_the_limit_and_comes_back_at_once():
    pid = Pid(PidGains(1.0, 10.0), 1)
    for _ in range(1000):
        assert pid.step(np.array([5.0]), np.zeros(1), 0.01)[0] == 1.0
    assert pid.step(np.array([-0.5]), np.zeros(1), 0.01)[0] < 0.0


def test_reset_forgets():
    pid, new = (Pid(PidGains(0.1, 1.0, 0.1, 0.01), 1) for _ in range(2))
    for k in range(10):
        pid.step(np.ones(1), np.array([0.1 * k]), 0.01)
    pid.reset()
    assert pid.step(np.ones(1), np.zeros(1), 0.01) == new.step(np.ones(1), np.zeros(1), 0.01)


@pytest.mark.parametrize('wrong', [{'proportional': -1.0}, {'integral': np.nan}, {'filter_time': np.inf}])
def test_wrong_gains_are_refused(wrong):
    with pytest.raises(ValueError, match='PID'):
        PidGains(**{'proportional': 1.0} | wrong)
