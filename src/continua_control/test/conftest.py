"""An arm with chambers that is always at rest under its pressures, for the nodes that track trajectories."""

import time
from pathlib import Path

import numpy as np
import pytest
from rclpy.action import ActionClient

from continua.control.nempc import first_order_lag
from continua.description import load_robot
from continua.prediction import MODELS
from continua_msgs.action import TrackTrajectory
from continua_msgs.msg import (
    ControllerStatus,
    MarkerArray3D,
    PressureCommand,
    PressureState,
    Reference,
    RodState,
)
from continua_node import convert, convert_chambers, qos
from continua_node.convert_chambers import ChamberArrays
from continua_node.testing import Bench, executable

ROOT = Path(__file__).resolve().parents[3]
ROBOT_FILE = ROOT / 'config/robots/pneumatic_arm.yaml'
ROBOT = load_robot(ROBOT_FILE)
NAMES = [chamber.name for chamber in ROBOT.chambers]
MODEL = MODELS['linear'](ROBOT)
PARAMETERS = MODEL.parameters[None]
PERIOD = 0.02


class FakeArm:
    """Its pressures follow the newest command in wall time, its tip follows them at once: a busy machine
    makes no other arm of it."""

    def __init__(self, bench: Bench) -> None:
        self.bench, node = bench, bench.node
        self.x, self.pressure, self.fault = MODEL.x0, np.zeros(3), PressureState.FAULT_NONE
        self._last = time.monotonic()
        self.is_seen = self.is_there = True
        self._lag = first_order_lag(ROBOT.chambers[0].time_constant)
        self.commands = bench.collect(PressureCommand, 'pressure/command', qos.COMMAND, depth=1000)
        self.status = bench.collect(ControllerStatus, 'control/status', qos.STATE, depth=1000)
        self._states = node.create_publisher(PressureState, 'pressure/state', qos.SENSOR.offered)
        self._estimates = node.create_publisher(RodState, 'estimate/state', qos.STATE.offered)
        self._markers = node.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
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
        now = time.monotonic()
        self.pressure = self._lag(self.pressure, self.command, now - self._last)
        self.x, self._last = MODEL.equilibrium(self.pressure), now
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
            tip, valid = MODEL.position(self.x[None], PARAMETERS), np.ones(1, dtype=bool)
            self._markers.publish(convert.markers_to_msg(stamp, 'world', ['end_effector'], tip, valid))


@pytest.fixture
def model():
    """The model whose equilibria the arm is in."""
    return MODEL


@pytest.fixture
def start_arm():
    """Function that starts a node of this package and the arm that it controls, at 50 Hz; stops both."""
    nodes = []

    def start(node: str, **parameters) -> FakeArm:
        options = {'robot_file': ROBOT_FILE, 'rate': 50.0, 'max_age': 1.0, **parameters}
        arguments = [word for name, value in options.items() for word in ('-p', f'{name}:={value}')]
        settings = ROOT / f'config/nodes/{node}.yaml'
        bench = Bench('/pneumatic_arm').__enter__()
        process = bench.start(
            executable('continua_control', node), '--params-file', str(settings), *arguments
        )
        nodes.append((bench, process))
        arm = FakeArm(bench)
        arm.wait_status(ControllerStatus.STATUS_IDLE)
        return arm

    yield start
    for bench, process in nodes:
        with bench, process:
            assert process.stop() == 0


@pytest.fixture
def reference():
    """Function that makes a reference in the world from arrays by field."""

    def make(model_id: str = '', **fields) -> Reference:
        message = Reference(**{name: convert.flat(values) for name, values in fields.items()})
        message.model_id = model_id
        message.header.frame_id = 'world'
        return message

    return make
