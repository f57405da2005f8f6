"""numba with the settings that every kernel of this library uses.

Kernels are compiled once and cached on disk, release the GIL, and may fuse and reorder floating-point
operations (but keep NaN, so that bad input stays visible).

numba invalidates its cache per file: a kernel that calls a function of *another* module keeps the old
machine code when only that other module changes. The cache folder is therefore keyed on a hash of the sources
of all kernels and of the tuples that they take. Folders that nobody has used for a month are removed.
"""

import hashlib
import os
import shutil
import time
from functools import partial
from pathlib import Path

import numba
from numba.experimental import structref

__all__ = ['Held', 'cache_folder', 'hold', 'inner', 'njit', 'njit_allocating', 'part']

_MONTH = 30 * 24 * 3600.0  # s


def cache_folder() -> Path:
    """Folder of the compiled kernels; `NUMBA_CACHE_DIR` or `~/.cache/continua`, plus the sources' hash."""
    root = os.environ.get('NUMBA_CACHE_DIR') or os.path.join(
        os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'continua'
    )
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob('*.py')):
        text = source.read_bytes()
        if b'njit' in text or b'NamedTuple' in text:
            digest.update(source.name.encode() + text)
    return Path(root) / f'kernels-{digest.hexdigest()[:12]}'


def _open_cache() -> str:
    """Make the folder, mark it as used today, and remove its siblings that have not been used for a month."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for other in folder.parent.glob('kernels-*'):
            if time.time() - other.stat().st_mtime > _MONTH:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        # A folder that cannot be written or is tidied by another process: `continua doctor` tells about it.
        pass
    return str(folder)


# Read by numba when a function is decorated, hence set at import, before the first kernel.
numba.config.CACHE_DIR = _open_cache()

# For functions that make arrays, or take a `Held` apart.
njit_allocating = partial(
    numba.njit,
    cache=True,
    nogil=True,
    error_model='numpy',
    fastmath={'contract', 'reassoc', 'nsz'},
    no_cfunc_wrapper=True,
)
# For kernels. They make no arrays, so they need not count who holds one: for a model's hundred arrays that
# takes longer than a small model's equation of motion. numba refuses a kernel that allocates.
njit = partial(njit_allocating, _nrt=False)
# For kernels that only kernels call: without what takes arguments from Python, which is slow to compile.
inner = partial(njit, no_cpython_wrapper=True)
# For a part of one kernel: compiled within it, and not by itself before.
part = partial(njit, inline='always')


@structref.register
class _HeldType(numba.types.StructRef):
    pass


class Held(structref.StructRefProxy):
    """`value`, a tuple of arrays, as compiled code keeps it: a kernel that takes it does not ask Python for
    each array again, which for a model of a hundred arrays takes longer than its equation of motion."""


structref.define_boxing(_HeldType, Held)
structref.define_constructor(Held, _HeldType, ['value'])


@njit_allocating
def hold(value: tuple) -> Held:
    """The tuple for kernels that read `value` of it; they share the arrays with Python."""
    return Held(value)
