"""PID control of several equal channels, with a filtered derivative and anti-windup.

    u = kp e + I - kd y',   e = setpoint - y,   dI/dt = ki e

y' is the derivative of the measurement behind a first-order low pass, so that steps of the setpoint do not
kick. The integral stands still while u is at its limit and the error drives it further out (conditional
integration, K. Astrom, T. Hagglund, "PID Controllers", 1995, section 3.5). The firmware of the valve board
runs the same (`Pid` of hardware/firmware/valve_core).
"""

import math
from dataclasses import dataclass

import numpy as np

__all__ = ['Pid', 'PidGains']


@dataclass(frozen=True)
class PidGains:
    """Gains in units of the output u per unit of the measurement y."""

    proportional: float  # u/y
    integral: float = 0.0  # u/(y s)
    derivative: float = 0.0  # u s/y
    filter_time: float = 0.0  # s, time constant of the derivative's low pass

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0.0 <= value < math.inf:
                raise ValueError(f'{name} of a PID controller: expected a number >= 0, got {value}')


class Pid:
    """One controller for each of n channels."""

    def __init__(self, gains: PidGains, n: int, limits: tuple[float, float] = (-1.0, 1.0)) -> None:
        """limits: of the output of all channels."""
        self._gains = gains
        self._limits = limits
        self._n = n
        self.reset()

    def reset(self) -> None:
        """Forget integral and derivative."""
        self._integral = np.zeros(self._n)
        self._slope = np.zeros(self._n)
        self._last: np.ndarray | None = None

    def step(self, setpoint: np.ndarray, measured: np.ndarray, dt: float) -> np.ndarray:
        """Output (n,) within the limits for (n,) setpoints and measurements, dt > 0 s after the last step."""
        gains = self._gains
        if self._last is not None:
            newness = dt / (dt + gains.filter_time)
            self._slope += newness * ((measured - self._last) / dt - self._slope)
        self._last = measured.copy()
        error = setpoint - measured
        unlimited = gains.proportional * error + self._integral - gains.derivative * self._slope
        output = np.clip(unlimited, *self._limits)
        may_integrate = (output == unlimited) | (error * unlimited < 0.0)
        self._integral += np.where(may_integrate, gains.integral * error * dt, 0.0)
        return output
