"""Pressures of the studies of the collocation rod (adaptive_nempc_ddpinn, sections III-G to IV-C)."""

import numpy as np

__all__ = ['DT', 'combinations', 'low_passed', 'oscillations', 'staircase']

DT = 1.0 / 70.0  # s, the paper's 14.28 ms


def combinations() -> np.ndarray:
    """(7, 3) which chambers are on: one, two, all three."""
    patterns = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    return patterns.astype(float)


def staircase(patterns: np.ndarray, hold: float) -> np.ndarray:
    """(s, 3) the patterns (k, 3) one after the other, each held for `hold` s and followed by as much rest."""
    steps = round(hold / DT)
    return np.repeat(np.stack([patterns, 0.0 * patterns], axis=1).reshape(-1, 3), steps, axis=0)


def low_passed(u: np.ndarray, frequency: float) -> np.ndarray:
    """u (s, m) behind a first-order low-pass (Hz) that begins at zero."""
    share, out = -np.expm1(-2.0 * np.pi * frequency * DT), np.zeros_like(u)
    for k in range(1, len(u)):
        out[k] = out[k - 1] + share * (u[k] - out[k - 1])
    return out


def oscillations(frequencies: tuple[float, ...], hold: float, peak: float) -> np.ndarray:
    """(s, 3) Pa: a turn through the chambers at each frequency (Hz) for `hold` s, then a step to zero for as
    long."""
    t = np.arange(round(hold / DT)) * DT
    phase = 2.0 * np.pi * np.arange(3) / 3.0
    parts = [0.5 * peak * (1.0 + np.cos(2.0 * np.pi * f * t[:, None] - phase)) for f in frequencies]
    return np.concatenate([*parts, np.zeros((t.size, 3))])
