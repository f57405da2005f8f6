"""Options that give the inputs of a robot: tensions, pressures and efforts as lists of numbers."""

import enum
from typing import Annotated

import numpy as np
import typer

from continua.description import Robot

__all__ = ['Effort', 'Gravity', 'Pressure', 'Switch', 'Tension', 'input_names', 'input_vector']

Tension = Annotated[str, typer.Option(metavar='N,N...', help='Tensions in N, in file order; default 0.')]
Pressure = Annotated[str, typer.Option(metavar='PA,PA...', help='Chamber pressures in Pa; default 0.')]
Effort = Annotated[str, typer.Option(metavar='X,X...', help='Joint drives, N m or N; default 0.')]


class Switch(enum.Enum):
    """The value of an option that is on or off."""

    on = 'on'
    off = 'off'


Gravity = Annotated[Switch, typer.Option(help='Whether the gravity of the robot file acts.')]


def input_names(robot: Robot) -> list[str]:
    """Names of all inputs in the order of the input vector: tendons, chambers, joint drives by force."""
    return [name for names in _kinds(robot).values() for name in names]


def input_vector(robot: Robot, tension: str = '', pressure: str = '', effort: str = '') -> np.ndarray:
    """Inputs (K,) of lists such as '5,0,0'; an empty list is all zero. Raises ValueError on wrong counts."""
    texts = {'tension': tension, 'pressure': pressure, 'effort': effort}
    return np.concatenate([_numbers(texts[kind], kind, names) for kind, names in _kinds(robot).items()])


def _kinds(robot: Robot) -> dict[str, list[str]]:
    return {
        'tension': [tendon.name for tendon in robot.tendons],
        'pressure': [chamber.name for chamber in robot.chambers],
        'effort': [],
    }


def _numbers(text: str, kind: str, names: list[str]) -> np.ndarray:
    if not text.strip():
        return np.zeros(len(names))
    try:
        values = np.array([float(word) for word in text.split(',')])
    except ValueError:
        raise ValueError(f'--{kind} {text}: expected numbers separated by commas, such as 5,0,0') from None
    if values.size != len(names) or not np.all(np.isfinite(values)):
        wanted = (
            f'{len(names)} finite numbers, for {", ".join(names)}' if names else 'none, the robot has none'
        )
        raise ValueError(f'--{kind} {text}: expected {wanted}, got {values.size}')
    return values
