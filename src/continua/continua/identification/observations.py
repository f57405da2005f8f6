"""What markers showed: poses at rest, and motions after a release."""

from dataclasses import dataclass

import numpy as np

__all__ = ['Motion', 'Poses']


@dataclass(frozen=True)
class Poses:
    """k poses at rest of a robot with m inputs and M markers.

    inputs: (k, m) N, Pa, ..., in the order of `Rod.input_names`. weight: (k,) kg, hung at the hook.
    marker: (k, M, 3) m in world, in the order of the robot file, NaN where not seen. label: (k,) for reports.
    """

    inputs: np.ndarray
    weight: np.ndarray
    marker: np.ndarray
    label: tuple[str, ...]

    def __post_init__(self) -> None:
        k = len(self.label)
        if self.inputs.ndim != 2 or self.marker.ndim != 3 or self.marker.shape[2] != 3:
            raise ValueError(
                f'poses: expected inputs (k, m) and markers (k, M, 3), got shapes {self.inputs.shape} and '
                f'{self.marker.shape}'
            )
        if not len(self.inputs) == len(self.marker) == k or self.weight.shape != (k,):
            raise ValueError(
                f'poses: expected inputs, weights and markers of {k} poses, got {len(self.inputs)}, '
                f'{self.weight.size} and {len(self.marker)}'
            )
        _check_finite('poses', self.inputs, self.weight)


@dataclass(frozen=True)
class Motion:
    """A motion out of rest under the first row of its inputs.

    time: (s,) s, increasing. inputs: (s, m), linear between the times. marker: (s, M, 3) m in world, NaN
    where not seen.
    """

    time: np.ndarray
    inputs: np.ndarray
    marker: np.ndarray
    label: str

    def __post_init__(self) -> None:
        s = self.time.size
        if self.inputs.ndim != 2 or len(self.inputs) != s or self.marker.shape[::2] != (s, 3):
            raise ValueError(
                f'motion {self.label}: expected inputs (s, m) and markers (s, M, 3) at {s} times, got shapes '
                f'{self.inputs.shape} and {self.marker.shape}'
            )
        _check_finite(f'motion {self.label}', self.time, self.inputs)
        if s < 3 or np.any(np.diff(self.time) <= 0.0):
            raise ValueError(f'motion {self.label}: expected three increasing times or more')


def _check_finite(what: str, *arrays: np.ndarray) -> None:
    if not all(np.all(np.isfinite(each)) for each in arrays):
        raise ValueError(f'{what}: inputs, weights and times must be finite; only markers may be NaN')
