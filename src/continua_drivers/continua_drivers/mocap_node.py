"""The driver of an OptiTrack motion capture, by NatNet 3 and 4.

In: datagrams. Out, in world: markers, with the names of the robot file, and the pose of each rigid body on
the topic that `bodies` gives it. Each is published from the thread that received it, stamped with the middle
of the exposure. A frame that is late or damaged is dropped and counted. When frames stop, or a body is not
seen, nothing is published of it; after 2 s /diagnostics and the log say which stage fails and what to check.
"""

import time
from pathlib import Path

import numpy as np
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rclpy.publisher import Publisher

from continua.description import Robot, load_robot
from continua.devices.mocap_markers import MarkerTracker, by_name
from continua.devices.mocap_transform import load_transform
from continua.devices.natnet import Address, NatNetLink
from continua.devices.natnet_diagnosis import PATIENCE, Stage, diagnose
from continua.devices.natnet_packets import Frame, Models
from continua.devices.natnet_server import EMULATED, emulated_command_port
from continua.rod import Rod
from continua.sensing import MarkerModel
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, diagnostics, params, qos, spin
from continua_node.params import Parameter, Settings

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('server', '127.0.0.1', "IPv4 address of the server; 'emulated' is the one of mocap_emulator"),
    Parameter('local', '', 'address of this machine towards the server; empty: the one that fits'),
    Parameter('multicast', False, 'whether the server streams by multicast'),
    Parameter('group', '239.255.42.99', 'address of multicast'),
    Parameter('command_port', 1510, 'UDP port of the server', range=(1, 65535)),
    Parameter('data_port', 1511, 'UDP port of multicast', range=(1, 65535)),
    Parameter('calibration_file', str, 'YAML file that says how the motion capture lies in world'),
    Parameter(
        'marker_set',
        '',
        "set whose markers have the robot's names; empty: markers have none and go to the nearest place",
    ),
    Parameter('bodies', [''], 'topics of rigid bodies, each as TOPIC=NAME, like tip_pose=arm tip'),
    Parameter(
        'start_reach', 0.03, 'without names: how far from its place a marker begins', 'm', range=(0.0, 1.0)
    ),
    Parameter('marker_speed', 2.0, 'without names: the largest of a marker', 'm/s', range=(0.0, 100.0)),
    Parameter(
        'marker_jitter', 0.005, 'without names: how far a marker at rest may jump', 'm', range=(0.0, 1.0)
    ),
]

_REPORT_PERIOD = 0.25  # s
_LEVELS = {Stage.GOOD: diagnostics.OK, Stage.STARTING: diagnostics.OK}


class MocapNode(Node):
    def __init__(self) -> None:
        super().__init__('mocap')
        settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        self._names, self._marker_set = robot.marker_names, settings.marker_set
        self._transform = load_transform(Path(settings.calibration_file))
        topics = bodies_by_topic(settings.bodies)
        self._bodies = list(topics.values())
        self._tracker = None
        if self._names and not self._marker_set:
            places = self._transform.to_mocap(places_at_rest(robot))
            self._tracker = MarkerTracker(
                places, settings.start_reach, settings.marker_speed, settings.marker_jitter
            )
        self._seen_at = np.full(len(self._names), time.monotonic())
        self._link = NatNetLink(_address(settings), self._on_frame)
        self.diagnostics = diagnostics.Diagnostics(self)
        self._markers = self.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
        self._poses: dict[str, Publisher] = {
            name: self.create_publisher(PoseStamped, topic, qos.SENSOR.offered)
            for topic, name in topics.items()
        }
        self._last_sentence = ''
        self.create_timer(_REPORT_PERIOD, self._report)
        self._link.start()

    def close(self) -> None:
        """Let go of the server."""
        self._link.close()

    # In the thread of the link

    def _on_frame(self, frame: Frame, models: Models, exposure: float) -> None:
        start = time.perf_counter()
        age = time.monotonic() - exposure
        stamp = convert.to_stamp(self.get_clock().now().nanoseconds * 1e-9 - age)
        if self._names:
            position = self._transform.to_world(self._named(frame, models, exposure))
            is_seen = np.isfinite(position).all(axis=1)
            self._seen_at[is_seen] = time.monotonic()
            self._markers.publish(convert.markers_to_msg(stamp, 'world', self._names, position, is_seen))
        for identifier, body in frame.bodies.items():
            publisher = self._poses.get(models.bodies.get(identifier, ''))
            if publisher is not None and body.is_tracked:
                position = self._transform.to_world(body.position)
                orientation = self._transform.orientation_to_world(body.orientation_xyzw)
                publisher.publish(convert.pose_to_msg(stamp, 'world', position, orientation))
        self.diagnostics.latency(time.monotonic() - exposure)
        self.diagnostics.tick(time.perf_counter() - start)

    def _named(self, frame: Frame, models: Models, exposure: float) -> np.ndarray:
        """Positions (n, 3) of the robot's markers in the frame of the motion capture, NaN where not seen."""
        if self._tracker is None:
            seen = frame.marker_sets.get(self._marker_set, np.zeros((0, 3)))
            return by_name(self._names, models.marker_sets.get(self._marker_set, ()), seen)
        return self._tracker.name(frame.unlabelled, exposure)

    # In the node's own

    def _report(self) -> None:
        now = time.monotonic()
        diagnosis = diagnose(self._link, self._bodies, self._marker_set, now)
        level, sentence = _LEVELS.get(diagnosis.stage, diagnostics.ERROR), diagnosis.sentence
        unseen = [name for name, at in zip(self._names, self._seen_at, strict=True) if now - at > PATIENCE]
        if diagnosis.stage is Stage.GOOD and unseen:
            level, sentence = diagnostics.WARN, f'{sentence}; {self._unseen(unseen)}'
        if sentence != self._last_sentence:
            self._last_sentence = sentence
            if level == diagnostics.OK:
                self.get_logger().info(sentence)
            else:
                self.get_logger().error(sentence)
        for event, times in self._link.counts.items():
            self.diagnostics.counts[event] = times
        if self._tracker is not None:
            self.diagnostics.counts['ambiguous_markers'] = self._tracker.ambiguous
        self.diagnostics.set_state(level, sentence)

    def _unseen(self, names: list[str]) -> str:
        sentence = f'markers {", ".join(names)} have not been seen for {PATIENCE:g} s'
        if self._tracker is None:
            return f'{sentence}; are they in view, and called so in marker set {self._marker_set!r}?'
        return (
            f'{sentence}; are they in view? Markers without names are found with the robot at rest; '
            'if they are not, check the calibration, and their places in the robot file'
        )


def bodies_by_topic(given: list[str]) -> dict[str, str]:
    """Names of rigid bodies by topic, of words TOPIC=NAME; raises ValueError."""
    bodies: dict[str, str] = {}
    for word in filter(None, given):
        topic, equals, name = word.partition('=')
        if not (topic and equals and name) or topic in bodies or name in bodies.values():
            raise ValueError(
                f"parameter 'bodies': expected TOPIC=NAME, each once, like tip_pose=arm tip, got {word!r}"
            )
        bodies[topic] = name
    return bodies


def _address(settings: Settings) -> Address:
    is_emulated = settings.server == EMULATED
    return Address(
        '127.0.0.1' if is_emulated else settings.server,
        settings.local,
        settings.multicast,
        settings.group,
        emulated_command_port() if is_emulated else settings.command_port,
        settings.data_port,
    )


def places_at_rest(robot: Robot) -> np.ndarray:
    """Places (n, 3) m in world of the robot's markers without tension or pressure."""
    rod = Rod(robot)
    return MarkerModel(rod).predict(rod.statics().q)


def main() -> int:
    return spin.spin(MocapNode)
