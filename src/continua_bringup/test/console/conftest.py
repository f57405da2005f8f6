"""A robot of nothing but topics and services, and the real console process beside it."""

import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import rclpy
from ament_index_python.packages import get_package_prefix
from rclpy.executors import SingleThreadedExecutor
from std_srvs.srv import SetBool, Trigger

from continua.description import load_robot
from continua_bringup.console.server import open_server
from continua_msgs.msg import MarkerArray3D, RodShape, TendonCommand, TendonState
from continua_node import convert, qos

ROOT = Path(__file__).resolve().parents[4]
ROBOT_FILE = ROOT / 'config/robots/tendon_arm.yaml'
SETTINGS_FILE = ROOT / 'config/nodes/console.yaml'
EXECUTABLE = Path(get_package_prefix('continua_bringup')) / 'lib/continua_bringup/console'
NAMESPACE = f'/console_test_{os.getpid()}'


def wait_for(condition, what: str, timeout: float = 90.0):
    """Return the first true value of `condition()`."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f'waited {timeout} s in vain for {what}')


def bent_shape(angle: float, length: float = 0.25, n: int = 31) -> convert.ShapeArrays:
    """An arc of a circle that bends by `angle` [rad] in the world's x-z plane and hangs from (0, 0, 0.4)."""
    s = np.linspace(0.0, length, n)
    curvature = (angle if abs(angle) > 1e-6 else 1e-6) / length
    turn = curvature * s
    position = np.stack([(1 - np.cos(turn)) / curvature, 0 * s, 0.4 - np.sin(turn) / curvature], axis=-1)
    half = 0.5 * (np.pi / 2 - turn)  # about y, from x down
    orientation = np.stack([0 * s, np.sin(half), 0 * s, np.cos(half)], axis=-1)
    strain = np.tile([0.0, -curvature, 0.0, 1.0, 0.0, 0.0], (n, 1))
    return convert.ShapeArrays(s, position, orientation, strain)


class FakeRobot:
    """Moves while it is enabled, not stopped, and either the player plays or somebody commands."""

    def __init__(self) -> None:
        self.robot = load_robot(ROBOT_FILE)
        self.names = [tendon.name for tendon in self.robot.tendons]
        self.phase = 0.0
        self.cycles = 0
        self.begin_anew()
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self._node = node = rclpy.create_node('fake_robot', namespace=NAMESPACE, context=self._context)
        self._estimate = node.create_publisher(RodShape, 'estimate/shape', qos.STATE.offered)
        self._truth = node.create_publisher(RodShape, 'truth/shape', qos.STATE.offered)
        self._state = node.create_publisher(TendonState, 'tendon/state', qos.SENSOR.offered)
        self._markers = node.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
        node.create_subscription(TendonCommand, 'tendon/command', self._on_command, qos.COMMAND.requested)
        node.create_service(SetBool, 'enable', self._on_enable)
        node.create_service(SetBool, 'reference_player/enable', self._on_player)
        node.create_service(Trigger, 'emergency_stop', self._on_stop)
        node.create_service(Trigger, 'reset', self._on_reset)
        node.create_timer(0.02, self._cycle)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(node)
        self._thread = threading.Thread(target=self._executor.spin)
        self._thread.start()

    def begin_anew(self) -> None:
        """Move, well and unasked."""
        self.is_enabled = self.is_playing = self.gives_estimate = True
        self.is_latched = self.refuses_stop = False
        self.calls: list[str] = []
        self.commands: list[dict[str, float]] = []

    def tension(self) -> np.ndarray:
        """Tensions (n,) [N], measured and applied."""
        n = len(self.names)
        return np.zeros(n) if self.is_latched else 2.0 + np.sin(self.phase + np.arange(n))

    def close(self) -> None:
        self._executor.shutdown()
        self._thread.join()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)

    def wait_cycles(self, n: int) -> None:
        """Wait until the robot has published n more times."""
        target = self.cycles + n
        wait_for(lambda: self.cycles >= target, f'{n} cycles of the fake robot')

    def _cycle(self) -> None:
        if self.is_enabled and not self.is_latched and self.is_playing:
            self.phase += 0.04
        stamp = self._node.get_clock().now().to_msg()
        shape = bent_shape(1.2 * np.sin(self.phase))
        self._truth.publish(convert.shape_to_msg(shape, stamp))
        if self.gives_estimate:
            self._estimate.publish(convert.shape_to_msg(shape, stamp))
        row = np.searchsorted(shape.arc_length, [marker.arc_length for marker in self.robot.markers])
        beside = shape.position[row] + [0.0, 0.015, 0.0]
        names = [marker.name for marker in self.robot.markers]
        self._markers.publish(convert.markers_to_msg(stamp, 'world', names, beside, np.ones(len(names))))
        n, tension = len(self.names), self.tension()
        fault = np.full(n, TendonState.FAULT_EMERGENCY_STOP if self.is_latched else 0)
        state = {'tension': tension, 'displacement': 0 * tension, 'velocity': 0 * tension, 'command': tension}
        state |= {'is_saturated': np.zeros(n), 'fault': fault}
        self._state.publish(convert.tendon_state_to_msg(stamp, self.names, **state))
        self.cycles += 1

    def _on_command(self, message: TendonCommand) -> None:
        self.commands.append(convert.tendon_command_from_msg(message, self.names)[1])

    def _on_enable(self, request, response):
        self.is_enabled = request.data
        return self._answer(f'enable {request.data}', response)

    def _on_player(self, request, response):
        self.is_playing = request.data
        return self._answer(f'player {request.data}', response)

    def _on_stop(self, request, response):
        if self.refuses_stop:
            response.success, response.message = False, 'cannot'
            return response
        self.is_latched, self.is_enabled = True, False
        return self._answer('emergency_stop', response)

    def _on_reset(self, request, response):
        self.is_latched = False
        return self._answer('reset', response)

    def _answer(self, call: str, response):
        self.calls.append(call)
        response.success, response.message = True, f'{call} understood'
        return response


class ConsoleProcess:
    """The executable of the package, with a free port unless told otherwise."""

    def __init__(self, log: Path, *arguments: str, **environment: str) -> None:
        self.log = log
        command = [EXECUTABLE, '--ros-args', '-r', f'__ns:={NAMESPACE}', '--params-file', SETTINGS_FILE]
        parameters = ['-p', f'robot_file:={ROBOT_FILE}', '-p', 'port:=0', *arguments]
        with open(log, 'w') as out:
            self.process = subprocess.Popen(
                [*map(str, command), *parameters],
                stdout=out,
                stderr=subprocess.STDOUT,
                env=os.environ | {'ROS_LOG_DIR': str(log.parent)} | environment,
            )

    def address(self) -> str:
        """Where the page is, as the console says."""

        def said():
            assert self.process.poll() is None, self.log.read_text()
            return re.search(r'console: (http://\S+)', self.log.read_text())

        return wait_for(said, 'the address of the console').group(1)

    def close(self) -> int:
        """Ask it to stop, unless it has; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@pytest.fixture(scope='session', autouse=True)
def _stay_on_this_machine():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        yield


@pytest.fixture(scope='session')
def wait_until():
    return wait_for


@pytest.fixture
def server():
    """An empty page."""
    server = open_server('127.0.0.1', 0, 'test')
    yield server
    server.stop()


@pytest.fixture
def console_process(tmp_path):
    """Starts consoles, and stops those that still run at the end."""
    processes = []

    def start(*arguments: str, **environment: str) -> ConsoleProcess:
        processes.append(
            ConsoleProcess(tmp_path / f'console_{len(processes)}.log', *arguments, **environment)
        )
        return processes[-1]

    yield start
    for process in processes:
        process.close()


@pytest.fixture(scope='session')
def make_shape():
    return bent_shape


@pytest.fixture(scope='session')
def robot():
    return load_robot(ROBOT_FILE)


@pytest.fixture(scope='module')
def fake_robot():
    robot = FakeRobot()
    yield robot
    robot.close()


@pytest.fixture(scope='module')
def console(tmp_path_factory):
    # A browser without GPU on a busy machine may take seconds for a picture.
    log = tmp_path_factory.mktemp('console') / 'console.log'
    process = ConsoleProcess(log, '-p', 'release_after:=10.0')
    yield process
    assert process.close() == 0, process.log.read_text()
