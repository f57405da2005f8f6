"""Results of simulations as .npz: arrays by name, and their units in a string. Read without pickle."""

import json
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

__all__ = ['RunFile', 'load_run', 'save_run']

UNITS = {
    'time': 's',
    'q': 'rad/m for curvatures, - for stretches; rad and m for joints',
    'qd': 'units of q per s',
    'u': 'N for tendons, Pa for chambers, N m or N for force drives, rad or m for position drives',
    'tip_position': 'm in world',
    'tip_quaternion_xyzw': '-, world <- section',
    'arc_length': 'm along the backbone',
    'backbone': 'm in world',
}
"""What a run file holds, and the units."""


@dataclass(frozen=True)
class RunFile:
    """A motion at m times: time (m,), q (m, n), qd (m, n), u (m, K), tip_position (m, 3),
    tip_quaternion_xyzw (m, 4), arc_length (s,), backbone (m, s, 3); units in `UNITS`.

    information: what else is known, such as robot, hash of its file, inputs, status.
    """

    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    u: np.ndarray
    tip_position: np.ndarray
    tip_quaternion_xyzw: np.ndarray
    arc_length: np.ndarray
    backbone: np.ndarray
    information: dict


def save_run(path: Path, motion, information: dict) -> None:
    """Write a motion, which has an attribute for each of `UNITS`, with what else is known about it.

    Raises ValueError where the file cannot be written.
    """
    arrays = {name: getattr(motion, name) for name in UNITS}
    metadata = json.dumps({'units': UNITS, **information})
    try:
        with Path(path).open('wb') as file:  # an open file, because numpy would add .npz to a name without
            np.savez_compressed(file, metadata=np.array(metadata), **arrays)
    except OSError as error:
        raise ValueError(f'{path}: the run cannot be written: {error.strerror}') from None


def load_run(path: Path) -> RunFile:
    """Read a run. Raises ValueError where the file is not one."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in UNITS}
            information = json.loads(str(file['metadata']))
    except (OSError, BadZipFile, KeyError, ValueError, EOFError) as error:
        raise ValueError(f'{path}: not a run of `continua simulate`: {error}') from None
    information.pop('units')
    return RunFile(**arrays, information=information)
