"""Faults injected on purpose, each for some of the parts and for some time."""

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

__all__ = ['Fault', 'FaultBook']


class Fault(IntEnum):
    """What can be broken; the values of continua_msgs/InjectFault."""

    DROP_MARKERS = 1
    BLOCK_TENDON = 2
    FREEZE = 3
    STICK_VALVE = 4
    BIAS_PRESSURE = 5


class _Entry(NamedTuple):
    fault: Fault
    names: frozenset[str]
    until: float
    size: float


class FaultBook:
    """Which faults act at which time (s of simulated time)."""

    def __init__(self) -> None:
        self._active: list[_Entry] = []

    def inject(self, fault: Fault, names: Sequence[str], until: float = math.inf, size: float = 0.0) -> None:
        """Break the named parts, or all when there are no names, until the given time.

        size: of a fault that has one, such as an error in Pa.
        """
        self._active.append(_Entry(fault, frozenset(names), until, size))

    def clear(self) -> None:
        """Everything works again."""
        self._active.clear()

    def acts(self, fault: Fault, now: float, name: str = '') -> bool:
        """Whether the fault acts on the named part now."""
        return bool(self._acting(fault, now, name))

    def size(self, fault: Fault, now: float, name: str) -> float:
        """Sizes of all such faults that act on the named part now, together."""
        return sum(entry.size for entry in self._acting(fault, now, name))

    def _acting(self, fault: Fault, now: float, name: str) -> list[_Entry]:
        self._active = [entry for entry in self._active if entry.until > now]
        return [e for e in self._active if e.fault == fault and (not e.names or name in e.names)]
