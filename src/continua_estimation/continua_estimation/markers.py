"""Markers from their message, as estimators take them."""

import numpy as np

from continua_msgs.msg import MarkerArray3D
from continua_node import convert

__all__ = ['markers_in_world']


def markers_in_world(message: MarkerArray3D, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Positions (m, 3) m in world and whether they are valid (m,) of the robot's markers; raises Rejected."""
    if message.header.frame_id != 'world':
        raise convert.Rejected(
            'frame',
            f"markers are in frame '{message.header.frame_id}', expected 'world'; convert at the source",
        )
    return convert.markers_from_msg(message, names)
