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
PERIOD = 0.02  # s


class Lab:
    """An observer that watches a moving arm. states: its estimates, oldest first."""

    def __init__(self, bench, name):
        self.bench, self.name = bench, name
        self.states = bench.collect(RodState, 'estimate/state', qos.STATE)
        self._diagnostics = bench.diagnostics()
        arguments = ['--params-file', str(CONFIG / 'nodes' / f'{name}.yaml')]
        arguments += ['-p', f'robot_file:={ROBOT_FILE}']
        self.node = bench.start(executable('continua_estimation', name), *arguments)
        self.plant = Plant(bench)

    def settle(self):
        """Nothing is wrong with the readings, and thirty more estimates have become right."""
        self.plant.tendons = self.plant.markers = lambda message: message
        count = len(self.states)

        def is_right():
            recent = self.errors(len(self.states) - 10)
            return len(self.states) > count + 30 and len(recent) >= 10 and recent.max() < 2e-3

        self.bench.wait_until(is_right, 'right estimates')

    def wait_for_estimates(self, more=30):
        """How many there were before these."""
        count = len(self.states)
        self.bench.wait_until(lambda: len(self.states) > count + more, 'estimates')
        return count

    def wait_for(self, key, more=0):
        """Until what the diagnostics count has grown by more than `more`."""
        before = self.value(key)
        self.bench.wait_until(lambda: self.value(key) > before + more, f'{key} to grow')

    def value(self, key):
        return self._diagnostics.value(self.name, key)

    def sentence(self):
        return self._diagnostics.sentence(self.name)

    def error(self, first):
        """Median of `errors`: on a busy machine readings pause, and the observer begins anew."""
        return np.median(self.errors(first))

    def errors(self, first):
        """Distances (s,) m of estimated and true tips at the stamps of the estimates."""
        pairs = [
            (np.array(state.shape.position[-3:]), self.plant.tips.get(nanoseconds(state.header.stamp)))
            for state in self.states[first:]
        ]
        return np.array([np.linalg.norm(tip - true) for tip, true in pairs if true is not None])

    def is_in_order(self):
        stamps = [nanoseconds(state.header.stamp) for state in self.states]
        return stamps == sorted(set(stamps))


@pytest.fixture(scope='module', params=['sdre_observer', 'fused_observer'])
def observer(request):
    with Bench('/sdre_arm') as bench:
        lab = Lab(bench, request.param)
        with lab.node:
            yield lab


@pytest.fixture
def lab(observer):
    observer.settle()
    return observer


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


def test_it_finds_the_moving_arm_with_rates_and_covariance(lab):
    state, rod = lab.states[-1], Rod(ROBOT)
    assert state.model_id == rod.model_id
    assert len(state.q) == len(state.qd) == rod.dof
    covariance = np.reshape(state.covariance, (2 * rod.dof, 2 * rod.dof))
    assert np.array_equal(covariance, covariance.T) and np.linalg.eigvalsh(covariance)[0] > 0.0
    lab.bench.wait_until(lambda: lab.value('latency_median [ms]') > 0.0, 'a latency')
    assert ('observable' in lab.sentence()) == (lab.name == 'sdre_observer')


def test_bad_readings_are_counted_by_reason(lab):
    same = []

    def repeated(message):
        same.append(message)
        return same[0]

    for counter, change in (
        ('rejected_nan', spoiled),
        ('rejected_stale', lambda message: shifted(message, -5.0)),
        ('rejected_future', lambda message: shifted(message, 5.0)),
        ('rejected_repeated', repeated),
    ):
        # every second message, so that the observer knows where it is
        lab.plant.tendons = lambda message, do=change: do(message) if lab.plant.ticks % 2 else message
        lab.wait_for(counter)
    lab.settle()
    assert lab.is_in_order()
    assert lab.node.is_running


def test_messages_out_of_order_have_their_place(lab):
    held = []

    def swapped(message):
        """Every second message four periods late."""
        if lab.plant.ticks % 2:
            held.append(message)
            return held[-3] if len(held) > 2 else None
        return message

    refused = [lab.value(counter) for counter in ('rejected_stale', 'rejected_repeated')]
    lab.plant.tendons = swapped
    count = lab.wait_for_estimates(50)
    assert lab.error(count) < 2e-3
    assert lab.is_in_order()
    assert [lab.value(counter) for counter in ('rejected_stale', 'rejected_repeated')] == refused


def test_a_gap_is_said_and_ends_with_a_new_start(lab):
    lab.plant.tendons = lambda message: None
    lab.bench.wait_until(lambda: 'no tendon/state arrives' in lab.sentence(), 'a word on the gap')
    lab.settle()
    answer = lab.bench.call(Trigger, f'{lab.name}/restart')
    assert answer.success and 'begins' in answer.message
    lab.settle()


def test_a_faulty_sensor_does_not_pull_the_estimate_along(lab):
    def faulty(message):
        message.fault[0] = TendonState.FAULT_SENSOR
        message.displacement[0], message.tension[0] = 0.5, 100.0
        return message

    lab.plant.tendons = faulty
    # its pull is taken for the applied one, which the drive follows with a lag
    assert lab.error(lab.wait_for_estimates()) < 0.02


@pytest.mark.parametrize('observer', ['fused_observer'], indirect=True)
def test_wrong_markers_are_refused_by_their_innovation_and_hidden_ones_not_missed(lab):
    def displaced(message):
        message.position = convert.flat(np.array(message.position) + 0.1)
        return message

    def hidden(message):
        nowhere, unseen = np.zeros((3, 3)), np.zeros(3, dtype=bool)
        return convert.markers_to_msg(message.header.stamp, 'world', message.name, nowhere, unseen)

    lab.plant.markers, count = displaced, len(lab.states)
    lab.wait_for('rejected_innovation', more=20)
    assert lab.error(count) < 2e-3
    for change in (hidden, lambda message: None):
        lab.plant.markers = change
        assert lab.error(lab.wait_for_estimates()) < 2e-3
