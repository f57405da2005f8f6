"""Inputs that were measured at their own moments, and what acted between two others."""

from bisect import bisect_right

import numpy as np

__all__ = ['InputHistory']


class InputHistory:
    """Inputs of the last `window` s. newest: stamp of the last one, -inf without any."""

    def __init__(self, window: float) -> None:
        self._window = window
        self._stamps: list[float] = []
        self._inputs: list[np.ndarray] = []

    @property
    def newest(self) -> float:
        return self._stamps[-1] if self._stamps else -np.inf

    def add(self, stamp: float, u: np.ndarray) -> bool:
        """Take the inputs (m,) measured at a stamp (s); False for one that is not newer than the last."""
        if stamp <= self.newest:
            return False
        self._stamps.append(stamp)
        self._inputs.append(u)
        # The last one before the window still acts at its beginning.
        old = max(bisect_right(self._stamps, stamp - self._window) - 1, 0)
        del self._stamps[:old], self._inputs[:old]
        return True

    def mean(self, start: float, end: float) -> np.ndarray:
        """Mean inputs (m,) between two moments (s), linear between measurements and constant outside them.

        Raises ValueError without any measurement, and where end does not come after start.
        """
        if not (self._stamps and end > start):
            raise ValueError(f'inputs: expected some, and an end after the start, got {start} to {end} s')
        inside = [t for t in self._stamps if start < t < end]
        times, inputs = np.array([start, *inside, end]), np.array(self._inputs)
        at = np.stack([np.interp(times, self._stamps, column) for column in inputs.T], axis=1)
        return np.diff(times) @ (0.5 * (at[1:] + at[:-1])) / (end - start)
