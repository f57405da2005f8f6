"""The robot of a node: read from its file, modelled in full or reduced, and announced to the graph."""

from pathlib import Path

import numpy as np
from rclpy.node import Node
from std_msgs.msg import String

from continua.description import Robot
from continua.reduction import ReducedModel, reduced_file
from continua.rod import Rod
from continua_node import qos
from continua_node.params import Parameter, Settings

__all__ = ['MODEL', 'announce', 'load_model']

# What chooses the equations of a node, beside robot_file.
MODEL = [
    Parameter(
        'model',
        'gvs',
        'gvs: all coordinates of the robot file; rom: those of the reduced model in rom_file',
        choices=('gvs', 'rom'),
    ),
    Parameter(
        'rom_file',
        '',
        'path of a reduced model (continua reduce); empty: NAME.rom.npz beside the robot file NAME.yaml',
    ),
]


def announce(node: Node, robot: Robot) -> None:
    """Publish the robot file's text once, latched, on `robot_description`."""
    publisher = node.create_publisher(String, 'robot_description', qos.LATCHED.offered)
    publisher.publish(String(data=robot.to_yaml()))


def load_model(robot: Robot, settings: Settings) -> tuple[Rod, np.ndarray | None]:
    """The model that `MODEL` asks for; a reduced one with what projects full coordinates on its own.

    Raises ValueError where the file cannot be read or is of another robot.
    """
    if settings.model == 'gvs':
        return Rod(robot), None
    file = Path(settings.rom_file) if settings.rom_file else reduced_file(settings.robot_file)
    reduced = ReducedModel.load(file)
    return reduced.rod(robot), reduced.projection
