"""What one core of this machine can compute at most, measured.

Both kernels do nothing but multiply and add in registers, many at a time: single numbers, and numbers in the
vector registers that the compiler uses here. A multiply-add counts as two operations.
"""

import numba
import numpy as np

from continua.bench.timing import seconds_per_call

__all__ = ['scalar_peak', 'vector_peak']

_ROUNDS = 20_000


def scalar_peak() -> float:
    """Floating-point operations per second without vector instructions."""
    return 2.0 * 12 * _ROUNDS / seconds_per_call(lambda: _scalar(0.5, 0.3, _ROUNDS))


def vector_peak() -> float:
    """Floating-point operations per second with vector instructions, on data in the first-level cache."""
    x = np.full(512, 0.5)
    rounds = _ROUNDS // x.size
    return 2.0 * 16 * x.size * rounds / seconds_per_call(lambda: _vector(x, 0.5, 0.3, rounds))


@numba.jit(nopython=True, fastmath={'contract'})
def _scalar(a: float, b: float, rounds: int) -> float:
    """Twelve recurrences that do not wait for each other; recurrences cannot be vectorised."""
    x0 = x1 = x2 = x3 = x4 = x5 = b
    y0 = y1 = y2 = y3 = y4 = y5 = a
    for _ in range(rounds):
        x0 = x0 * a + b
        x1 = x1 * a + b
        x2 = x2 * a + b
        x3 = x3 * a + b
        x4 = x4 * a + b
        x5 = x5 * a + b
        y0 = y0 * a + b
        y1 = y1 * a + b
        y2 = y2 * a + b
        y3 = y3 * a + b
        y4 = y4 * a + b
        y5 = y5 * a + b
    return x0 + x1 + x2 + x3 + x4 + x5 + y0 + y1 + y2 + y3 + y4 + y5


@numba.jit(nopython=True, fastmath={'contract'})
def _vector(x: np.ndarray, a: float, b: float, rounds: int) -> None:
    """Sixteen multiply-adds on each of many numbers, which do not wait for each other."""
    for _ in range(rounds):
        for i in range(x.size):
            y = x[i]
            y = (((y * a + b) * a + b) * a + b) * a + b
            y = (((y * a + b) * a + b) * a + b) * a + b
            y = (((y * a + b) * a + b) * a + b) * a + b
            y = (((y * a + b) * a + b) * a + b) * a + b
            x[i] = y
