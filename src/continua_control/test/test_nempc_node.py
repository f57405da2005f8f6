"""The predictive controller as a process, with an arm that moves as its model says."""

from pathlib import Path

import numpy as np
import pytest
from rclpy.action import ActionClient

from continua.control.nempc import first_order_lag
from continua.description import load_robot
from continua.prediction import MODELS
from continua_msgs.action import TrackTrajectory
from continua_msgs.msg import ControllerStatus, PressureCommand, PressureState, Reference, RodState
from continua_node import convert, convert_chambers, qos
from continua_node.convert_chambers import ChamberArrays
from continua_node.testing import Bench, executable

ROOT = Path(__file__).resolve().parents[3]
ROBOT_FILE = ROOT / 'config/robots/pneumatic_arm.yaml'
SETTINGS_FILE = ROOT / 'config/nodes/nempc.yaml'
ROBOT = load_robot(ROBOT_FILE)
NAMES = [chamber.name for chamber in ROBOT.chambers]
MODEL = MODELS['linear'](ROBOT)
NOTHING = np.zeros((1, 1))
PERIOD = 0.02
LOW, HIGH = np.array([chamber.limits.pressure for chamber in ROBOT.chambers]).T


class FakeArm:
    """Moves by the linear model under the newest command, and says what it does at 50 Hz."""

    def __init__(self, bench: Bench) -> None:
        self.bench, node = bench, bench.node
        self.x, self.pressure, self.fault = MODEL.x0, np.zeros(3), PressureState.FAULT_NONE
        self.is_seen = self.is_there = True
        self._lag = first_order_lag(ROBOT.chambers[0].time_constant)
        self.commands = bench.collect(PressureCommand, 'pressure/command', qos.COMMAND, depth=1000)
        self.status = bench.collect(ControllerStatus, 'control/status', qos.STATE, depth=1000)
        self._states = node.create_publisher(PressureState, 'pressure/state', qos.SENSOR.offered)
        self._estimates = node.create_publisher(RodState, 'estimate/state', qos.STATE.offered)
        self.client = ActionClient(node, TrackTrajectory, 'track_trajectory')
        self.feedback: list[TrackTrajectory.Feedback] = []
        node.create_timer(PERIOD, self._step)

    @property
    def command(self) -> np.ndarray:
        """The newest command (3,) Pa, 0 before the first."""
        if not self.commands:
            return np.zeros(3)
        values = convert_chambers.pressure_command_from_msg(self.commands[-1], NAMES)
        return np.array([values[name] for name in NAMES])

    def send(self, reference: Reference):
        """The handle of a goal."""
        self.bench.wait_until(self.client.server_is_ready, 'the action server')
        future = self.client.send_goal_async(
            TrackTrajectory.Goal(reference=reference), lambda message: self.feedback.append(message.feedback)
        )
        self.bench.wait_until(future.done, 'the acceptance of the goal')
        return future.result()

    def result(self, handle) -> TrackTrajectory.Result:
        future = handle.get_result_async()
        self.bench.wait_until(future.done, 'the result')
        return future.result().result

    def wait_status(self, code: int) -> str:
        """Until the controller says so; its sentence."""
        self.status.clear()
        self.bench.wait_until(lambda: any(m.status == code for m in self.status), f'status {code}')
        return next(m.message for m in self.status if m.status == code)

    def _step(self) -> None:
        self.pressure = self._lag(self.pressure, self.command, PERIOD)
        self.x = MODEL.transition(self.x[None], self.pressure[None], NOTHING, PERIOD)[0]
        stamp = self.bench.node.get_clock().now().to_msg()
        if self.is_there:
            chambers = ChamberArrays(
                self.pressure, self.command, None, np.zeros(3, bool), np.full(3, self.fault)
            )
            self._states.publish(convert_chambers.pressure_state_to_msg(stamp, NAMES, chambers))
        if self.is_seen:
            estimate = RodState(model_id=MODEL.id, q=convert.flat(self.x))
            estimate.header.stamp = stamp
            self._estimates.publish(estimate)


def reference(**fields) -> Reference:
    message = Reference(
        **{name: convert.flat(values) for name, values in fields.items() if name != 'model_id'}
    )
    message.model_id = fields.get('model_id', '')
    message.header.frame_id = 'world'
    return message


def tip(pressure) -> np.ndarray:
    return MODEL.position(MODEL.equilibrium(np.array(pressure))[None], NOTHING)[0]


@pytest.fixture
def arm():
    options = ['robot_file:=' + str(ROBOT_FILE), 'rate:=50.0', 'particles:=100', 'max_age:=1.0']
    arguments = [word for option in options for word in ('-p', option)]
    with Bench('/pneumatic_arm') as bench:
        command = executable('continua_control', 'nempc')
        with bench.start(command, '--params-file', str(SETTINGS_FILE), *arguments) as node:
            arm = FakeArm(bench)
            arm.wait_status(ControllerStatus.STATUS_IDLE)
            yield arm
            assert node.stop() == 0


def test_the_tip_is_brought_to_its_goal_and_the_chambers_to_rest(arm):
    assert not arm.commands
    goal = tip([20e3, 5e3, 0.0])
    before = np.linalg.norm(tip([0.0, 0.0, 0.0]) - goal)
    handle = arm.send(reference(time=[4.0], tip_position=goal))
    result = arm.result(handle)
    assert result.code == TrackTrajectory.Result.CODE_OK
    # The arm swings around the goal for a while; it came most of the way.
    assert np.median([each.error for each in arm.feedback[-50:]]) < 0.3 * before
    assert 0.0 < result.mean_error < before
    assert arm.feedback[-1].progress == pytest.approx(1.0)
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    given = np.array([list(message.pressure) for message in arm.commands])
    assert np.all((given >= LOW) & (given <= HIGH))
    solved = [m for m in arm.status if m.status == ControllerStatus.STATUS_OK]
    assert solved[-1].solve_time > 0.0


def test_pressures_stand_for_the_states_they_lead_to(arm):
    pressures = np.linspace(0.0, 1.0, 5)[:, None] * np.array([20e3, 0.0, 5e3])
    handle = arm.send(reference(time=np.linspace(0.0, 2.0, 5), pressure=pressures))
    result = arm.result(handle)
    assert result.code == TrackTrajectory.Result.CODE_OK
    assert result.mean_error < 0.5 * np.linalg.norm(tip(pressures[-1]) - tip([0.0, 0.0, 0.0]))


def test_references_that_cannot_be_followed_are_refused_with_a_sentence(arm):
    wrong = [
        ({'time': [1.0]}, 'fills nothing'),
        ({'time': [1.0], 'tension': [1.0]}, 'fills tension'),
        ({'time': [1.0, 2.0], 'tip_position': np.zeros(3)}, 'for each of 2 instants'),
        ({'time': [1.0], 'tip_position': [0.0, np.nan, 0.0]}, 'not finite'),
        ({'time': [1.0], 'q': np.zeros(72), 'model_id': 'another'}, "model 'another'"),
    ]
    for fields, words in wrong:
        result = arm.result(arm.send(reference(**fields)))
        assert result.code == TrackTrajectory.Result.CODE_REJECTED
        assert words in result.message
    assert not arm.commands


def test_trouble_brings_the_chambers_to_rest(arm):
    """A late estimate, a cancelled goal, one that replaces another, and the emergency stop."""
    goal = reference(time=[600.0], tip_position=tip([20e3, 5e3, 0.0]))
    handle = arm.send(goal)
    arm.bench.wait_until(lambda: arm.command.any(), 'pressure')
    arm.is_seen = False
    assert 'estimate/state is late' in arm.wait_status(ControllerStatus.STATUS_INPUT_STALE)
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    arm.is_seen = True
    arm.wait_status(ControllerStatus.STATUS_OK)

    cancelled = handle.cancel_goal_async()
    arm.bench.wait_until(cancelled.done, 'the cancellation')
    assert arm.result(handle).code == TrackTrajectory.Result.CODE_STOPPED
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')

    first, second = arm.send(goal), arm.send(goal)
    assert 'another goal' in arm.result(first).message
    arm.bench.wait_until(lambda: arm.command.any(), 'pressure')
    arm.fault = PressureState.FAULT_EMERGENCY_STOP
    assert 'emergency stop' in arm.result(second).message
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    assert 'emergency stop' in arm.result(arm.send(goal)).message
