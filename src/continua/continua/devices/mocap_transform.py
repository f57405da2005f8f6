"""Where the frame of the motion capture lies in world, from a calibration file.

    version: 1
    date: 2025-03-14
    rotation:                   # world <- mocap; this one takes Y up to Z up
      - [1, 0, 0]
      - [0, 0, -1]
      - [0, 1, 0]
    translation: [0.0, 0.0, 0.4]    # m, the origin of the motion capture in world

It is the only conversion: axes are turned here and nowhere else.
"""

from datetime import date
from pathlib import Path
from typing import Literal

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from scipy.spatial.transform import Rotation

__all__ = ['MocapTransform', 'load_transform']

_TOLERANCE = 1e-3  # of R^T R against 1: numbers of a file are rounded
_Row = tuple[float, float, float]


class _File(BaseModel):
    model_config = ConfigDict(extra='forbid', frozen=True, allow_inf_nan=False)

    version: Literal[1]
    date: date
    rotation: tuple[_Row, _Row, _Row]
    translation: _Row


class MocapTransform:
    """world <- mocap: a rotation (3, 3) and a translation (3,) m. Both ways, for drivers and emulators."""

    def __init__(self, rotation: np.ndarray, translation: np.ndarray) -> None:
        """Raises ValueError where `rotation` is none."""
        rotation, self.translation = np.asarray(rotation, dtype=float), np.asarray(translation, dtype=float)
        error = np.abs(rotation.T @ rotation - np.eye(3)).max()
        if not error < _TOLERANCE:
            lengths = ', '.join(f'{length:.4g}' for length in np.linalg.norm(rotation, axis=1))
            raise ValueError(
                f'rotation: expected orthonormal rows, got lengths {lengths} '
                f'and errors of R^T R up to {error:.3g}; is a row mistyped, or are there units in it?'
            )
        if np.linalg.det(rotation) < 0.0:
            raise ValueError(
                'rotation: expected determinant +1, got -1: it mirrors. Swapping two axes is no rotation; '
                'one of them must change its sign, too'
            )
        self._rotation = Rotation.from_matrix(rotation)  # the nearest one
        self.rotation = self._rotation.as_matrix()

    def to_world(self, position: np.ndarray) -> np.ndarray:
        """Positions (..., 3) m of the motion capture in world."""
        return position @ self.rotation.T + self.translation

    def to_mocap(self, position: np.ndarray) -> np.ndarray:
        """Positions (..., 3) m of world in the frame of the motion capture."""
        return (position - self.translation) @ self.rotation

    def orientation_to_world(self, orientation_xyzw: np.ndarray) -> np.ndarray:
        """A quaternion (4,), not zero, of the motion capture in world."""
        return (self._rotation * Rotation.from_quat(orientation_xyzw)).as_quat()

    def orientation_to_mocap(self, orientation_xyzw: np.ndarray) -> np.ndarray:
        """A quaternion (4,), not zero, of world in the frame of the motion capture."""
        return (self._rotation.inv() * Rotation.from_quat(orientation_xyzw)).as_quat()


def load_transform(path: Path) -> MocapTransform:
    """Of a calibration file; raises ValueError."""
    try:
        content = _File.model_validate(yaml.safe_load(path.read_text()))
        return MocapTransform(np.array(content.rotation), np.array(content.translation))
    except OSError as error:
        raise ValueError(
            f'{path}: cannot read the calibration of the motion capture: {error.strerror}'
        ) from None
    except yaml.YAMLError as error:
        raise ValueError(f'{path}: no YAML file: {error}') from None
    except ValidationError as error:
        faults = '; '.join(f'{".".join(map(str, e["loc"]))}: {e["msg"]}' for e in error.errors())
        raise ValueError(f'{path}: no calibration of a motion capture: {faults}') from None
    except ValueError as error:
        raise ValueError(f'{path}: {error}') from None
