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
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

__all__ = ['Held', 'cache_folder', 'inner', 'njit', 'part']

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

# For kernels. They make no arrays, so they need not count who holds one: for a model's hundred arrays that
# takes longer than a small model's equation of motion. numba refuses a kernel that allocates.
njit = partial(
    numba.njit,
    cache=True,
    nogil=True,
    error_model='numpy',
    fastmath={'contract', 'reassoc', 'nsz'},
    no_cfunc_wrapper=True,
    _nrt=False,
)
# For kernels that only kernels call: without what takes arguments from Python, which is slow to compile.
inner = partial(njit, no_cpython_wrapper=True)
# For a part of one kernel: compiled within it, and not by itself before.
part = partial(njit, inline='always')


class _HeldType(types.CPointer):
    """Pointer to a held tuple."""


class Held:
    """`value`, a tuple of arrays, for kernels that take it as a pointer: `held[0]` is the tuple.

    By value, a model of a hundred arrays is a thousand arguments: Python asked for each array again takes
    longer than the model's equation of motion, and kernels that call each other copy them all.
    """

    def __init__(self, value: tuple):
        self.value = value
        if not numba.config.DISABLE_JIT:
            self._numba_type_ = _HeldType(numba.typeof(value))
            self._memory = np.zeros(_size(self._numba_type_.dtype), np.uint8)
            self.address = self._memory.ctypes.data
            _write(value, self._memory)

    def __reduce__(self) -> tuple:
        """A copy has memory of its own."""
        return Held, (self.value,)

    def __getitem__(self, index: int) -> tuple:
        """What kernels see, for Python in their place: numba can be told to let it run them."""
        return (self.value,)[index]


register_model(_HeldType)(models.PointerModel)


@unbox(_HeldType)
def _unbox(kind: _HeldType, held: ir.Value, c) -> NativeValue:
    address = c.pyapi.object_getattr_string(held, 'address')
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.bitcast(pointer, c.context.get_value_type(kind)))


@intrinsic
def _store(_, value, memory):
    def store(context, builder, signature, arguments):
        data = context.make_array(memory)(context, builder, arguments[1]).data
        builder.store(arguments[0], builder.bitcast(data, arguments[0].type.as_pointer()))

    return types.void(value, memory), store


def _size(kind: types.Type) -> int:
    """Bytes of such a value in compiled code; of an array, its address, shape and strides."""
    context = cpu_target.target_context
    return context.get_abi_sizeof(context.get_value_type(kind))


@njit
def _write(value: tuple, memory: np.ndarray) -> None:
    """Store the tuple, as compiled code has it, in memory (uint8)."""
    _store(value, memory)
