"""The shape estimator as a process: right markers in, right shape out; wrong ones are refused and counted."""

from pathlib import Path

import numpy as np
import pytest
from ament_index_python.packages import get_package_share_directory

from continua.description import load_robot
from continua.rod import Rod
from continua.sensing import MarkerModel
from continua_msgs.msg import MarkerArray3D, RodShape, RodState
from continua_msgs.srv import EstimateShape
from continua_node import convert, qos
from continua_node.testing import Bench, executable

CONFIG = Path(get_package_share_directory('continua_bringup'), 'config')
ROBOT_FILE = CONFIG / 'robots' / 'tendon_arm.yaml'
ROBOT = load_robot(ROBOT_FILE)


@pytest.fixture
def bench():
    with Bench('/tendon_arm') as bench:
        yield bench


@pytest.fixture
def estimator(bench):
    arguments = ['--params-file', str(CONFIG / 'nodes' / 'shape_estimator.yaml')]
    arguments += ['-p', f'robot_file:={ROBOT_FILE}']
    with bench.start(executable('continua_estimation', 'shape_estimator'), *arguments) as node:
        yield node


@pytest.fixture(scope='module')
def bent():
    """Tip and marker positions of the arm bent by two tendons."""
    rod = Rod(ROBOT)
    equilibrium = rod.statics(np.array([3.0, 0.0, 0.0, 0.0, 0.0, 1.5]))
    assert equilibrium.converged
    tip = rod.shape(equilibrium.q, np.array([rod.length])).position[0]
    return tip, MarkerModel(rod).predict(equilibrium.q)


class Mocap:
    """Publishes markers at 50 Hz for as long as the bench waits; `message` may be changed on the way."""

    def __init__(self, bench, position):
        self._node, self.position, self.frame = bench.node, position, 'world'
        self.names, self.age = list(ROBOT.marker_names), 0.0
        self._publisher = bench.node.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
        bench.node.create_timer(0.02, self._publish)

    def _publish(self):
        now = self._node.get_clock().now().nanoseconds * 1e-9
        valid = np.ones(len(self.position), dtype=bool)
        message = convert.markers_to_msg(
            convert.to_stamp(now - self.age), self.frame, self.names, self.position, valid
        )
        self._publisher.publish(message)


def test_it_finds_the_shape_of_exact_markers(bench, estimator, bent):
    tip, markers = bent
    shapes = bench.collect(RodShape, 'estimate/shape', qos.STATE)
    states = bench.collect(RodState, 'estimate/state', qos.STATE)
    Mocap(bench, markers)
    bench.wait_until(lambda: len(shapes) > 3 and states, 'estimates')
    # exact markers of a static shape: what is left is what six synergies cannot express
    assert np.linalg.norm(np.array(shapes[-1].position[-3:]) - tip) < 1e-3
    n = len(states[-1].q)
    covariance = np.array(states[-1].covariance).reshape(n, n)
    assert np.allclose(covariance, covariance.T)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12 * np.linalg.eigvalsh(covariance).max()
    assert states[-1].model_id == Rod(ROBOT).model_id


@pytest.mark.parametrize(
    ('spoil', 'counter'),
    [
        (lambda mocap: setattr(mocap, 'position', mocap.position * np.nan), 'rejected_nan'),
        (lambda mocap: setattr(mocap, 'age', 5.0), 'rejected_stale'),
        (lambda mocap: setattr(mocap, 'frame', 'mocap'), 'rejected_frame'),
        (lambda mocap: setattr(mocap, 'names', ['a', 'b', 'c', 'd']), 'rejected_name'),
    ],
)
def test_wrong_markers_are_counted_and_right_ones_taken_again(bench, estimator, bent, spoil, counter):
    _, markers = bent
    shapes = bench.collect(RodShape, 'estimate/shape', qos.STATE)
    diagnostics = bench.diagnostics()
    mocap = Mocap(bench, markers)
    spoil(mocap)
    bench.wait_until(
        lambda: diagnostics.value('shape_estimator', counter) > 3, f'{counter} in the diagnostics'
    )
    assert not shapes
    vars(mocap).update(position=markers, age=0.0, frame='world', names=list(ROBOT.marker_names))
    bench.wait_until(lambda: shapes, 'an estimate after the trouble')
    assert estimator.is_running


def test_the_service_estimates_once_and_refuses_with_a_sentence(bench, estimator, bent):
    tip, markers = bent
    message = convert.markers_to_msg(
        convert.to_stamp(1.0), 'world', ROBOT.marker_names, markers, np.ones(4, dtype=bool)
    )
    answer = bench.call(EstimateShape, 'estimate_shape', EstimateShape.Request(markers=message))
    assert answer.success, answer.message
    assert np.linalg.norm(np.array(answer.state.shape.position[-3:]) - tip) < 1e-3
    blind = convert.markers_to_msg(
        convert.to_stamp(1.0), 'world', ROBOT.marker_names, markers, np.zeros(4, dtype=bool)
    )
    answer = bench.call(EstimateShape, 'estimate_shape', EstimateShape.Request(markers=blind))
    assert not answer.success
    assert 'no tracked marker is visible' in answer.message
