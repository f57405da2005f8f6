"""The simulated arm: rest, drives, faults, repeatability, and setpoints beyond reason."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.simulation import SensorSettings, SimulatedArm
from continua.simulation.faults import Fault

ROBOT = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'tendon_arm.yaml')
QUIET = SensorSettings(0.0, 0.0, 0.0, 0.0)


def test_it_starts_at_rest_and_stays_there():
    arm = SimulatedArm(ROBOT, QUIET)
    before = arm.measure()
    arm.advance(0.5, np.zeros(6))
    after = arm.measure()
    assert np.allclose(before.marker, after.marker, atol=1e-7)
    assert arm.time == pytest.approx(0.5)


def test_drives_follow_the_formula_of_a_first_order_lag():
    arm = SimulatedArm(ROBOT, QUIET)
    for _ in range(3):
        arm.advance(0.01, np.full(6, 2.0))
    assert np.allclose(arm.tension, 2.0 * (1 - np.exp(-0.03 / 0.03)), rtol=1e-12)


def test_the_same_seed_gives_the_same_readings():
    readings = []
    for _ in range(2):
        arm = SimulatedArm(ROBOT, SensorSettings(marker_dropout=0.3), seed=7)
        arm.advance(0.1, np.full(6, 1.0))
        readings.append(arm.measure())
    for first, second in zip(*(vars(reading).values() for reading in readings), strict=True):
        assert np.array_equal(first, second)


def test_faults_act_on_what_they_name_until_their_time_is_over():
    arm = SimulatedArm(ROBOT, QUIET)
    arm.inject(Fault.DROP_MARKERS, ['m1'], 0.05)
    arm.inject(Fault.BLOCK_TENDON, [ROBOT.tendon_names[0]], 0.0)
    assert list(arm.measure().marker_valid) == [True, False, True, True]
    arm.advance(0.1, np.full(6, 2.0))
    assert arm.measure().marker_valid.all()
    assert arm.tension[0] == 0.0 and np.all(arm.tension[1:] > 1.9 * (1 - np.exp(-0.1 / 0.03)))
    q = arm.q
    arm.inject(Fault.FREEZE, [], 0.0)
    arm.advance(0.1, np.zeros(6))
    assert arm.is_frozen and np.array_equal(arm.q, q)
    arm.faults.clear()
    arm.advance(0.1, np.zeros(6))
    assert not np.array_equal(arm.q, q)
    with pytest.raises(ValueError, match='m9'):
        arm.inject(Fault.DROP_MARKERS, ['m9'], 0.0)


def test_taring_makes_the_present_readings_zero():
    arm = SimulatedArm(ROBOT, QUIET)
    arm.advance(0.5, np.full(6, 1.0))
    arm.tare()
    reading = arm.measure()
    assert np.allclose(reading.tension, 0) and np.allclose(reading.displacement, 0)


@pytest.mark.parametrize('tension', [60.0, 1e4])
def test_setpoints_beyond_reason_never_leave_a_state_that_is_not_finite(tension):
    arm = SimulatedArm(ROBOT, QUIET)
    for k in range(6):
        setpoint = np.zeros(6)
        setpoint[k] = tension
        arm.advance(0.1, setpoint)
        assert np.all(np.isfinite(arm.q)) and np.all(np.isfinite(arm.qd))
        assert np.all(np.isfinite(arm.measure().marker))


def test_wrong_settings_are_refused():
    with pytest.raises(ValueError, match='marker_dropout'):
        SensorSettings(marker_dropout=1.5)
    with pytest.raises(ValueError, match='step: expected a positive time'):
        SimulatedArm(ROBOT, step=0.0)
