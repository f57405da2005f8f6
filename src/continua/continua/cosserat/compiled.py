"""C at run time: compiled by gcc once for each source, compiler and processor, and kept on disk."""

import ctypes
import hashlib
import os
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

from continua.jit import cache_folder

__all__ = ['compiled']

# Sums may be reordered, as in the numba kernels; NaN stays NaN.
_FLAGS = (
    '-O3 -march=native -fno-math-errno -fno-trapping-math -fno-signed-zeros -fassociative-math -shared -fPIC'
)


@lru_cache(maxsize=8)
def compiled(source: str) -> ctypes.CDLL:
    """The library of a C source. Raises RuntimeError where there is no compiler, or where it refuses."""
    compiler = os.environ.get('CC', 'gcc')
    # What native means is in what the compiler says of itself, so a folder that machines share is safe.
    identity = _run([compiler, *_FLAGS.split(), '-E', '-v', '-x', 'c', os.devnull]).stderr
    digest = hashlib.sha256('\0'.join([source, _FLAGS, identity]).encode()).hexdigest()[:16]
    folder = cache_folder().parent / 'native'
    library = folder / f'{digest}.so'
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # Built beside it and renamed: another process sees all of the library or none of it.
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            text, built = Path(scratch, 'source.c'), Path(scratch, 'library.so')
            text.write_text(source)
            _run([compiler, *_FLAGS.split(), str(text), '-o', str(built), '-lm'])
            built.replace(library)
    return ctypes.CDLL(str(library))


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise RuntimeError(
            f'{command[0]}: no such compiler; install gcc (`apt-get install gcc`), or name one in CC'
        ) from None
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f'{command[0]} could not compile the model:\n{error.stderr}') from error
