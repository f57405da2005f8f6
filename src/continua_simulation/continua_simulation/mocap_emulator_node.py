"""Plays the simulated robot's markers and tip as an OptiTrack server would, by NatNet on this machine.

In: plant/markers, plant/tip_pose. Out: frames, one for each plant/markers, whose exposure is its stamp. The
tip is the rigid body `tip`; the markers are the set `marker_set` or, where that is empty, have no names.
Service mocap/unplug: true pulls the cable. Without plant/markers no frame is sent.
"""

import time
from pathlib import Path

import numpy as np
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from std_srvs.srv import SetBool

from continua.description import load_robot
from continua.devices.mocap_transform import load_transform
from continua.devices.natnet_server import NatNetServer, emulated_command_port
from continua.devices.natnet_writer import Scene
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, diagnostics, params, qos, spin
from continua_node.params import Parameter

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('command_port', 0, 'UDP port of requests; 0: where the driver looks for it', range=(0, 65535)),
    Parameter('multicast', False, 'whether frames go to a group instead of those who ask'),
    Parameter('group', '239.255.42.99', 'address of multicast'),
    Parameter('data_port', 1511, 'UDP port of multicast', range=(1, 65535)),
    Parameter('protocol', '4.1', 'version of NatNet', choices=('3.0', '3.1', '4.0', '4.1', '4.2')),
    Parameter('calibration_file', str, 'YAML file that says how the motion capture lies in world'),
    Parameter('marker_set', '', 'set that the markers belong to; empty: they have no names'),
]

_TIP = 'tip'
_NOWHERE = (np.full(3, np.nan), np.full(4, np.nan))


class MocapEmulatorNode(Node):
    def __init__(self) -> None:
        super().__init__('mocap_emulator')
        settings = params.declare(self, PARAMETERS)
        self._names, self._marker_set = load_robot(settings.robot_file).marker_names, settings.marker_set
        self._transform = load_transform(Path(settings.calibration_file))
        self._tip = _NOWHERE
        self.diagnostics = diagnostics.Diagnostics(self)
        self._server = NatNetServer(
            tuple(map(int, settings.protocol.split('.'))),
            settings.command_port or emulated_command_port(),
            settings.group if settings.multicast else None,
            settings.data_port,
        )
        self.create_subscription(MarkerArray3D, 'plant/markers', self._on_markers, qos.SENSOR.requested)
        self.create_subscription(PoseStamped, 'plant/tip_pose', self._on_tip, qos.SENSOR.requested)
        self.create_service(SetBool, 'mocap/unplug', self._on_unplug)
        self._server.start()
        self.get_logger().info(f'plays NatNet {settings.protocol} at 127.0.0.1:{self._server.command_port}')

    def close(self) -> None:
        """Fall silent."""
        self._server.close()

    def _on_tip(self, message: PoseStamped) -> None:
        try:
            pose = convert.pose_from_msg(message)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        self._tip = self._transform.to_mocap(pose[:3]), self._transform.orientation_to_mocap(pose[3:])

    def _on_markers(self, message: MarkerArray3D) -> None:
        start = time.perf_counter()
        try:
            position, valid = convert.markers_from_msg(message, self._names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        seen = np.where(valid[:, None], self._transform.to_mocap(position), np.nan)
        scene = Scene(bodies={_TIP: self._tip}, unlabelled=seen[valid])
        if self._marker_set:
            named = dict(zip(self._names, seen, strict=True))
            scene = Scene(bodies={_TIP: self._tip}, marker_sets={self._marker_set: named})
        age = self.get_clock().now().nanoseconds * 1e-9 - convert.from_stamp(message.header.stamp)
        self._server.send(scene, time.monotonic() - age)
        self.diagnostics.tick(time.perf_counter() - start)

    def _on_unplug(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        self._server.is_plugged = not request.data
        response.success, response.message = True, 'unplugged' if request.data else 'plugged in'
        return response


def main() -> int:
    return spin.spin(MocapEmulatorNode)
