"""The ROBOT argument of the commands: the path of a robot file, or the bare name of one that comes along."""

import os
from pathlib import Path
from typing import Annotated

import typer

from continua.description import Robot, did_you_mean, load_robot
from continua.doctor.checkout import checkout

__all__ = ['RobotArgument', 'find_robot', 'find_robot_file']

RobotArgument = Annotated[
    str, typer.Argument(metavar='ROBOT', help='Robot file, or the name of one in config/robots.')
]


def find_robot(robot: str) -> Robot:
    """The robot of a file or name. Raises ValueError as `find_robot_file`."""
    return load_robot(find_robot_file(robot))


def find_robot_file(robot: str) -> Path:
    """The file of a path or name. Raises ValueError with near matches where a name is of none."""
    path = Path(robot)
    if path.suffix or len(path.parts) > 1 or path.is_file():
        return path
    known = {file.stem: file for folder in _folders() for file in sorted(folder.glob('*.yaml'))}
    if robot not in known:
        raise ValueError(
            f'robot {robot!r}: neither a file nor a robot that comes along; {did_you_mean(robot, known)}'
        )
    return known[robot]


def _folders() -> list[Path]:
    """Where robot files lie: in the installed package, in the checkout, in the working directory."""
    prefixes = filter(None, os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep))
    shares = [Path(prefix, 'share', 'continua_bringup') for prefix in prefixes]
    root = checkout()
    roots = [*shares, *([] if root is None else [root]), Path.cwd()]
    return [each / 'config' / 'robots' for each in roots]
