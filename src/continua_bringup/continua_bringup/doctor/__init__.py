"""The ROS part of `continua doctor`.

Imports no rclpy itself: a broken one must not take the doctor along.
"""

from continua.doctor.finding import Check
from continua_bringup.doctor import discovery, installation, messages

__all__ = ['CHECKS']

CHECKS = (
    Check('ROS 2', installation.look),
    Check('messages', messages.look),
    Check('discovery', discovery.look),
)
