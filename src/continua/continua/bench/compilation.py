"""`continua bench compile`: how long the kernels take to compile, and to load once they are compiled."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from continua.bench.figure import Figure

__all__ = ['measure_compilation']


def measure_compilation() -> Iterator[Figure]:
    """Yield the seconds of `continua compile` with an empty cache, and of a second one: import and load."""
    with tempfile.TemporaryDirectory() as folder:
        yield Figure('compile all kernels, empty cache', _compile(folder), 's')
        yield Figure('load all kernels from the cache, Python included', _compile(folder), 's')


def _compile(folder: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, '-m', 'continua', 'compile'],
        env={**os.environ, 'NUMBA_CACHE_DIR': folder},
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - start
