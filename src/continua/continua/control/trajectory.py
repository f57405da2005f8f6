"""Goals over time: rows between which a controller interpolates."""

from dataclasses import dataclass

import numpy as np

__all__ = ['Trajectory']


@dataclass(frozen=True)
class Trajectory:
    """Goals (k, g) at times (k,) s: linear between them, constant before the first and after the last."""

    time: np.ndarray
    values: np.ndarray

    def __post_init__(self) -> None:
        """Raises ValueError where these do not fit, or are no numbers."""
        k = self.time.size
        if k == 0 or self.values.ndim != 2 or len(self.values) != k or np.any(np.diff(self.time) <= 0.0):
            raise ValueError(
                f'trajectory: expected times that rise, (k,), and goals (k, g), got {self.time.shape} and '
                f'{self.values.shape}'
            )
        if not (np.all(np.isfinite(self.time)) and np.all(np.isfinite(self.values))):
            raise ValueError('trajectory: a time or a goal is not finite')

    @property
    def duration(self) -> float:
        """From 0 to the last goal, s."""
        return float(self.time[-1])

    def at(self, times: np.ndarray) -> np.ndarray:
        """Goals (..., g) at times (...,) s."""
        return np.stack([np.interp(times, self.time, column) for column in self.values.T], axis=-1)
