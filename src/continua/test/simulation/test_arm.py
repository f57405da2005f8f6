"""The simulated arm: rest, drives, faults, repeatability, and setpoints beyond reason."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot, parse_robot
from continua.reduction import decompose, equilibria, random_inputs
from continua.rod import Rod
from continua.simulation import SensorSettings, SimulatedArm
from continua.simulation.faults import Fault

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'
ROBOT = load_robot(ROBOTS / 'tendon_arm.yaml')
QUIET = SensorSettings(0.0, 0.0, 0.0, 0.0)


def test_it_starts_at_rest_and_stays_there():
    arm = SimulatedArm(Rod(ROBOT), QUIET)
    before = arm.measure()
    arm.advance(0.5, np.zeros(6))
    after = arm.measure()
    assert np.allclose(before.marker, after.marker, atol=1e-7)
    assert arm.time == pytest.approx(0.5)


def test_drives_follow_the_formula_of_a_first_order_lag():
    arm = SimulatedArm(Rod(ROBOT), QUIET)
    for _ in range(3):
        arm.advance(0.01, np.full(6, 2.0))
    assert np.allclose(arm.tension, 2.0 * (1 - np.exp(-0.03 / 0.03)), rtol=1e-12)


def test_the_same_seed_gives_the_same_readings():
    readings = []
    for _ in range(2):
        arm = SimulatedArm(Rod(ROBOT), SensorSettings(marker_dropout=0.3), seed=7)
        arm.advance(0.1, np.full(6, 1.0))
        readings.append(arm.measure())
    for first, second in zip(*(vars(reading).values() for reading in readings), strict=True):
        assert np.array_equal(first, second)


def test_faults_act_on_what_they_name_until_their_time_is_over():
    arm = SimulatedArm(Rod(ROBOT), QUIET)
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
    arm = SimulatedArm(Rod(ROBOT), QUIET)
    arm.advance(0.5, np.full(6, 1.0))
    arm.tare()
    reading = arm.measure()
    assert np.allclose(reading.tension, 0) and np.allclose(reading.displacement, 0)


@pytest.mark.parametrize('tension', [60.0, 1e4])
def test_setpoints_beyond_reason_never_leave_a_state_that_is_not_finite(tension):
    arm = SimulatedArm(Rod(ROBOT), QUIET)
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
        SimulatedArm(Rod(ROBOT), step=0.0)


def reduced(count):
    """A model of so many modes of equilibria, and its projection."""
    full = Rod(ROBOT)
    inputs = random_inputs(np.zeros(6), np.full(6, 4.0), 100, np.random.default_rng(0))
    kept = decompose(full, equilibria(full, inputs)[0]).first(count)
    return Rod(ROBOT, modes=kept.modes), kept.projection


def test_a_model_of_all_modes_takes_over_position_and_velocity():
    arm = SimulatedArm(Rod(ROBOT), QUIET)
    arm.advance(0.1, np.array([3.0, 0.0, 1.0, 0.0, 0.0, 2.0]))
    q, qd, tension = arm.q, arm.qd, arm.tension
    assert np.linalg.norm(qd) > 0.1
    for model in (reduced(arm.rod.dof), (Rod(ROBOT),)):
        arm.change_model(*model)
        assert arm.rod is model[0]
        np.testing.assert_allclose(arm.rod.full_coordinates(arm.q), q, atol=1e-9)
        np.testing.assert_allclose(arm.rod.full_coordinates(arm.qd), qd, atol=1e-8)
        assert np.array_equal(arm.tension, tension) and arm.time == pytest.approx(0.1)


def test_the_robot_goes_on_with_few_modes_and_back():
    arm, unchanged = SimulatedArm(Rod(ROBOT), QUIET), SimulatedArm(Rod(ROBOT), QUIET)
    tip = np.array([arm.rod.length])
    for k, model in enumerate([reduced(8), (Rod(ROBOT),), reduced(8)]):
        pull = 3.0 * np.eye(6)[k]
        for each in (arm, unchanged):
            each.advance(0.2, pull)
        arm.change_model(*model)
        for each in (arm, unchanged):
            each.advance(0.2, pull)
        distance = arm.shape(tip).position - unchanged.shape(tip).position
        assert np.linalg.norm(distance) < 0.05 * arm.rod.length
    assert arm.failures == 0


CRANE = """
version: 1
name: crane
gravity: [0.0, 0.0, 0.0]
links:
  - name: boom
    type: rigid
    length: 0.5
    body: {type: solid, section: {shape: rectangular, width: 0.05, height: 0.04}, density: 500.0}
    joint: {type: revolute, axis: [0, 1, 0], stiffness: 40.0}
  - name: finger
    parent: boom
    type: soft
    length: 0.2
    section: {shape: circular, radius: 0.01}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e3}
    strain_basis: {type: legendre, order: {bending_z: 0}}
    joint: {type: revolute, axis: [1, 0, 0]}
tendons:
  - name: cable
    type: points
    points:
      - {link: boom, arc_length: 0.0, offset: [0.02, 0.0]}
      - {link: finger, arc_length: 0.2, offset: [0.005, 0.0]}
    limits: {tension: [0.0, 10.0]}
drives:
  - {name: turn, joint: finger, type: position, limits: {position: [0.2, 1.0]}}
  - {name: lift, joint: boom, type: force, limits: {effort: [-20.0, 20.0]}}
"""


def test_drives_that_no_topic_reaches_rest_while_a_cable_pulls():
    arm = SimulatedArm(Rod(parse_robot(CRANE)), QUIET)
    assert arm.idle == ('lift', 'turn')
    np.testing.assert_allclose(arm.q, [0.0, 0.2, 0.0], atol=1e-9)
    arm.advance(2.0, np.array([1.0]))
    boom, turn, bending = arm.q
    assert turn == pytest.approx(0.2, abs=1e-6)
    # the cable passes 2 cm beside the boom's joint axis y at its base: it bends the finger towards +y
    assert bending > 0.1 and abs(boom) < 0.05


@pytest.mark.parametrize('name', ['soft_legged_platform', 'hyper_redundant_arm'])
def test_linkages_and_closed_loops_stay_at_rest(name):
    arm = SimulatedArm(Rod(load_robot(ROBOTS / f'{name}.yaml')), QUIET)
    before = arm.measure()
    arm.advance(0.3, np.zeros(arm.rod.n_tendons))
    np.testing.assert_allclose(arm.measure().marker, before.marker, atol=1e-6)
    assert arm.failures == 0 and arm.idle == ()
    if arm.rod.n_constraints:
        np.testing.assert_allclose(arm.rod.constraint_error(arm.q), 0.0, atol=1e-6)
