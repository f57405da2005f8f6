"""The first-order lag between a pressure's setpoint and the pressure, from recorded steps.

    T dp/dt = K r - p      (adaptive_nempc_ddpinn eq 32: K = 11 / 10.94, T = 1 / 10.94 s)

Output error: gain K and time constant T of one chamber make the lag's own response to the recorded
setpoints, which are held between two states, fit the measured pressures. Errors of measurement are then
errors of the fit, and no derivative of noise is taken. Residuals of a lag that is only nearly one follow
one another; the intervals take that into account (W. Newey, K. West, "A simple, positive semi-definite,
heteroskedasticity and autocorrelation consistent covariance matrix", Econometrica, 1987).
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

__all__ = ['PressureLag', 'identify_pressure_lag', 'lag_response']

_LEAST_STEP = 1e3  # Pa; setpoints that change less tell nothing
_CONFIDENCE = 1.96  # standard deviations of 95 %


@dataclass(frozen=True)
class PressureLag:
    """gain, time_constant (s), the half widths of their 95 % intervals, and rms (Pa) of what is left over."""

    gain: float
    gain_interval: float
    time_constant: float
    time_constant_interval: float
    rms: float


def lag_response(
    time: np.ndarray, setpoint: np.ndarray, start: float, gain: float, time_constant: float
) -> np.ndarray:
    """Pressures (n,) Pa at times (n,) s under setpoints (n,) Pa, each held until the next time."""
    pressure = np.empty(len(time))
    pressure[0] = start
    decay = np.exp(-np.diff(time) / time_constant)
    for k, (factor, target) in enumerate(zip(decay, gain * setpoint[:-1], strict=True)):
        pressure[k + 1] = target + (pressure[k] - target) * factor
    return pressure


def identify_pressure_lag(time: np.ndarray, setpoint: np.ndarray, pressure: np.ndarray) -> PressureLag:
    """Lag of one chamber from times (n,) s, setpoints in force (n,) Pa and measured pressures (n,) Pa.

    Raises ValueError where times do not rise or the setpoint does not step.
    """
    if len(time) < 10 or np.any(np.diff(time) <= 0.0):
        raise ValueError(f'time: expected at least 10 rising times, got {len(time)}')
    if np.ptp(setpoint) < _LEAST_STEP:
        raise ValueError(
            f'setpoint: expected steps of {_LEAST_STEP:g} Pa or more, got {np.ptp(setpoint):g} Pa; record '
            'steps of this chamber (pneumatic_setpoint.launch.xml)'
        )

    def residuals(parameters: np.ndarray) -> np.ndarray:
        gain, log_time, start = parameters
        return lag_response(time, setpoint, start, gain, math.exp(log_time)) - pressure

    guess = [1.0, math.log(0.1), pressure[0]]
    fit = least_squares(residuals, guess, x_scale=[1.0, 1.0, np.ptp(setpoint)])
    deviation = np.sqrt(np.diag(_covariance(fit.jac, fit.fun)))
    time_constant = math.exp(fit.x[1])
    return PressureLag(
        gain=float(fit.x[0]),
        gain_interval=float(_CONFIDENCE * deviation[0]),
        time_constant=time_constant,
        time_constant_interval=float(_CONFIDENCE * time_constant * deviation[1]),
        rms=float(np.sqrt(np.mean(fit.fun**2))),
    )


def _covariance(jacobian: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Of the estimates (m, m), for residuals (n,) that follow one another over up to n^(1/3) x 4 samples."""
    score = jacobian * residual[:, None]
    meat = score.T @ score
    lags = int(4.0 * len(residual) ** (1.0 / 3.0))
    for lag in range(1, lags + 1):
        cross = score[lag:].T @ score[:-lag]
        meat += (1.0 - lag / (lags + 1.0)) * (cross + cross.T)
    bread = np.linalg.inv(jacobian.T @ jacobian)
    return bread @ meat @ bread
