"""The reference player as a process, with a robot of nothing but topics."""

from pathlib import Path

import numpy as np
import pytest
from std_srvs.srv import SetBool

from continua.control.references import Babble
from continua.description import load_robot
from continua_msgs.msg import ControllerStatus, TendonCommand, TendonState
from continua_node import convert, qos
from continua_node.testing import Bench, executable

ROOT = Path(__file__).resolve().parents[3]
ROBOT_FILE = ROOT / 'config/robots/tendon_arm.yaml'
SETTINGS_FILE = ROOT / 'config/nodes/reference_player.yaml'
NAMES = [tendon.name for tendon in load_robot(ROBOT_FILE).tendons]
N = len(NAMES)


class FakeRobot:
    """Says at 100 Hz that it is there; keeps every command that it gets."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.fault = TendonState.FAULT_NONE
        self.commands = bench.collect(TendonCommand, 'tendon/command', qos.COMMAND, depth=1000)
        self.status = bench.collect(ControllerStatus, 'control/status', qos.STATE)
        self._publisher = bench.node.create_publisher(TendonState, 'tendon/state', qos.SENSOR.offered)
        self.timer = bench.node.create_timer(0.01, self._publish)

    @property
    def tension(self) -> np.ndarray:
        """Commands so far, (k, n) N."""
        read = [convert.tendon_command_from_msg(m, NAMES)[1] for m in self.commands]
        return np.array([[values[name] for name in NAMES] for values in read]).reshape(-1, N)

    def wait_status(self, status: int, sentence: str = '') -> None:
        self.bench.wait_until(
            lambda: self.status and self.status[-1].status == status and sentence in self.status[-1].message,
            f'status {status} {sentence}',
        )

    def wait_slack(self) -> None:
        """Until commands have stopped, for 10 status messages, and the last one is 0 N."""
        commands = status = -1

        def is_silent() -> bool:
            nonlocal commands, status
            if len(self.commands) != commands:
                commands, status = len(self.commands), len(self.status)
            return len(self.status) >= status + 10

        self.bench.wait_until(is_silent, 'the end of the commands')
        assert not self.tension[-1].any()

    def enable_player(self, is_on: bool) -> SetBool.Response:
        return self.bench.call(SetBool, 'reference_player/enable', SetBool.Request(data=is_on))

    def _publish(self) -> None:
        zeros = np.zeros(N)
        stamp = self.bench.node.get_clock().now().to_msg()
        fields = dict.fromkeys(('tension', 'displacement', 'velocity', 'command', 'is_saturated'), zeros)
        self._publisher.publish(
            convert.tendon_state_to_msg(stamp, NAMES, **fields, fault=np.full(N, self.fault))
        )


@pytest.fixture
def bench():
    with Bench('/tendon_arm') as bench:
        yield bench


def start(bench: Bench, **parameters):
    arguments = [f'{name}:={value}' for name, value in ({'robot_file': ROBOT_FILE} | parameters).items()]
    options = [option for argument in arguments for option in ('-p', argument)]
    return bench.start(
        executable('continua_control', 'reference_player'), '--params-file', str(SETTINGS_FILE), *options
    )


def test_it_babbles_within_limits_as_its_seed_says(bench):
    robot = FakeRobot(bench)
    with start(bench, seed=5, hold_min=0.05, hold_max=0.2) as node:
        bench.wait_until(lambda: len(robot.commands) > 100, '100 commands')
        assert node.stop() == 0
    babble = Babble(np.zeros(N), np.full(N, 4.0), 0.05, 0.2, seed=5)
    expected = np.array([babble(t) for t in np.arange(0.0, 60.0, 0.01)])
    pulls = robot.tension[robot.tension.any(axis=1)]
    for played, known in zip(pulls.T, expected.T, strict=True):
        assert set(played) <= set(known)
        assert len(set(played)) > 1
    assert (robot.tension <= 4.0).all()


def test_it_ends_with_zero_and_says_that_it_is_idle(bench):
    robot = FakeRobot(bench)
    with start(bench, kind='step', step_time=0.1, amplitude='[3.0]', duration=0.5) as node:
        robot.wait_status(ControllerStatus.STATUS_IDLE, 'finished')
        robot.wait_slack()
        assert (robot.tension == 3.0).any()
        assert robot.enable_player(True).success
        robot.wait_status(ControllerStatus.STATUS_OK, 'playing')
        assert node.stop() == 0


def test_it_exits_with_zero_tension_when_asked_to_end(bench):
    robot = FakeRobot(bench)
    with start(bench, hold_min=0.05, hold_max=0.2, duration=0.5, exits='true') as node:
        robot.wait_status(ControllerStatus.STATUS_IDLE, 'finished')
        assert node.wait() == 0
    assert robot.tension.any() and not robot.tension[-1].any()


def test_it_waits_for_the_robot_and_is_slack_when_it_goes(bench):
    robot = FakeRobot(bench)
    robot.timer.cancel()
    with start(bench, kind='sine', offset='[1.0]'):
        robot.wait_status(ControllerStatus.STATUS_INPUT_STALE, 'waiting for the robot')
        assert not robot.commands
        robot.timer.reset()
        bench.wait_until(lambda: robot.commands, 'a command')
        assert (robot.tension[0] >= 1.0).all()
        robot.timer.cancel()
        robot.wait_status(ControllerStatus.STATUS_INPUT_STALE)
        robot.wait_slack()


def test_a_pause_is_slack_and_leaves_the_commands_to_others(bench):
    robot = FakeRobot(bench)
    with start(bench, kind='circle', offset='[0.5]'):
        robot.wait_status(ControllerStatus.STATUS_OK)
        response = robot.enable_player(False)
        assert response.success
        assert 'paused' in response.message
        robot.wait_slack()
        robot.wait_status(ControllerStatus.STATUS_IDLE, 'paused')
        assert robot.enable_player(True).success
        bench.wait_until(lambda: robot.tension[-1].any(), 'a pull')


def test_it_can_begin_paused(bench):
    robot = FakeRobot(bench)
    with start(bench, autostart='false'):
        robot.wait_status(ControllerStatus.STATUS_IDLE, 'paused')
        assert not robot.commands
        robot.enable_player(True)
        bench.wait_until(lambda: robot.commands, 'a command')


def test_after_an_emergency_stop_it_needs_to_be_enabled_again(bench):
    robot = FakeRobot(bench)
    with start(bench, kind='sine', offset='[1.0]'):
        bench.wait_until(lambda: robot.commands, 'a command')
        robot.fault = TendonState.FAULT_EMERGENCY_STOP
        robot.wait_status(ControllerStatus.STATUS_STOPPED, 'emergency stop')
        robot.wait_slack()
        response = robot.enable_player(True)
        assert not response.success
        assert 'emergency stop' in response.message
        robot.fault = TendonState.FAULT_NONE
        robot.wait_status(ControllerStatus.STATUS_IDLE, 'paused')
        robot.wait_slack()
        assert robot.enable_player(True).success
        bench.wait_until(lambda: robot.tension[-1].any(), 'a pull')


def test_when_it_is_ended_it_leaves_the_tendons_slack(bench):
    robot = FakeRobot(bench)
    with start(bench, kind='sine', offset='[1.0]') as node:
        bench.wait_until(lambda: robot.commands, 'a command')
        assert node.stop() == 0
        bench.wait_until(lambda: not robot.tension[-1].any(), 'slack')


def test_it_plays_a_csv_file(bench, tmp_path):
    path = tmp_path / 'reference.csv'
    path.write_text('\n'.join(['time,' + ','.join(NAMES), '0' + ',1.0' * N, '0.3' + ',2.5' * N]))
    robot = FakeRobot(bench)
    with start(bench, kind='csv', csv_file=path, csv_interpolation='hold'):
        robot.wait_status(ControllerStatus.STATUS_IDLE, 'finished')
        robot.wait_slack()
    assert set(np.unique(robot.tension)) <= {0.0, 1.0, 2.5}
    assert (robot.tension == 1.0).any()


@pytest.mark.parametrize(
    ('parameters', 'sentence'),
    [
        (
            {'amplitude': '[7.0]'},
            "tendon 'long_1': the reference goes from 0 to 7 N, but its limits are 0 to 6",
        ),
        ({'amplitude': '[1.0, 2.0]'}, 'amplitude has 2 numbers, expected 1, for all, or 6'),
        ({'kind': 'sin'}, "'kind' is 'sin', expected one of 'step', 'release'"),
        ({'hold_min': 3.0}, 'holding times are [3.0, 2.0] s'),
        ({'kind': 'csv', 'csv_file': 'nowhere.csv'}, 'nowhere.csv: cannot be read'),
        ({'robot_file': 'nowhere.yaml'}, 'nowhere.yaml'),
        ({'frequenzy': 1.0}, "'frequenzy' (did you mean 'frequency'"),
    ],
)
def test_wrong_settings_stop_the_start_with_a_sentence(bench, parameters, sentence):
    with start(bench, **parameters) as node:
        assert node.wait() == 2
        assert sentence in node.output()
        assert 'Traceback' not in node.output()
