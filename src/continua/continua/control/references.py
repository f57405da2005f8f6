"""References of tensions or pressures: what each tendon should pull, or chamber hold, as a function of time.

A reference is called with the time since its start and has the same form for all kinds:

    reference(t) -> (n,) N or Pa    t in s; before 0 as at 0
    reference.duration              s, math.inf for those that never end
    reference.low, reference.high   (n,) N or Pa, the least and the most it ever asks for
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from continua.control.safety import Quantity

__all__ = ['Babble', 'Circle', 'Reference', 'Release', 'Sine', 'Step', 'Sweep', 'check_limits']


class Reference(Protocol):
    """What the module's docstring says."""

    duration: float
    low: np.ndarray
    high: np.ndarray

    def __call__(self, t: float) -> np.ndarray: ...


@dataclass(frozen=True)
class _Endless:
    low: np.ndarray
    high: np.ndarray

    duration = math.inf

    def _between(self, fraction: float | np.ndarray) -> np.ndarray:
        return self.low + (self.high - self.low) * fraction


@dataclass(frozen=True)
class Step(_Endless):
    """`low` until `time` s, then `high`."""

    time: float

    def __call__(self, t: float) -> np.ndarray:
        return self._between(float(t >= self.time))


@dataclass(frozen=True)
class Release(_Endless):
    """`high` until `time` s, then `low`."""

    time: float

    def __call__(self, t: float) -> np.ndarray:
        return self._between(float(t < self.time))


@dataclass(frozen=True)
class Sweep(_Endless):
    """One tendon after the other climbs from `low` to `high` in `levels` tensions, `hold` s each; the others
    stay at `low`.

    Tensions only rise before the tendon is let go, so that friction has one sense.
    """

    levels: int
    hold: float

    @property
    def duration(self) -> float:
        """s, after which all tendons have climbed."""
        return self.low.size * self.levels * self.hold

    def __call__(self, t: float) -> np.ndarray:
        done = min(int(max(t, 0.0) / self.hold), self.low.size * self.levels - 1)
        tendon, level = divmod(done, self.levels)
        return self._between((np.arange(self.low.size) == tendon) * level / (self.levels - 1))


@dataclass(frozen=True)
class Sine(_Endless):
    """All tendons together, from `low` up to `high` and back, `frequency` times a second."""

    frequency: float

    def __call__(self, t: float) -> np.ndarray:
        return self._between(0.5 - 0.5 * math.cos(2.0 * math.pi * self.frequency * max(t, 0.0)))


@dataclass(frozen=True)
class Circle(_Endless):
    """A pull that goes round: each tendon pulls most when the direction 2 pi frequency t is its own `angle`.

    angle: (n,) rad, of the tendons about the centre line, from the y axis to the z axis.
    """

    frequency: float
    angle: np.ndarray

    def __call__(self, t: float) -> np.ndarray:
        direction = 2.0 * math.pi * self.frequency * max(t, 0.0)
        return self._between(0.5 + 0.5 * np.cos(direction - self.angle))


class Babble:
    """Each tendon on its own holds a random tension for a random time, then the next one.

    Tensions are uniform in [low, high] N (n,), times uniform in [hold_min, hold_max] s. The same seed gives
    the same reference, whatever order the times are asked in.
    """

    duration = math.inf

    def __init__(
        self, low: np.ndarray, high: np.ndarray, hold_min: float, hold_max: float, seed: int
    ) -> None:
        if not 0.0 < hold_min <= hold_max < math.inf:
            raise ValueError(
                f'holding times are [{hold_min}, {hold_max}] s, expected 0 < hold_min <= hold_max'
            )
        self.low, self.high = low, high
        self._hold = (hold_min, hold_max)
        self._random = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(len(low))]
        self._ends: list[list[float]] = [[] for _ in low]
        self._values: list[list[float]] = [[] for _ in low]

    def __call__(self, t: float) -> np.ndarray:
        return np.array([self._value(i, max(t, 0.0)) for i in range(len(self.low))])

    def _value(self, i: int, t: float) -> float:
        ends, values, random = self._ends[i], self._values[i], self._random[i]
        while not ends or ends[-1] <= t:
            values.append(random.uniform(self.low[i], self.high[i]))
            ends.append((ends[-1] if ends else 0.0) + random.uniform(*self._hold))
        return values[bisect_right(ends, t)]


def check_limits(reference: Reference, actuators: Sequence, quantity: Quantity) -> None:
    """Raise ValueError where a reference leaves the limits of tendons or chambers of the robot file."""
    name, unit = quantity.name, quantity.unit
    for actuator, low, high in zip(actuators, reference.low, reference.high, strict=True):
        least, most = getattr(actuator.limits, name)
        if not (least <= low and high <= most):
            raise ValueError(
                f'{quantity.actuator} {actuator.name!r}: the reference goes from {low:g} to {high:g} {unit}, '
                f'but its limits are {least:g} to {most:g} {unit}; change the reference, or limits.{name} in '
                'the robot file'
            )
