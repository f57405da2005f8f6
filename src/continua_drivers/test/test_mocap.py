"""The mocap driver as a process, on a NatNet server that the tests move."""

import time
from pathlib import Path

import numpy as np
import pytest
import yaml
from geometry_msgs.msg import PoseStamped
from scipy.spatial.transform import Rotation

from continua.description import load_robot
from continua.devices.mocap_transform import MocapTransform, load_transform
from continua.devices.natnet_server import NatNetServer
from continua.devices.natnet_writer import Scene
from continua_drivers.mocap_node import bodies_by_topic, places_at_rest
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, qos
from continua_node.testing import Bench, NodeProcess, executable

CONFIG = Path(__file__).parents[3] / 'config'
ROBOT = CONFIG / 'robots' / 'tendon_arm.yaml'
CALIBRATION = CONFIG / 'calibration' / 'mocap_emulated.yaml'
NAMES = [marker['name'] for marker in yaml.safe_load(ROBOT.read_text())['markers']]
RATE = 240.0
TURN = Rotation.from_euler('xyz', [0.3, -0.2, 0.9]).as_quat()


class Rig:
    """The driver under test, the cameras, and the robot at rest that they see.

    home: its markers (n, 3) m in world. in_set: name of their set, '' for none. occluded: their names.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.server = NatNetServer(clock=lambda steady: 2.0 * 3600.0 + (1.0 + 5e-5) * steady)
        self.server.start()
        self.transform: MocapTransform = load_transform(CALIBRATION)
        self.home = places_at_rest(load_robot(ROBOT))
        self.markers: list[MarkerArray3D] = bench.collect(MarkerArray3D, 'markers', qos.SENSOR)
        self.poses: list[PoseStamped] = bench.collect(PoseStamped, 'tip_pose', qos.SENSOR)
        self.diagnostics = bench.diagnostics()
        self.in_set = ''
        self.occluded: set[str] = set()
        self._timer = bench.node.create_timer(1.0 / RATE, self._send)

    def start(self, **parameters) -> NodeProcess:
        """The driver; parameters as text of the command line."""
        given = {
            'robot_file': ROBOT,
            'calibration_file': CALIBRATION,
            'settings_id': 'test',
            'command_port': self.server.command_port,
            'bodies': '["tip_pose=tip"]',
        } | parameters
        arguments = [word for name, value in given.items() for word in ('-p', f'{name}:={value}')]
        return self.bench.start(executable('continua_drivers', 'mocap'), *arguments)

    def wait_for_markers(self, condition=None, what: str = 'markers') -> MarkerArray3D:
        """The first new markers that fulfil the condition."""
        self.markers.clear()
        fits = condition or (lambda message: all(message.valid))
        self.bench.wait_until(lambda: any(map(fits, self.markers)), what)
        return next(filter(fits, self.markers))

    def wait_for_sentence(self, *words: str) -> None:
        """Until /diagnostics of the driver says these words."""

        def says() -> bool:
            sentence = self.diagnostics.sentence('mocap')
            return all(word in sentence for word in words)

        self.bench.wait_until(says, f'{words} in /diagnostics')

    def _send(self) -> None:
        hidden = np.array([name in self.occluded for name in NAMES])
        seen = np.where(hidden[:, None], np.nan, self.transform.to_mocap(self.home))
        tip = self.transform.to_mocap(self.home[-1]), self.transform.orientation_to_mocap(TURN)
        scene = Scene(bodies={'tip': tip}, unlabelled=seen[~hidden][::-1])
        if self.in_set:
            sets = {self.in_set: dict(zip(NAMES, seen, strict=True))}
            scene = Scene(bodies={'tip': tip}, marker_sets=sets)
        self.server.send(scene, time.monotonic())


@pytest.fixture(scope='module', params=['', 'arm'], ids=['without names', 'marker set'])
def driven(request):
    """A rig whose driver runs, on markers without names and on a set."""
    with Bench('/robot') as bench:
        rig = Rig(bench)
        rig.in_set = request.param
        with rig.start(marker_set=f"'{rig.in_set}'") as rig.driver:
            rig.wait_for_markers()
            yield rig
            assert rig.driver.stop() == 0
        rig.server.close()


def positions(message: MarkerArray3D) -> np.ndarray:
    return np.array(message.position).reshape(-1, 3)


def test_markers_and_tip_are_where_they_are(driven):
    message = driven.wait_for_markers()
    assert message.header.frame_id == 'world'
    assert message.name == NAMES
    np.testing.assert_allclose(positions(message), driven.home, atol=1e-6)
    driven.bench.wait_until(lambda: driven.poses, 'tip_pose')
    pose = convert.pose_from_msg(driven.poses[-1])
    np.testing.assert_allclose(pose[:3], driven.home[-1], atol=1e-6)
    turned = Rotation.from_quat(pose[3:]) * Rotation.from_quat(TURN).inv()
    assert turned.magnitude() < 1e-5
    now = driven.bench.node.get_clock().now().nanoseconds * 1e-9
    assert 0.0 <= now - convert.from_stamp(message.header.stamp) < 60.0
    driven.wait_for_sentence('sends frames of NatNet 4.1')


def test_an_occluded_marker_is_not_valid_and_comes_back(driven):
    driven.occluded = {'m2'}
    message = driven.wait_for_markers(lambda m: not m.valid[2], 'a missing marker')
    assert list(message.valid) == [1, 1, 0, 1]
    assert positions(message)[2].tolist() == [0.0, 0.0, 0.0]
    driven.wait_for_sentence('markers m2 have not been seen')
    driven.occluded = set()
    np.testing.assert_allclose(positions(driven.wait_for_markers()), driven.home, atol=1e-6)


def test_unplugged_and_back(driven, record_property):
    driven.server.is_plugged = False
    driven.wait_for_sentence('server: nothing answers', 'is Motive running')
    driven.server.is_plugged = True
    plugged_in = time.monotonic()
    driven.wait_for_markers()
    record_property('plugged_in_to_markers_s', round(time.monotonic() - plugged_in, 2))
    driven.wait_for_sentence('sends frames')
    assert driven.driver.output().count('server: nothing answers') == 1


def test_noise_in_the_stream_is_counted_and_the_stream_goes_on(driven):
    rng = np.random.default_rng(5)
    for length in (0, 1, 3, 4, 7, 60, 900):
        driven.server.send_raw(rng.bytes(length))
    driven.server.send_raw(b'\x05\x00\x04\x00\xff\xff\xff\xff')
    driven.bench.wait_until(lambda: driven.diagnostics.value('mocap', 'damaged') >= 8, 'damaged datagrams')
    np.testing.assert_allclose(positions(driven.wait_for_markers()), driven.home, atol=1e-6)


def test_topics_of_bodies():
    assert bodies_by_topic(['tip_pose=arm tip', '']) == {'tip_pose': 'arm tip'}
    for wrong in (['tip'], ['=tip'], ['tip_pose='], ['a=tip', 'a=base'], ['a=tip', 'b=tip']):
        with pytest.raises(ValueError, match='expected TOPIC=NAME'):
            bodies_by_topic(wrong)


def test_a_mirrored_calibration_stops_the_start(tmp_path):
    content = yaml.safe_load(CALIBRATION.read_text())
    content['rotation'][0], content['rotation'][1] = content['rotation'][1], content['rotation'][0]
    path = tmp_path / 'mocap.yaml'
    path.write_text(yaml.safe_dump(content))
    with Bench('/robot') as bench:
        rig = Rig(bench)
        with rig.start(calibration_file=path) as driver:
            assert driver.wait() == 2
            assert 'it mirrors' in driver.output()
        rig.server.close()
