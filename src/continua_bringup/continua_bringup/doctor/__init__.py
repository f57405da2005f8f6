"""The ROS part of `continua doctor`.

Imports no rclpy itself: a broken one must not take the doctor along.
"""

from continua.doctor.finding import Check
from continua_bringup.doctor.discovery import discovery
from continua_bringup.doctor.installation import ros
from continua_bringup.doctor.messages import messages

__all__ = ['CHECKS']

CHECKS = (Check('ROS 2', ros), Check('messages', messages), Check('discovery', discovery))
