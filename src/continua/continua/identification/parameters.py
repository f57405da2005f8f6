"""Numbers of a robot description by name, to be found within bounds.

A path leads through the keys of a robot file, `links.arm.material.youngs_modulus`. Items of a list go by
their name or number; `*` stands for all of them, which then have one value: `tendons.*.friction`. Parameters
with positive bounds are scaled by their logarithm, so that errors are relative.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import ValidationError

from continua.description import Robot, did_you_mean

__all__ = ['Parameter', 'ParameterSet', 'parameter']

_FACTOR = 10.0


@dataclass(frozen=True)
class Parameter:
    """A path and the bounds between which its value lies, in the unit of the robot file."""

    path: str
    low: float
    high: float

    def __post_init__(self) -> None:
        if not -np.inf < self.low < self.high < np.inf:
            raise ValueError(f'{self.path}: expected bounds LOW < HIGH, got {self.low:g} and {self.high:g}')

    @property
    def is_logarithmic(self) -> bool:
        """Whether the scale between the bounds is logarithmic."""
        return self.low > 0.0

    def share(self, value: np.ndarray | float) -> np.ndarray | float:
        """Where values stand between the bounds, 0 to 1."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        return (self._scaled(value) - low) / (high - low)

    def value(self, share: np.ndarray | float) -> np.ndarray | float:
        """The inverse of `share`."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        scaled = low + np.asarray(share) * (high - low)
        return np.exp(scaled) if self.is_logarithmic else scaled

    def slope(self, value: float) -> float:
        """Change of the value for one of its share."""
        return value * float(np.log(self.high / self.low)) if self.is_logarithmic else self.high - self.low

    def _scaled(self, value):
        return np.log(value) if self.is_logarithmic else np.asarray(value, dtype=float)


def parameter(robot: Robot, text: str) -> Parameter:
    """The parameter that a text PATH or PATH=LOW,HIGH asks for; without bounds from a tenth of the value in
    the robot file to ten times it. Raises ValueError for what is not a number of the file."""
    path, _, bounds = text.partition('=')
    value = _get(_plain(robot), places(_plain(robot), path)[0])
    if bounds:
        try:
            low, high = (float(word) for word in bounds.split(','))
        except ValueError:
            raise ValueError(
                f'{text}: expected PATH=LOW,HIGH, such as {path}={value},{10 * value + 1:g}'
            ) from None
        return Parameter(path, low, high)
    if value <= 0.0:
        raise ValueError(f'{path} is {value:g} in the robot file; give bounds: {path}=LOW,HIGH')
    return Parameter(path, value / _FACTOR, value * _FACTOR)


class ParameterSet:
    """Parameters of a robot, and the robot with other values of them."""

    def __init__(self, robot: Robot, parameters: Sequence[Parameter]):
        """Raises ValueError where there is none, a path leads nowhere, or two lead to one number."""
        if not parameters:
            raise ValueError('no parameter to identify; name one, such as links.arm.material.youngs_modulus')
        self._data = _plain(robot)
        self._places = [places(self._data, each.path) for each in parameters]
        everything = [place for each in self._places for place in each]
        if len(set(everything)) < len(everything):
            raise ValueError('two of the parameters are one number of the robot file; leave one out')
        self.parameters = tuple(parameters)
        self.names = tuple(each.path for each in parameters)

    @property
    def given(self) -> np.ndarray:
        """(p,) values of the robot file; of several under one path the first."""
        return np.array([_get(self._data, each[0]) for each in self._places], dtype=float)

    def shares(self, values: np.ndarray) -> np.ndarray:
        """(p,) where values stand between their bounds, 0 to 1."""
        return np.array([each.share(x) for each, x in zip(self.parameters, values, strict=True)])

    def values(self, shares: np.ndarray) -> np.ndarray:
        """The inverse of `shares`."""
        return np.array([each.value(x) for each, x in zip(self.parameters, shares, strict=True)])

    def robot(self, values: np.ndarray) -> Robot:
        """The robot with these values (p,). Raises ValueError where a description cannot have them."""
        data = self._data
        for place, value in self.changes(values).items():
            data = _with(data, place, value)
        try:
            return Robot.model_validate(data)
        except ValidationError as error:
            raise ValueError(f'no robot has {dict(zip(self.names, values, strict=True))}: {error}') from None

    def changes(self, values: np.ndarray) -> dict[tuple, float]:
        """Values (p,) by their places in the robot file: keys and numbers of items."""
        pairs = zip(self._places, values, strict=True)
        return {place: float(value) for each, value in pairs for place in each}


def places(data: Any, path: str) -> list[tuple]:
    """Keys and numbers of items that lead to the numbers of a path. Raises ValueError where it leads to
    none."""
    found = [((), data)]
    for word in path.split('.'):
        found = [(place + (step,), below) for place, at in found for step, below in _below(at, word, path)]
    if not found or any(isinstance(x, bool) or not isinstance(x, (int, float)) for _, x in found):
        raise ValueError(f'{path}: not a number of the robot file, or not given in it')
    return [place for place, _ in found]


def _below(at: Any, word: str, path: str) -> Iterator[tuple[str | int, Any]]:
    if isinstance(at, dict):
        names, items = list(at), at
    elif isinstance(at, list):
        names = [item.get('name', str(i)) if isinstance(item, dict) else str(i) for i, item in enumerate(at)]
        items = dict(enumerate(at))
    else:
        names, items = [], {}
    chosen = [step for step, name in zip(items, names, strict=True) if word in ('*', name, str(step))]
    if not chosen and not (word == '*' and isinstance(at, list)):
        raise ValueError(f'{path}: the robot file has no {word!r} there; {did_you_mean(word, names)}')
    yield from ((step, items[step]) for step in chosen)


def _plain(robot: Robot) -> dict[str, Any]:
    return robot.model_dump(mode='json')


def _get(data: Any, place: tuple) -> Any:
    for step in place:
        data = data[step]
    return data


def _with(data: Any, place: tuple, value: float) -> Any:
    """A copy of nested lists and dictionaries with another value at a place."""
    if not place:
        return value
    copy = data.copy()
    copy[place[0]] = _with(data[place[0]], place[1:], value)
    return copy
