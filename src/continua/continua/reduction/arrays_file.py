"""Files of arrays by name (.npz, no pickle), with what else is known about them as JSON in `metadata`."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

__all__ = ['read_arrays', 'write_arrays']


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], metadata: dict) -> None:
    """Write a file; one that is there stays whole until the new one is complete.

    Raises ValueError where it cannot be written.
    """
    path = Path(path)
    partial = path.with_name(f'{path.name}.{os.getpid()}.partial')
    try:
        with partial.open('wb') as file:
            np.savez_compressed(file, metadata=np.array(json.dumps(metadata)), **arrays)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise ValueError(f'{path}: the file cannot be written: {error.strerror}') from None


def read_arrays(path: Path, what: str) -> tuple[dict[str, np.ndarray], dict]:
    """Arrays and metadata of a file whose metadata say `format: what`. Raises ValueError where it is none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        metadata = json.loads(str(arrays.pop('metadata')))
        found = metadata.pop('format')
    except (OSError, BadZipFile, KeyError, ValueError, EOFError, AttributeError) as error:
        raise ValueError(f'{path}: not a file of {what}: {error}') from None
    if found != what:
        raise ValueError(f'{path}: expected a file of {what}, got one of {found}')
    return arrays, metadata
