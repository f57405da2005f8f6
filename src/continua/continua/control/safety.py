"""What stands between a command and the drives: limits, watchdog, enable and emergency stop.

    disabled --enable--> enabled --no command for `watchdog` s--> watchdog --command--> enabled
    any state --emergency_stop--> stopped (latched) --reset--> disabled

Only in `enabled` do the drives act: at least the minimum of their limits, at most the maximum. Everywhere
else they are at rest at once: tendons slack at 0 N, chambers vented at 0 Pa, valves open to the exhaust at
-1. What leads away from rest is limited in rate, what leads back is not. `now` is any steady time in
seconds; one that is not finite or runs backwards counts as too late.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

__all__ = [
    'FAULT_EMERGENCY_STOP',
    'FAULT_NONE',
    'FAULT_WATCHDOG',
    'OPENING',
    'PRESSURE',
    'TENSION',
    'CommandSafety',
    'Quantity',
    'Setpoint',
    'State',
    'valve_safety',
]

# The values of continua_msgs/TendonState and continua_msgs/PressureState.
FAULT_NONE = 0
FAULT_WATCHDOG = 8
FAULT_EMERGENCY_STOP = 16


class State(Enum):
    """State of a CommandSafety."""

    DISABLED = 'disabled'
    ENABLED = 'enabled'
    WATCHDOG = 'watchdog'
    STOPPED = 'stopped'


_FAULT = {State.WATCHDOG: FAULT_WATCHDOG, State.STOPPED: FAULT_EMERGENCY_STOP}


@dataclass(frozen=True)
class Quantity:
    """What is commanded, of which actuator, and what that is at rest."""

    name: str
    unit: str
    actuator: str
    at_rest: str
    rest: float = 0.0
    least: float = -math.inf  # no limit may be lower


TENSION = Quantity('tension', 'N', 'tendon', 'slack', least=0.0)
PRESSURE = Quantity('pressure', 'Pa', 'chamber', 'vented')
OPENING = Quantity('opening', '', 'valve', 'vented', rest=-1.0)


class Setpoint(NamedTuple):
    """What the drives should do now, in the order of the actuators."""

    value: np.ndarray  # (n,) in the unit of the quantity
    is_saturated: np.ndarray  # (n,) bool, a limit of value or rate changed the request
    fault: np.ndarray  # (n,) uint16, FAULT_* bits


class CommandSafety:
    """Command bookkeeping of one robot's tendons, chambers or valves.

    state: one of State. names: of the actuators, in the order of all arrays. quantity: what is commanded.
    watchdog: time without a command after which all are at rest [s].
    """

    def __init__(
        self,
        quantity: Quantity,
        names: Sequence[str],
        limits: Sequence[tuple[float, float]],
        rates: Sequence[float | None],
        watchdog: float,
    ) -> None:
        """Start disabled.

        limits: least and most of each. rates: fastest change away from rest, per second, None for no limit.
        Raises ValueError where limits are not finite and in order.
        """
        self.quantity = quantity
        self.names = list(names)
        self.watchdog = _positive(watchdog, 'watchdog', 's')
        self._limits = np.array(limits, dtype=float).reshape(-1, 2)
        for name, (low, high) in zip(self.names, self._limits, strict=True):
            _check_limits(quantity, name, low, high)
        self._rate = [_rate(quantity, *pair) for pair in zip(self.names, rates, strict=True)]
        self._index = {name: i for i, name in enumerate(self.names)}
        self._last = -math.inf
        self._rest(State.DISABLED)

    @classmethod
    def of(cls, quantity: Quantity, actuators: Sequence, watchdog: float) -> 'CommandSafety':
        """With the limits of tendons or chambers of the robot description; raises like the constructor."""
        return cls(
            quantity,
            [each.name for each in actuators],
            [getattr(each.limits, quantity.name) for each in actuators],
            [getattr(each.limits, f'{quantity.name}_rate') for each in actuators],
            watchdog,
        )

    @property
    def sentence(self) -> str:
        """The state, for people."""
        at_rest = self.quantity.at_rest
        return {
            State.DISABLED: f'disabled: {at_rest}; call enable',
            State.ENABLED: 'enabled',
            State.WATCHDOG: f'watchdog: {at_rest}, no fresh {self.quantity.name} command',
            State.STOPPED: f'emergency stop is latched: {at_rest}; call reset, then enable',
        }[self.state]

    def command(self, values: Mapping[str, float], now: float) -> None:
        """Take a request by name; actuators not named keep theirs. Ignored unless enabled.

        Raises ValueError, taking nothing, where an actuator is unknown or a value is not finite.
        """
        quantity = self.quantity
        unknown = [name for name in values if name not in self._index]
        if unknown:
            raise ValueError(
                f'no {quantity.actuator} is called {", ".join(unknown)}; expected {", ".join(self.names)}'
            )
        wrong = [name for name, value in values.items() if not math.isfinite(value)]
        if wrong:
            raise ValueError(f'{quantity.name} of {", ".join(wrong)} is not finite; expected {quantity.unit}')
        if self.state not in (State.ENABLED, State.WATCHDOG):
            return
        self._rest_if_late(now)
        self.state = State.ENABLED
        self._last = now
        for name, value in values.items():
            self._requested[self._index[name]] = value

    def setpoint(self, now: float, dt: float) -> Setpoint:
        """The setpoint at `now`, `dt` seconds after the last one."""
        self._rest_if_late(now)
        seconds = dt if 0.0 < dt < math.inf else 0.0
        away = np.array([rate * seconds if rate < math.inf else math.inf for rate in self._rate])
        if self.state is State.ENABLED:
            rest = self.quantity.rest
            allowed = np.clip(self._requested, *self._limits.T)
            low, high = np.minimum(self._applied, rest) - away, np.maximum(self._applied, rest) + away
            self._applied = np.clip(allowed, low, high)
        fault = np.full(len(self.names), _FAULT.get(self.state, FAULT_NONE), dtype=np.uint16)
        return Setpoint(self._applied.copy(), self._applied != self._requested, fault)

    def enable(self, now: float) -> bool:
        """Let commands through from now on; False where the emergency stop is latched."""
        if self.state is State.DISABLED:
            self.state = State.ENABLED
            self._last = now
        return self.state is not State.STOPPED

    def disable(self) -> None:
        """Rest at once, until enabled again."""
        if self.state is not State.STOPPED:
            self._rest(State.DISABLED)

    def emergency_stop(self) -> None:
        """Rest at once and stay so until `reset`."""
        self._rest(State.STOPPED)

    def reset(self) -> None:
        """Clear the latch; the actuators are disabled and at rest then."""
        self._rest(State.DISABLED)

    def _rest_if_late(self, now: float) -> None:
        is_in_time = 0.0 <= now - self._last <= self.watchdog  # False for NaN too
        if self.state is State.ENABLED and not is_in_time:
            self._rest(State.WATCHDOG)

    def _rest(self, state: State) -> None:
        self.state = state
        self._requested = np.full(len(self.names), self.quantity.rest)
        self._applied = np.full(len(self.names), self.quantity.rest)


def valve_safety(chambers: Sequence, watchdog: float) -> CommandSafety:
    """Of valve openings, one valve a chamber of the robot description."""
    names = [chamber.name for chamber in chambers]
    return CommandSafety(OPENING, names, [(-1.0, 1.0)] * len(names), [None] * len(names), watchdog)


def _check_limits(quantity: Quantity, name: str, low: float, high: float) -> None:
    if not (quantity.least <= low <= high < math.inf and low > -math.inf):
        floor = f'{quantity.least:g} <= ' if math.isfinite(quantity.least) else ''
        raise ValueError(
            f'{quantity.actuator} {name!r}: {quantity.name} limits are [{low}, {high}] {quantity.unit}, '
            f'expected {floor}min <= max; correct limits.{quantity.name} in the robot file'
        )


def _rate(quantity: Quantity, name: str, rate: float | None) -> float:
    what = f'{quantity.actuator} {name!r}: limits.{quantity.name}_rate'
    return math.inf if rate is None else _positive(rate, what, f'{quantity.unit}/s')


def _positive(value: float, what: str, unit: str) -> float:
    if not 0.0 < value < math.inf:
        raise ValueError(f'{what} is {value} {unit}, expected a positive number')
    return value
