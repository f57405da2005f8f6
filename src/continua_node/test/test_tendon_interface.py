"""The face of driver and simulator, tested on a node that has nothing behind it."""

import math
import time
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from std_srvs.srv import SetBool, Trigger

from continua.description import load_robot
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, qos

ROBOT_FILE = Path(__file__).parents[3] / 'config/robots/tendon_arm.yaml'
NAMES = [tendon.name for tendon in load_robot(ROBOT_FILE).tendons]
N = len(NAMES)

NODE = f"""
def __init__(self):
    super().__init__('probe')
    import numpy
    from continua.description import load_robot
    from continua_node import safety_services
    from continua_node.tendon_interface import TendonInterface
    settings = params.declare(self, [Parameter('watchdog', 0.1, 'of commands', 's')])
    robot = load_robot({str(ROBOT_FILE)!r})
    self.diagnostics = diagnostics.Diagnostics(self)
    self.tendons = TendonInterface(self, robot.tendons, settings.watchdog, self.diagnostics)
    safety_services.offer(self, self.tendons, tare=lambda: (True, 'zeroed'))
    self.zeros = numpy.zeros(len(robot.tendons))
    self.diagnostics.timer(0.01, self.step)

def step(self):
    setpoint = self.tendons.setpoint()
    stamp = self.get_clock().now().to_msg()
    self.tendons.publish(stamp, setpoint, setpoint.value, self.zeros, self.zeros)
    self.diagnostics.set_state(*self.tendons.state)
"""


class Robot:
    """The probe node, its newest state, and commands to it."""

    def __init__(self, bench):
        self.bench = bench
        self.states = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
        self.reports = bench.collect(DiagnosticArray, '/diagnostics', qos.STATE)
        self.publisher = bench.node.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)
        bench.wait_until(lambda: self.states and self.publisher.get_subscription_count(), 'the robot')

    @property
    def newest(self) -> convert.TendonArrays:
        return convert.tendon_state_from_msg(self.states[-1], NAMES)

    def now(self):
        return self.bench.node.get_clock().now().to_msg()

    def command(self, tension=2.0):
        self.publisher.publish(convert.tendon_command_to_msg(self.now(), NAMES, [tension] * N))

    def count(self, event: str) -> int:
        values = {e.key: e.value for m in self.reports[-1:] for s in m.status for e in s.values}
        return int(values.get(event, 0))

    def pull(self):
        """Command until the tendons pull."""
        self.bench.wait_until(lambda: self.command() or (self.newest.command == 2.0).all(), 'tension')

    def wait_fault(self, fault: int):
        self.bench.wait_until(
            lambda: (self.newest.fault == fault).all() and not self.newest.command.any(), f'fault {fault}'
        )


@pytest.fixture
def robot(bench, script):
    with bench.start(script(NODE), '-p', 'settings_id:=test'):
        yield Robot(bench)


def test_it_is_slack_until_enabled_and_pulls_then(bench, robot):
    assert not robot.newest.command.any()
    response = bench.call(SetBool, 'enable', SetBool.Request(data=True))
    assert response.success
    robot.pull()
    assert not robot.newest.fault.any()
    assert bench.call(SetBool, 'enable', SetBool.Request(data=False)).success
    robot.wait_fault(TendonState.FAULT_NONE)


def test_without_commands_it_goes_slack_and_a_command_resumes(bench, robot):
    bench.call(SetBool, 'enable', SetBool.Request(data=True))
    robot.pull()
    robot.wait_fault(TendonState.FAULT_WATCHDOG)
    robot.pull()
    assert not robot.newest.fault.any()


def test_the_emergency_stop_is_latched_until_reset(bench, robot):
    bench.call(SetBool, 'enable', SetBool.Request(data=True))
    robot.pull()
    assert bench.call(Trigger, 'emergency_stop').success
    robot.wait_fault(TendonState.FAULT_EMERGENCY_STOP)
    refused = bench.call(SetBool, 'enable', SetBool.Request(data=True))
    assert not refused.success
    assert 'emergency stop is latched' in refused.message
    assert bench.call(Trigger, 'reset').success
    robot.wait_fault(TendonState.FAULT_NONE)
    assert bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
    robot.pull()


def test_tare_answers_with_the_sentence_of_the_device(bench, robot):
    response = bench.call(Trigger, 'tare')
    assert (response.success, response.message) == (True, 'zeroed')


@pytest.mark.parametrize(
    ('reason', 'fields'),
    [
        ('nan', {'name': NAMES[:1], 'tension': [math.nan]}),
        ('length', {'name': NAMES, 'tension': [1.0]}),
        ('name', {'name': ['nobody'], 'tension': [1.0]}),
        ('quantity', {'name': NAMES[:1], 'tension': [1.0], 'displacement': [0.01]}),
        ('quantity', {'name': NAMES[:1]}),
        ('quantity', {'name': NAMES[:1], 'displacement': [0.01]}),
        ('stale', {'name': NAMES[:1], 'tension': [1.0]}),
    ],
)
def test_a_wrong_command_is_counted_and_moves_nothing(bench, robot, reason, fields):
    bench.call(SetBool, 'enable', SetBool.Request(data=True))
    message = TendonCommand(**fields)
    if reason != 'stale':
        message.header.stamp = robot.now()
    robot.publisher.publish(message)
    bench.wait_until(lambda: robot.count(f'rejected_{reason}') == 1, 'the refusal')
    assert not any(any(state.command) for state in robot.states)


def test_a_command_from_the_future_is_refused(bench, robot):
    bench.call(SetBool, 'enable', SetBool.Request(data=True))
    message = convert.tendon_command_to_msg(convert.to_stamp(time.time() + 3600.0), NAMES, [1.0] * N)
    robot.publisher.publish(message)
    bench.wait_until(lambda: robot.count('rejected_stale') == 1, 'the refusal')
