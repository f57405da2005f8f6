"""Options that say what acts on a robot: tensions, pressures, efforts, positions, gravity, loads."""

import enum
from typing import Annotated, Any

import numpy as np
import typer

from continua.description import PointLoad, Robot

__all__ = [
    'Effort',
    'Gravity',
    'Load',
    'Position',
    'Pressure',
    'Switch',
    'Tension',
    'conditions',
    'input_vector',
    'target_vector',
    'with_loads',
]

Tension = Annotated[str, typer.Option(metavar='N,N...', help='Tensions in N, in file order; default 0.')]
Pressure = Annotated[str, typer.Option(metavar='PA,PA...', help='Chamber pressures in Pa; default 0.')]
Effort = Annotated[str, typer.Option(metavar='X,X...', help='Efforts of joint drives, N m or N; default 0.')]
Position = Annotated[str, typer.Option(metavar='X,X...', help='Of position drives, rad or m; default 0.')]
Load = Annotated[
    list[str] | None,
    typer.Option(
        metavar='LINK:X:FX,FY,FZ', help='Dead force in N, world axes, at X m of a link; repeatable.'
    ),
]


class Switch(enum.Enum):
    """The value of an option that is on or off."""

    on = 'on'
    off = 'off'


Gravity = Annotated[Switch, typer.Option(help='Whether the gravity of the robot file acts.')]


def input_vector(robot: Robot, tension: str = '', pressure: str = '', effort: str = '') -> np.ndarray:
    """Inputs (K,), in the order of `Rod.input_names`, of lists such as '5,0,0'; an empty list is all zero.

    Raises ValueError on a wrong count and on what is not a number.
    """
    drives = [drive.name for drive in robot.drives if drive.type == 'force']
    return np.concatenate(
        [
            _values('tension', tension, [tendon.name for tendon in robot.tendons]),
            _values('pressure', pressure, [chamber.name for chamber in robot.chambers]),
            _values('effort', effort, drives),
        ]
    )


def conditions(
    robot: Robot, tension: str, pressure: str, effort: str, position: str, gravity: Switch
) -> dict[str, Any]:
    """Keywords of `Rod.conditions` that the options say. Raises ValueError as `input_vector`."""
    return {
        'u': input_vector(robot, tension, pressure, effort),
        'target': target_vector(robot, position),
        'gravity': gravity is Switch.on,
    }


def target_vector(robot: Robot, position: str = '') -> np.ndarray:
    """Targets (P,) of the position drives, as `input_vector`."""
    return _values('position', position, [drive.name for drive in robot.drives if drive.type == 'position'])


def with_loads(robot: Robot, texts: list[str] | None) -> Robot:
    """The robot with dead forces LINK:X:FX,FY,FZ added. Raises ValueError for what cannot be one."""
    return robot.model_copy(
        update={'loads': robot.loads + tuple(_load(robot, i, text) for i, text in enumerate(texts or ()))}
    )


def _load(robot: Robot, number: int, text: str) -> PointLoad:
    try:
        name, place, force = text.split(':')
        X, *components = (float(word) for word in (place, *force.split(',')))
    except ValueError:
        components = []
    if len(components) != 3 or not np.all(np.isfinite([X, *components])):
        raise ValueError(f'--load {text}: expected LINK:X:FX,FY,FZ, such as arm:0.25:0,0,-1')
    length = robot.link(name).length
    if not 0.0 <= X <= length:
        raise ValueError(f'--load {text}: expected an arc length in [0, {length:g}] m on {name}, got {X:g}')
    return PointLoad(
        name=f'option_{number}', type='point', link=name, arc_length=X, frame='world', force=tuple(components)
    )


def _values(option: str, text: str, names: list[str]) -> np.ndarray:
    if not text.strip():
        return np.zeros(len(names))
    try:
        values = np.array([float(word) for word in text.split(',')])
    except ValueError:
        raise ValueError(f'--{option} {text}: expected numbers separated by commas, such as 5,0,0') from None
    if values.size != len(names) or not np.all(np.isfinite(values)):
        wanted = (
            f'{len(names)} finite numbers, for {", ".join(names)}' if names else 'none, the robot has none'
        )
        raise ValueError(f'--{option} {text}: expected {wanted}, got {values.size}')
    return values
