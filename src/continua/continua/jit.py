"""numba with the settings that every kernel of this library uses.

Kernels are compiled once and cached on disk, release the GIL, and may fuse and reorder floating-point
operations (but keep NaN, so that bad input stays visible).

numba invalidates its cache per file: a kernel that calls a function of *another* module keeps the old
machine code when only that other module changes. The cache folder is therefore keyed on a hash of all
kernel sources.
"""

import hashlib
import os
from functools import partial
from pathlib import Path

import numba

__all__ = ['cache_folder', 'njit']


def cache_folder() -> Path:
    """Folder of the compiled kernels; `NUMBA_CACHE_DIR` or `~/.cache/continua`, plus the sources' hash."""
    root = os.environ.get('NUMBA_CACHE_DIR') or os.path.join(
        os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'continua'
    )
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob('*.py')):
        text = source.read_bytes()
        if b'njit' in text:
            digest.update(source.name.encode() + text)
    return Path(root) / f'kernels-{digest.hexdigest()[:12]}'


# Read by numba when a function is decorated, hence set at import, before the first kernel.
numba.config.CACHE_DIR = str(cache_folder())

njit = partial(
    numba.njit, cache=True, nogil=True, error_model='numpy', fastmath={'contract', 'reassoc', 'nsz'}
)
