"""The lag of pressures: found again from steps with noise, within the intervals that it claims."""

import numpy as np
import pytest
from scipy.signal import cont2discrete, lfilter

from continua.identification.pressure_lag import identify_pressure_lag, lag_response

GAIN, TIME_CONSTANT = 11.0 / 10.94, 1.0 / 10.94  # eq 32
TIME = 0.01 * np.arange(800)
STEPS = 1e3 * np.array([0.0, 40.0, 10.0, 75.0, 30.0, 0.0, 60.0, 20.0])
SETPOINT = np.repeat(STEPS, 100)


def test_the_response_is_that_of_the_discrete_transfer_function():
    numerator, denominator, _ = cont2discrete(([11.0], [1.0, 10.94]), 0.01)
    expected = lfilter(numerator.ravel(), denominator, SETPOINT)
    np.testing.assert_allclose(
        lag_response(TIME, SETPOINT, 0.0, GAIN, TIME_CONSTANT), expected, rtol=1e-9, atol=1e-6
    )


def test_without_noise_the_lag_is_found_exactly():
    pressure = lag_response(TIME, SETPOINT, 5e3, GAIN, TIME_CONSTANT)
    found = identify_pressure_lag(TIME, SETPOINT, pressure)
    assert found.gain == pytest.approx(GAIN, rel=1e-6)
    assert found.time_constant == pytest.approx(TIME_CONSTANT, rel=1e-6)


def test_intervals_hold_what_they_promise():
    random = np.random.default_rng(0)
    clean = lag_response(TIME, SETPOINT, 0.0, GAIN, TIME_CONSTANT)
    held = []
    for _ in range(40):
        noise = lfilter([1.0], [1.0, -0.8], random.normal(0.0, 300.0, TIME.size))  # that follows itself
        found = identify_pressure_lag(TIME, SETPOINT, clean + noise)
        held.append(abs(found.gain - GAIN) < found.gain_interval)
        held.append(abs(found.time_constant - TIME_CONSTANT) < found.time_constant_interval)
    assert np.mean(held) > 0.85


def test_a_setpoint_that_does_not_step_is_refused():
    with pytest.raises(ValueError, match='expected steps'):
        identify_pressure_lag(TIME, np.full(TIME.size, 20e3), np.full(TIME.size, 20e3))
    with pytest.raises(ValueError, match='rising times'):
        identify_pressure_lag(TIME[::-1], SETPOINT, SETPOINT)
