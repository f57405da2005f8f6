"""The unscented filter as a process, with an arm that is always at rest under slow pressures."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.prediction import MODELS
from continua_msgs.msg import MarkerArray3D, PressureState, RodShape, RodState
from continua_node import convert, convert_chambers, qos
from continua_node.convert_chambers import ChamberArrays
from continua_node.testing import Bench, executable

ROOT = Path(__file__).resolve().parents[3]
SETTINGS_FILE = ROOT / 'config/nodes/ukf.yaml'
ROBOT_FILE = ROOT / 'config/robots/pneumatic_arm.yaml'
ROBOT = load_robot(ROBOT_FILE)
NAMES = [chamber.name for chamber in ROBOT.chambers]
MODEL = MODELS['linear'](ROBOT)
PARAMETERS = MODEL.parameters[None]
PERIOD = 0.02


class FakeArm:
    """At rest under pressures that rise and fall in wall time; shows its tip at 50 Hz."""

    def __init__(self, bench: Bench) -> None:
        self.bench, node = bench, bench.node
        self.tips = {}
        self.is_seen = self.is_there = True
        self.offset, self.age = np.zeros(3), 0.0
        self.states = bench.collect(RodState, 'estimate/state', qos.STATE, depth=1000)
        self.shapes = bench.collect(RodShape, 'estimate/shape', qos.STATE, depth=1000)
        self.diagnostics = bench.diagnostics()
        self._pressures = node.create_publisher(PressureState, 'pressure/state', qos.SENSOR.offered)
        self._markers = node.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
        node.create_timer(PERIOD, self._step)

    def error(self) -> float:
        """Distance of the newest estimate's tip from where the arm was at its stamp, m."""
        state = self.states[-1]
        found = MODEL.position(np.array(state.q)[None], np.array(state.parameter_value)[None])[0]
        return float(np.linalg.norm(found - self.tips[convert.from_stamp(state.header.stamp)]))

    def wait_sentence(self, words: str) -> None:
        self.bench.wait_until(lambda: words in self.diagnostics.sentence('ukf'), f'sentence {words!r}')

    def _step(self) -> None:
        now = self.bench.node.get_clock().now().nanoseconds * 1e-9
        stamp = convert.to_stamp(now - self.age)
        pressure = 8e3 * (1.0 + np.sin(2.0 * np.pi * 0.1 * now + np.array([0.0, 2.1, 4.2])))
        position = MODEL.position(MODEL.equilibrium(pressure)[None], PARAMETERS)
        self.tips[convert.from_stamp(stamp)] = position[0]
        if self.is_there:
            chambers = ChamberArrays(pressure, pressure, None, np.zeros(3, bool), np.zeros(3, np.uint16))
            self._pressures.publish(convert_chambers.pressure_state_to_msg(stamp, NAMES, chambers))
        valid = np.array([self.is_seen])
        self._markers.publish(
            convert.markers_to_msg(stamp, 'world', ['end_effector'], position + self.offset, valid)
        )


def start(bench, robot_file=ROBOT_FILE, **parameters):
    options = {'robot_file': robot_file, 'max_age': 1.0, 'patience': 3.0, **parameters}
    arguments = [word for name, value in options.items() for word in ('-p', f'{name}:={value}')]
    command = executable('continua_estimation', 'ukf')
    return bench.start(command, '--params-file', str(SETTINGS_FILE), *arguments)


@pytest.fixture
def arm():
    with Bench('/pneumatic_arm') as bench, start(bench) as node:
        arm = FakeArm(bench)
        arm.bench.wait_until(lambda: len(arm.states) > 100, 'estimates')
        yield arm
        assert node.stop() == 0


def test_the_tip_is_followed_at_the_stamps_of_the_readings(arm):
    assert arm.error() < 2e-3
    state, shape = arm.states[-1], arm.shapes[-1]
    assert convert.from_stamp(state.header.stamp) in arm.tips
    assert (state.model_id, state.parameter) == (MODEL.id, ['bending_compliance'])
    assert state.parameter_variance[0] > 0.0
    assert len(state.q) == 72
    # The last section is the tip's but for the cap of 10 mm, and the linear model's error.
    last = convert.shape_from_msg(shape).position[-1]
    assert np.linalg.norm(last - arm.tips[convert.from_stamp(shape.header.stamp)]) < 0.02


def test_gaps_are_bridged_and_trouble_is_said(arm):
    arm.is_seen = False
    arm.wait_sentence('predicted')
    arm.is_seen = True
    arm.wait_sentence('corrected')
    arm.offset = np.array([0.5, 0.0, 0.0])
    arm.bench.wait_until(lambda: arm.diagnostics.value('ukf', 'rejected') > 0, 'rejected readings')
    arm.offset = np.zeros(3)
    arm.wait_sentence('corrected')
    arm.is_there = False
    arm.wait_sentence('no pressure/state arrives')
    arm.is_there = True
    count = len(arm.states)
    arm.bench.wait_until(lambda: len(arm.states) > count + 50, 'estimates again')
    assert arm.error() < 5e-3
    arm.age = 2.0
    arm.bench.wait_until(lambda: arm.diagnostics.value('ukf', 'rejected_stale') > 0, 'stale readings')


def test_a_robot_without_chambers_is_refused():
    with Bench('/tendon_arm') as bench, start(bench, ROOT / 'config/robots/tendon_arm.yaml') as node:
        assert node.wait() == 2
        assert 'robot tendon_arm' in node.output()
