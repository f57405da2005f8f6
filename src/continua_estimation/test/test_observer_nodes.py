"""The observers as processes: a moving arm's readings in, its tip out, whatever happens on the way."""

from pathlib import Path

import numpy as np
import pytest
from ament_index_python.packages import get_package_share_directory
from std_srvs.srv import Trigger

from continua.description import load_robot
from continua.rod import Rod
from continua.simulation import SensorSettings, SimulatedArm
from continua_msgs.msg import MarkerArray3D, RodState, TendonState
from continua_node import convert, qos
from continua_node.testing import Bench, executable

CONFIG = Path(get_package_share_directory('continua_bringup'), 'config')
ROBOT_FILE = CONFIG / 'robots' / 'sdre_arm.yaml'
ROBOT = load_robot(ROBOT_FILE)
OBSERVERS = ('sdre_observer', 'fused_observer')
PERIOD = 0.02  # s


@pytest.fixture
def bench():
    with Bench('/sdre_arm') as bench:
        yield bench


@pytest.fixture
def start(bench):
    """Function that starts an observer by name; all are stopped at the end."""
    nodes = []

    def start(name, *parameters):
        arguments = ['--params-file', str(CONFIG / 'nodes' / f'{name}.yaml')]
        arguments += ['-p', f'robot_file:={ROBOT_FILE}', *parameters]
        nodes.append(bench.start(executable('continua_estimation', name), *arguments))
        return nodes[-1]

    yield start
    for node in nodes:
        node.__exit__()


class Plant:
    """An arm that moves, and whose sensors publish 50 times a second while the bench waits.

    tendons, markers: functions that may change or drop (None) a message. tips: true tip by nanoseconds.
    """

    def __init__(self, bench):
        self._node, self.tips, self.ticks = bench.node, {}, 0
        sensors = SensorSettings(marker_noise=1e-4, displacement_noise=1e-6, tension_noise=0.0)
        self._arm = SimulatedArm(Rod(ROBOT), sensors)
        self._tip = np.array([self._arm.rod.length])
        self._last = bench.node.get_clock().now()
        self.tendons = self.markers = lambda message: message
        self._state = bench.node.create_publisher(TendonState, 'tendon/state', qos.SENSOR.offered)
        self._seen = bench.node.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
        bench.node.create_timer(PERIOD, self._tick)

    def _tick(self):
        phase = 4.0 * self._arm.time + 2.0 * np.pi / 3.0 * np.arange(3)
        setpoint = 2.0 * (1.0 - np.cos(phase))
        now = self._node.get_clock().now()
        self._arm.advance((now - self._last).nanoseconds * 1e-9, setpoint)
        self._last, stamp = now, now.to_msg()
        self.ticks += 1
        reading = self._arm.measure()
        self.tips[nanoseconds(stamp)] = self._arm.shape(self._tip).position[0]
        state = convert.tendon_state_to_msg(
            stamp,
            ROBOT.tendon_names,
            tension=reading.tension,
            displacement=reading.displacement,
            velocity=reading.velocity,
            command=setpoint,
            is_saturated=np.zeros(3, dtype=bool),
            fault=np.zeros(3),
        )
        seen = convert.markers_to_msg(
            stamp, 'world', ROBOT.marker_names, reading.marker, reading.marker_valid
        )
        for publisher, message in ((self._state, self.tendons(state)), (self._seen, self.markers(seen))):
            if message is not None:
                publisher.publish(message)


def nanoseconds(stamp):
    return stamp.sec * 10**9 + stamp.nanosec


def shifted(message, seconds):
    """The message, stamped so much later."""
    message.header.stamp = convert.to_stamp(convert.from_stamp(message.header.stamp) + seconds)
    return message


def spoiled(message):
    message.displacement[0] = float('nan')
    return message


def errors(plant, states):
    """Distances (s,) m of estimated and true tips at the stamps of the estimates."""
    pairs = [(np.array(s.shape.position[-3:]), plant.tips.get(nanoseconds(s.header.stamp))) for s in states]
    return np.array([np.linalg.norm(tip - true) for tip, true in pairs if true is not None])


def is_right(plant, states):
    """Whether ten estimates in a row are within 2 mm of the truth."""
    recent = errors(plant, states[-10:])
    return len(recent) >= 10 and recent.max() < 2e-3


@pytest.mark.parametrize('name', OBSERVERS)
def test_it_finds_the_moving_arm_with_rates_and_covariance(bench, start, name):
    start(name)
    plant, states = Plant(bench), bench.collect(RodState, 'estimate/state', qos.STATE)
    bench.wait_until(lambda: is_right(plant, states), 'a right estimate')
    state, rod = states[-1], Rod(ROBOT)
    assert state.model_id == rod.model_id
    assert len(state.q) == len(state.qd) == rod.dof
    covariance = np.reshape(state.covariance, (2 * rod.dof, 2 * rod.dof))
    assert np.array_equal(covariance, covariance.T) and np.linalg.eigvalsh(covariance)[0] > 0.0
    diagnostics = bench.diagnostics()
    bench.wait_until(lambda: diagnostics.value(name, 'latency_median [ms]') > 0.0, 'a latency')
    if name == 'sdre_observer':
        assert 'observable' in diagnostics.sentence(name)


@pytest.mark.parametrize('name', OBSERVERS)
def test_bad_readings_are_counted_by_reason_and_good_ones_taken_again(bench, start, name):
    node = start(name)
    plant, states = Plant(bench), bench.collect(RodState, 'estimate/state', qos.STATE)
    diagnostics = bench.diagnostics()
    bench.wait_until(lambda: is_right(plant, states), 'a right estimate')
    same = []

    def repeated(message):
        same.append(message)
        return same[0]

    for counter, tendons in (
        ('rejected_nan', spoiled),
        ('rejected_stale', lambda message: shifted(message, -5.0)),
        ('rejected_future', lambda message: shifted(message, 5.0)),
        ('rejected_repeated', repeated),
    ):
        before = diagnostics.value(name, counter)
        # every second message, so that the observer knows where it is
        plant.tendons = lambda message, do=tendons: do(message) if plant.ticks % 2 else message
        bench.wait_until(lambda c=counter, b=before: diagnostics.value(name, c) > b, f'{counter} to grow')
    plant.tendons = lambda message: message
    count = len(states)
    bench.wait_until(lambda: len(states) > count + 20 and is_right(plant, states), 'right estimates again')
    stamps = [nanoseconds(state.header.stamp) for state in states]
    assert stamps == sorted(stamps)
    assert node.is_running


@pytest.mark.parametrize('name', OBSERVERS)
def test_messages_out_of_order_have_their_place(bench, start, name):
    start(name)
    plant, states = Plant(bench), bench.collect(RodState, 'estimate/state', qos.STATE)
    diagnostics, held = bench.diagnostics(), []

    def swapped(message):
        """Every second message one period later than the one after it."""
        if plant.ticks % 2:
            held.append(message)
            return held[-3] if len(held) > 2 else None
        return message

    plant.tendons = plant.markers = lambda message: message
    bench.wait_until(lambda: is_right(plant, states), 'a right estimate')
    plant.tendons = swapped
    count = len(states)
    bench.wait_until(lambda: len(states) > count + 30, 'estimates')
    assert errors(plant, states[count:]).max() < 5e-3
    stamps = [nanoseconds(state.header.stamp) for state in states]
    assert stamps == sorted(set(stamps))
    before = diagnostics.value(name, 'rate [Hz]')
    bench.wait_until(lambda: diagnostics.value(name, 'rate [Hz]') != before, 'new diagnostics')
    assert diagnostics.value(name, 'rejected_stale') == diagnostics.value(name, 'rejected_repeated') == 0


@pytest.mark.parametrize('name', OBSERVERS)
def test_a_gap_is_said_and_ends_with_a_new_start(bench, start, name):
    start(name)
    plant, states = Plant(bench), bench.collect(RodState, 'estimate/state', qos.STATE)
    diagnostics = bench.diagnostics()
    bench.wait_until(lambda: is_right(plant, states), 'a right estimate')
    plant.tendons = lambda message: None
    bench.wait_until(lambda: 'no tendon/state arrives' in diagnostics.sentence(name), 'a word on the gap')
    count = len(states)
    plant.tendons = lambda message: message
    bench.wait_until(lambda: len(states) > count + 20 and is_right(plant, states), 'right estimates again')
    answer = bench.call(Trigger, f'{name}/restart')
    assert answer.success and 'begins' in answer.message
    count = len(states)
    bench.wait_until(lambda: len(states) > count + 20 and is_right(plant, states), 'right estimates again')


def test_wrong_markers_are_refused_by_their_innovation_and_hidden_ones_missed_by_nobody(bench, start):
    start('fused_observer')
    plant, states = Plant(bench), bench.collect(RodState, 'estimate/state', qos.STATE)
    diagnostics = bench.diagnostics()
    bench.wait_until(lambda: is_right(plant, states), 'a right estimate')

    def displaced(message):
        message.position = convert.flat(np.array(message.position) + 0.1)
        return message

    plant.markers = displaced
    count, counted = len(states), diagnostics.value('fused_observer', 'rejected_innovation')
    bench.wait_until(
        lambda: diagnostics.value('fused_observer', 'rejected_innovation') > counted + 20, 'refused markers'
    )
    assert errors(plant, states[count:]).max() < 5e-3

    def hidden(message):
        return convert.markers_to_msg(
            message.header.stamp, 'world', message.name, np.zeros((3, 3)), np.zeros(3, dtype=bool)
        )

    for change in (hidden, lambda message: None):
        plant.markers, count = change, len(states)
        bench.wait_until(lambda c=count: len(states) > c + 20, 'estimates without markers')
        assert errors(plant, states[count:]).max() < 5e-3


def test_a_faulty_tendon_does_not_pull_the_estimate_along(bench, start):
    start('fused_observer')
    plant, states = Plant(bench), bench.collect(RodState, 'estimate/state', qos.STATE)

    def faulty(message):
        message.fault[0] = TendonState.FAULT_SENSOR
        message.displacement[0], message.tension[0] = 0.5, 100.0
        return message

    bench.wait_until(lambda: is_right(plant, states), 'a right estimate')
    plant.tendons, count = faulty, len(states)
    bench.wait_until(lambda: len(states) > count + 30, 'estimates with one tendon less')
    # its pull is taken for the applied one, which the drive follows with a lag
    assert errors(plant, states[count:]).max() < 0.02
