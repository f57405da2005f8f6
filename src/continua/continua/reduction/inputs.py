"""Inputs that excite a robot (soft_synergies section III-D): sweeps, steps, babbling, pushes with release.

Signals are (T, m), sampled at `rate` from time 0 to `duration`, both included.
"""

from collections.abc import Sequence

import numpy as np

__all__ = ['hold_signal', 'hypercube', 'push_signal', 'random_inputs', 'step_signal']

Values = Sequence[float] | np.ndarray


def hypercube(low: Values, high: Values, steps: int | Sequence[int]) -> np.ndarray:
    """All combinations (k, m) of `steps` equidistant values of each input, its ends included.

    Each differs from the one before by one step of one input, so that sweeps can start from their neighbour.
    Raises ValueError where low and high are not vectors of one size with low <= high, or a count is below 2.
    """
    low, high = _range(low, high)
    counts = np.broadcast_to(steps, low.shape)
    if np.any(counts < 2):
        raise ValueError(f'steps: expected at least 2, the ends of the range, got {steps}')
    rows = np.zeros((1, 0), dtype=int)
    for count in counts:
        # the first inputs run to and fro, one way for each value of the next
        runs = [np.insert(rows[:: (-1) ** i], rows.shape[1], i, axis=1) for i in range(count)]
        rows = np.concatenate(runs)
    return low + (high - low) * rows / (counts - 1)


def random_inputs(
    low: Values, high: Values, count: int, random: np.random.Generator, share: float = 1.0
) -> np.ndarray:
    """Random inputs (count, m): each acts with probability `share`, uniform in its range; the rest are low.

    Raises ValueError as `hypercube`.
    """
    low, high = _range(low, high)
    acting = random.random((count, low.size)) < share
    return np.where(acting, random.uniform(low, high, (count, low.size)), low)


def step_signal(low: Values, high: Values, at: float, duration: float, rate: float) -> np.ndarray:
    """Inputs that step from low to high at a time, s. Raises ValueError as `hypercube`, and for a duration or
    a rate that is not positive."""
    low, high = _range(low, high)
    return np.where(_times(duration, rate)[:, None] < at, low, high)


def hold_signal(
    low: Values,
    high: Values,
    hold: tuple[float, float],
    duration: float,
    rate: float,
    random: np.random.Generator,
) -> np.ndarray:
    """Variable-hold babbling: each input by itself keeps a random value for a random time within `hold`, s.

    Raises ValueError as `step_signal`, and for a `hold` that is not 0 < least <= most.
    """
    low, high = _range(low, high)
    time = _times(duration, rate)
    columns = []
    for least, most in zip(low, high, strict=True):
        held = _holds(hold, time, random)
        columns.append(random.uniform(least, most, held.max() + 1)[held])
    return np.stack(columns, axis=1) if columns else np.zeros((time.size, 0))


def push_signal(
    low: Values,
    high: Values,
    hold: tuple[float, float],
    release: bool,
    duration: float,
    rate: float,
    random: np.random.Generator,
) -> np.ndarray:
    """Wrenches (T, 6) N m and N whose six components change together after a random time within `hold`, s.

    release: after each wrench none acts for another such time. Raises ValueError as `hold_signal`.
    """
    low, high = _range(low, high)
    held = _holds(hold, _times(duration, rate), random)
    values = random.uniform(low, high, (held.max() + 1, low.size))
    if release:
        values[1::2] = 0.0
    return values[held]


def _range(low: Values, high: Values) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    if low.ndim != 1 or low.shape != high.shape or not np.all(low <= high):
        raise ValueError(
            f'low, high: expected two vectors of one size with low <= high, got {low.tolist()} and '
            f'{high.tolist()}'
        )
    return low, high


def _times(duration: float, rate: float) -> np.ndarray:
    """(T,) s."""
    for name, value, unit in (('duration', duration, 's'), ('rate', rate, 'Hz')):
        if not (np.isfinite(value) and value > 0.0):
            raise ValueError(f'{name}: expected a positive number, in {unit}, got {value}')
    return np.arange(round(duration * rate) + 1) / rate


def _holds(hold: tuple[float, float], time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """(T,) which of the consecutive holds, of random length, each time (T,) s is in."""
    least, most = hold
    if not 0.0 < least <= most < np.inf:
        raise ValueError(f'hold: expected a range of positive times in s, got {hold}')
    ends = np.cumsum(random.uniform(least, most, int(time[-1] / least) + 1))
    return np.searchsorted(ends, time, side='right')
