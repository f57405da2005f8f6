"""Faults injected on purpose, each for some of the parts and for some time."""

import math
from collections.abc import Sequence
from enum import IntEnum

__all__ = ['Fault', 'FaultBook']


class Fault(IntEnum):
    """What can be broken; the values of continua_msgs/InjectFault."""

    DROP_MARKERS = 1
    BLOCK_TENDON = 2
    FREEZE = 3


class FaultBook:
    """Which faults act at which time (s of simulated time)."""

    def __init__(self) -> None:
        self._active: list[tuple[Fault, frozenset[str], float]] = []

    def inject(self, fault: Fault, names: Sequence[str], until: float = math.inf) -> None:
        """Break the named parts, or all when there are no names, until the given time."""
        self._active.append((fault, frozenset(names), until))

    def clear(self) -> None:
        """Everything works again."""
        self._active.clear()

    def acts(self, fault: Fault, now: float, name: str = '') -> bool:
        """Whether the fault acts on the named part now."""
        self._active = [entry for entry in self._active if entry[2] > now]
        return any(kind == fault and (not names or name in names) for kind, names, _ in self._active)
