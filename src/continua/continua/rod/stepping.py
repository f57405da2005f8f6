"""What all integrators have: a state to read, an account of what was done, and what they refuse."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from continua.rod.rod import Rod

__all__ = ['Statistics', 'Stepping', 'check_free', 'check_tolerance']


@dataclass(frozen=True)
class Statistics:
    """Internal steps accepted; rejected for their error or without a solution; evaluations of the
    residual."""

    steps: int
    rejected: int
    residuals: int


class Stepping:
    """A rod, and the arrays of its state: q and qd (n,), or what a method has for qd, and count (3,)."""

    rod: Rod
    _state: Any

    @property
    def q(self) -> np.ndarray:
        return self._state.q.copy()

    @property
    def qd(self) -> np.ndarray:
        return self._state.qd.copy()

    @property
    def statistics(self) -> Statistics:
        """What was done since the last `reset`."""
        return Statistics(*map(int, self._state.count))


def check_tolerance(name: str, value: float) -> None:
    """Raise ValueError where a tolerance is not a positive number."""
    if not (math.isfinite(value) and value > 0.0):
        raise ValueError(f'{name}: expected a positive number, in units of deformation, got {value}')


def check_free(rod: Rod, method: str) -> None:
    """Raise ValueError for a robot with loops or position drives, which a method does not hold."""
    if rod.n_constraints:
        raise ValueError(
            f'robot {rod.robot.name}: {method} method does not hold loops and position drives; use Integrator'
        )
