"""Timing of short functions on a machine that others use too: the best of several batches."""

import time
from collections.abc import Callable

__all__ = ['seconds_per_call']


def seconds_per_call(function: Callable[[], object], budget: float = 0.3, batches: int = 7) -> float:
    """Seconds of one call: the fastest batch, each of `budget / batches` seconds or one call at least."""
    function()
    start = time.perf_counter()
    function()
    once = max(time.perf_counter() - start, 1e-7)
    repeat = max(1, int(budget / batches / once))
    best = float('inf')
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(repeat):
            function()
        best = min(best, (time.perf_counter() - start) / repeat)
    return best
