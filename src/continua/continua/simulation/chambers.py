"""The air in the chambers of a simulated robot: pressures held by a controller, or let in and out by valves.

A controller that holds pressures is seen from outside as a first-order lag (adaptive_nempc_ddpinn eq 32). A
proportional valve between supply, chamber and exhaust is

    dp/dt = a_s / T_s (p_supply - p) - a_e / T_e p

where a_s, a_e in [0, 1] are its openings to supply and exhaust beyond its dead bands, and T_s, T_e the
time constants of filling and venting through the fully open valve.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ['Chambers', 'Valve']


@dataclass(frozen=True)
class Valve:
    """A 5/3 proportional valve; its opening goes from -1, exhaust, over 0, shut, to 1, supply."""

    supply_pressure: float = 200e3  # Pa gauge
    fill_time: float = 0.2  # s, time constant of filling through the fully open valve
    vent_time: float = 0.1  # s, of venting
    supply_dead_band: float = 0.06  # opening up to which nothing flows in
    exhaust_dead_band: float = 0.04  # opening up to which nothing flows out

    def __post_init__(self) -> None:
        for name in ('supply_pressure', 'fill_time', 'vent_time'):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise ValueError(f'{name} of a valve: expected a positive number, got {value}')
        for name in ('supply_dead_band', 'exhaust_dead_band'):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise ValueError(f'{name} of a valve: expected an opening in [0, 1), got {value}')

    def pressure(self, before: np.ndarray, opening: np.ndarray, h: float) -> np.ndarray:
        """Gauge pressures (n,) Pa after h seconds with openings (n,), from the exact solution."""
        supply, exhaust = (
            np.clip((side * opening - band) / (1.0 - band), 0.0, 1.0)
            for side, band in ((1.0, self.supply_dead_band), (-1.0, self.exhaust_dead_band))
        )
        fill = np.exp(-h * supply / self.fill_time)
        vent = np.exp(-h * exhaust / self.vent_time)
        return (self.supply_pressure + (before - self.supply_pressure) * fill) * vent


class Chambers:
    """Pressures of a robot's chambers.

    pressure: (n,) Pa gauge. opening: (n,) of the valves, None where a controller holds the pressures.
    """

    def __init__(self, chambers: Sequence, valve: Valve | None) -> None:
        """Start vented. chambers: of the robot description. valve: of each chamber, None for a controller."""
        self._valve = valve
        self._lag = np.array([max(chamber.time_constant, 1e-9) for chamber in chambers])
        self.rest = np.full(len(chambers), 0.0 if valve is None else -1.0)
        self.vent()

    def vent(self) -> None:
        """All pressures are 0 and the valves open to the exhaust."""
        self.pressure = np.zeros(len(self.rest))
        self.opening = None if self._valve is None else self.rest.copy()

    def after(self, h: float, command: np.ndarray, is_stuck: np.ndarray) -> np.ndarray:
        """Pressures (n,) h seconds later under commands (n,): pressures in Pa, or openings where valves are.

        is_stuck: (n,) bool, valves that do not obey.
        """
        if self._valve is None:
            lagged = command + (self.pressure - command) * np.exp(-h / self._lag)
            return np.where(is_stuck, self.pressure, lagged)
        self.opening = np.where(is_stuck, self.opening, command)
        return self._valve.pressure(self.pressure, self.opening, h)
