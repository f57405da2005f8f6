"""The robot of a node: read from its file, and announced to the graph by whoever moves it."""

from rclpy.node import Node
from std_msgs.msg import String

from continua.description import Robot
from continua_node import qos

__all__ = ['announce']


def announce(node: Node, robot: Robot) -> None:
    """Publish the robot file's text once, latched, on `robot_description`."""
    publisher = node.create_publisher(String, 'robot_description', qos.LATCHED.offered)
    publisher.publish(String(data=robot.to_yaml()))
