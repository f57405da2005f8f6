"""Where the robot's tip is seen: its marker on `markers`, or its pose on `tip_pose`.

self.tip = TipReader(self, robot, 'markers', settings.max_age)
...
taken = self.tip.take(now)                  # once in every step; raises convert.Rejected
if taken is not None:
    stamp, reading = taken
"""

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node

from continua.description import Robot
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, qos
from continua_node.params import Parameter

__all__ = ['READING', 'TipReader']

READING = Parameter(
    'reading',
    'markers',
    "markers: the position of the marker at the robot's tip; tip_pose: position and orientation",
    choices=('markers', 'tip_pose'),
)


class TipReader:
    """Keeps the newest reading. age: of the one that was taken last, s."""

    def __init__(self, node: Node, robot: Robot, topic: str, max_age: float) -> None:
        """topic: one of READING's choices. max_age: s. Raises ValueError where no marker is at the tip."""
        self.topic, self.age = topic, np.inf
        self._max_age, self._newest = max_age, None
        self._last = 0.0
        kind = PoseStamped
        if topic == 'markers':
            kind, self._markers, self._tip = MarkerArray3D, list(robot.marker_names), _tip_marker(robot)
        node.create_subscription(kind, topic, self._on_reading, qos.SENSOR.requested)

    def take(self, now: float) -> tuple[Time, np.ndarray] | None:
        """Stamp, and position (3,) or pose (7,) of the tip, once for each message; NaN where the marker
        is not seen. Raises Rejected for what is late, out of order or wrong."""
        message, self._newest = self._newest, None
        if message is None:
            return None
        stamp = convert.from_stamp(message.header.stamp)
        self.age = now - stamp
        if not abs(self.age) <= self._max_age:
            raise convert.Rejected('stale', f'it is {self.age:.3f} s old, expected at most {self._max_age} s')
        if self._last > now + self._max_age:  # the clock went back
            self._last = 0.0
        if stamp <= self._last:
            raise convert.Rejected('order', 'it is not newer than the one before')
        if message.header.frame_id != 'world':
            raise convert.Rejected('frame', f"it is in frame '{message.header.frame_id}', expected 'world'")
        reading = self._reading(message)
        self._last = stamp
        return message.header.stamp, reading

    def _on_reading(self, message: MarkerArray3D | PoseStamped) -> None:
        self._newest = message

    def _reading(self, message: MarkerArray3D | PoseStamped) -> np.ndarray:
        if isinstance(message, PoseStamped):
            return convert.pose_from_msg(message)
        position, valid = convert.markers_from_msg(message, self._markers)
        return np.where(valid[self._tip], position[self._tip], np.nan)


def _tip_marker(robot: Robot) -> int:
    """Which marker is at the robot's tip; raises ValueError where none is."""
    last = robot.links[-1]
    for i, marker in enumerate(robot.markers):
        if marker.link == last.name and marker.arc_length == last.length and not any(marker.offset):
            return i
    raise ValueError(
        f'robot {robot.name}: no marker is at the end of link {last.name!r}; read tip_pose instead'
    )
