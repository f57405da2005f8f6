"""What stands between a tendon command and the drive: limits, watchdog, enable and emergency stop.

    disabled --enable--> enabled --no command for `watchdog` s--> watchdog --command--> enabled
    any state --emergency_stop--> stopped (latched) --reset--> disabled

Only in `enabled` do the drives pull: at least the minimum of their limits, at most the maximum. Everywhere
else the setpoint is 0 N at once. Rising tension is limited in rate, falling tension is not. `now` is any
steady time in seconds; one that is not finite or runs backwards counts as too late.
"""

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

__all__ = ['FAULT_EMERGENCY_STOP', 'FAULT_NONE', 'FAULT_WATCHDOG', 'Setpoint', 'State', 'TendonSafety']

# The values of continua_msgs/TendonState.
FAULT_NONE = 0
FAULT_WATCHDOG = 8
FAULT_EMERGENCY_STOP = 16


class State(Enum):
    """State of a TendonSafety; the value is a sentence for people."""

    DISABLED = 'disabled: slack; call enable'
    ENABLED = 'enabled'
    WATCHDOG = 'watchdog: slack, no fresh tendon command'
    STOPPED = 'emergency stop is latched: slack; call reset, then enable'


_FAULT = {State.WATCHDOG: FAULT_WATCHDOG, State.STOPPED: FAULT_EMERGENCY_STOP}


class Setpoint(NamedTuple):
    """What the drives should do now, in the order of the tendons."""

    tension: np.ndarray  # (n,) N
    is_saturated: np.ndarray  # (n,) bool, a limit of value or rate changed the request
    fault: np.ndarray  # (n,) uint16, FAULT_* bits


class TendonSafety:
    """Command bookkeeping of one robot's tendons.

    state: one of State.
    names: tendon names, in the order of all arrays.
    watchdog: time without a command after which all tendons go slack [s].
    """

    def __init__(self, tendons: Sequence, watchdog: float) -> None:
        """Start disabled.

        tendons: of the robot description; `name`, `limits.tension` [N] and `limits.tension_rate` [N/s, None
            for no limit] are used.
        Raises ValueError where limits are not finite and in order.
        """
        self.names = [tendon.name for tendon in tendons]
        self.watchdog = _positive(watchdog, 'watchdog', 's')
        self._min = np.array([tendon.limits.tension[0] for tendon in tendons], dtype=float)
        self._max = np.array([tendon.limits.tension[1] for tendon in tendons], dtype=float)
        for tendon in tendons:
            low, high = tendon.limits.tension
            if not 0.0 <= low <= high < math.inf:
                raise ValueError(
                    f'tendon {tendon.name!r}: tension limits are [{low}, {high}] N, '
                    'expected 0 <= min <= max; correct limits.tension in the robot file'
                )
        self._rate = [_rate(tendon) for tendon in tendons]
        self._index = {name: i for i, name in enumerate(self.names)}
        self._last = -math.inf
        self._go_slack(State.DISABLED)

    def command(self, tension: Mapping[str, float], now: float) -> None:
        """Take a request in N by tendon name; tendons not named keep theirs. Ignored unless enabled.

        Raises ValueError, taking nothing, where a tendon is unknown or a value is not finite.
        """
        unknown = [name for name in tension if name not in self._index]
        if unknown:
            raise ValueError(f'no tendon is called {", ".join(unknown)}; expected {", ".join(self.names)}')
        wrong = [name for name, value in tension.items() if not math.isfinite(value)]
        if wrong:
            raise ValueError(f'tension of {", ".join(wrong)} is not finite; expected N')
        if self.state not in (State.ENABLED, State.WATCHDOG):
            return
        self._slacken_if_late(now)
        self.state = State.ENABLED
        self._last = now
        for name, value in tension.items():
            self._requested[self._index[name]] = value

    def setpoint(self, now: float, dt: float) -> Setpoint:
        """The setpoint at `now`, `dt` seconds after the last one."""
        self._slacken_if_late(now)
        seconds = dt if 0.0 < dt < math.inf else 0.0
        rise = [rate * seconds if rate < math.inf else math.inf for rate in self._rate]
        if self.state is State.ENABLED:
            allowed = np.clip(self._requested, self._min, self._max)
            self._applied = np.minimum(allowed, self._applied + rise)
        fault = np.full(len(self.names), _FAULT.get(self.state, FAULT_NONE), dtype=np.uint16)
        return Setpoint(self._applied.copy(), self._applied != self._requested, fault)

    def enable(self, now: float) -> bool:
        """Let commands through from now on; False where the emergency stop is latched."""
        if self.state is State.DISABLED:
            self.state = State.ENABLED
            self._last = now
        return self.state is not State.STOPPED

    def disable(self) -> None:
        """Go slack at once, until enabled again."""
        if self.state is not State.STOPPED:
            self._go_slack(State.DISABLED)

    def emergency_stop(self) -> None:
        """Go slack at once and stay so until `reset`."""
        self._go_slack(State.STOPPED)

    def reset(self) -> None:
        """Clear the latch; the tendons are disabled and slack then."""
        self._go_slack(State.DISABLED)

    def _slacken_if_late(self, now: float) -> None:
        is_in_time = 0.0 <= now - self._last <= self.watchdog  # False for NaN too
        if self.state is State.ENABLED and not is_in_time:
            self._go_slack(State.WATCHDOG)

    def _go_slack(self, state: State) -> None:
        self.state = state
        self._requested = np.zeros(len(self.names))
        self._applied = np.zeros(len(self.names))


def _rate(tendon) -> float:
    rate = tendon.limits.tension_rate
    return (
        math.inf if rate is None else _positive(rate, f'tendon {tendon.name!r}: limits.tension_rate', 'N/s')
    )


def _positive(value: float, what: str, unit: str) -> float:
    if not 0.0 < value < math.inf:
        raise ValueError(f'{what} is {value} {unit}, expected a positive number')
    return value
