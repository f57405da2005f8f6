"""The mocap emulator as a process: the tests are the simulated robot behind it, and the driver's link."""

import os
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import yaml
from geometry_msgs.msg import PoseStamped
from std_srvs.srv import SetBool

from continua.devices.mocap_transform import load_transform
from continua.devices.natnet import Address, NatNetLink
from continua.devices.natnet_packets import Frame, Models
from continua.devices.natnet_server import emulated_command_port
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, qos
from continua_node.testing import Bench, executable

CONFIG = Path(__file__).parents[3] / 'config'
ROBOT = CONFIG / 'robots' / 'tendon_arm.yaml'
CALIBRATION = CONFIG / 'calibration' / 'mocap_emulated.yaml'
NAMES = [marker['name'] for marker in yaml.safe_load(ROBOT.read_text())['markers']]
PLACES = np.arange(12.0).reshape(4, 3) / 16.0
TIP = np.array([0.25, 0.5, 0.75])


class Rig:
    """What the driver hears, and what the robot is told to show."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.valid = np.ones(len(NAMES), dtype=bool)
        self.heard: list[tuple[Frame, Models, float]] = []
        with mock.patch.dict(os.environ, {'ROS_DOMAIN_ID': str(bench.domain)}):
            port = emulated_command_port()
        self.link = NatNetLink(Address(command_port=port), lambda *frame: self.heard.append(frame))
        self.link.start()
        node = bench.node
        self._markers = node.create_publisher(MarkerArray3D, 'plant/markers', qos.SENSOR.offered)
        self._tip = node.create_publisher(PoseStamped, 'plant/tip_pose', qos.SENSOR.offered)
        node.create_timer(0.01, self._publish)

    def wait_for_frame(self, condition, what: str) -> Frame:
        """The first new frame that fulfils the condition."""
        self.heard.clear()
        self.bench.wait_until(lambda: any(condition(each[0]) for each in self.heard), what)
        return next(each[0] for each in self.heard if condition(each[0]))

    def _publish(self) -> None:
        stamp = self.bench.node.get_clock().now().to_msg()
        self._tip.publish(convert.pose_to_msg(stamp, 'world', TIP, np.array([0.0, 0.0, 0.0, 1.0])))
        self._markers.publish(convert.markers_to_msg(stamp, 'world', NAMES, PLACES, self.valid))


@pytest.fixture
def rig():
    with Bench('/robot') as bench:
        rig = Rig(bench)
        parameters = {
            'robot_file': ROBOT,
            'calibration_file': CALIBRATION,
            'settings_id': 'test',
            'marker_set': 'robot',
        }
        arguments = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
        with bench.start(executable('continua_simulation', 'mocap_emulator'), *arguments) as node:
            yield rig
            assert node.stop() == 0
        rig.link.close()


def test_the_simulated_robot_is_streamed_and_can_be_unplugged(rig):
    transform = load_transform(CALIBRATION)
    frame = rig.wait_for_frame(lambda f: 1 in f.bodies and f.bodies[1].is_tracked, 'a frame with the tip')
    rig.bench.wait_until(lambda: rig.link.models.marker_sets, 'names')
    assert rig.link.models.bodies == {1: 'tip'}
    assert rig.link.models.marker_sets == {'robot': tuple(NAMES)}
    np.testing.assert_allclose(transform.to_world(frame.bodies[1].position), TIP, atol=1e-6)
    np.testing.assert_allclose(transform.to_world(frame.marker_sets['robot']), PLACES, atol=1e-6)
    rig.valid[1] = False
    rig.wait_for_frame(lambda f: np.isnan(f.marker_sets['robot'][1]).all(), 'an occluded marker')
    assert rig.bench.call(SetBool, 'mocap/unplug', SetBool.Request(data=True)).message == 'unplugged'
    rig.heard.clear()
    rig.bench.call(SetBool, 'mocap/unplug', SetBool.Request(data=False))
    rig.wait_for_frame(lambda f: True, 'frames once plugged in again')
