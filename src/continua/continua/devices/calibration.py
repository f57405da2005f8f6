"""Calibration of one tendon board: what its readings mean, by the serial number of the board.

Files are config/calibration/<serial>.yaml, written after the procedure of hardware/README.md:

    version: 1
    serial: TB-0007
    date: 2025-03-14
    tendons:
      north: {tension_scale: 1.02, tension_offset: 0.15, displacement_scale: 0.997}
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from continua.devices.errors import DeviceRefused

__all__ = ['Calibration', 'load_calibration', 'no_calibration']


@dataclass(frozen=True)
class Calibration:
    """true = scale * board + offset, arrays (n,) in the order of the tendons."""

    tension_scale: np.ndarray
    tension_offset: np.ndarray  # N
    displacement_scale: np.ndarray

    def tension(self, board: np.ndarray) -> np.ndarray:
        """True tension [N] of what the board reads."""
        return self.tension_scale * board + self.tension_offset

    def setpoint(self, tension: np.ndarray) -> np.ndarray:
        """What the board must read [N] for this true tension [N]."""
        return (tension - self.tension_offset) / self.tension_scale


class _Strict(BaseModel):
    model_config = ConfigDict(extra='forbid', frozen=True)


class _TendonCalibration(_Strict):
    tension_scale: float = Field(gt=0.5, lt=2.0)
    tension_offset: float = Field(gt=-10.0, lt=10.0)
    displacement_scale: float = Field(gt=0.5, lt=2.0)


class _File(_Strict):
    version: Literal[1]
    serial: str
    date: date
    tendons: dict[str, _TendonCalibration]


def no_calibration(n: int) -> Calibration:
    """The readings of the board taken as they are."""
    return Calibration(np.ones(n), np.zeros(n), np.ones(n))


def load_calibration(folder: Path, serial: str, tendons: Sequence[str]) -> Calibration:
    """Calibration of the board `serial` for the named tendons; DeviceRefused where none fits."""
    path = folder / f'{serial}.yaml'
    if not path.is_file():
        raise DeviceRefused(
            f'board {serial}: expected its calibration in {path}, found no such file; calibrate it '
            '(hardware/README.md) or leave calibration_dir empty to use the readings as they are'
        )
    try:
        content = _File.model_validate(yaml.safe_load(path.read_text()))
    except (yaml.YAMLError, ValidationError) as error:
        raise DeviceRefused(f'{path}: not a calibration file: {error}') from None
    if content.serial != serial:
        raise DeviceRefused(f'{path}: expected serial {serial}, got {content.serial}; is it the right file?')
    if set(content.tendons) != set(tendons):
        raise DeviceRefused(
            f'{path}: expected the tendons {", ".join(sorted(tendons))}, '
            f'got {", ".join(sorted(content.tendons))}; calibrate the board on this robot'
        )
    rows = [content.tendons[name] for name in tendons]
    return Calibration(
        tension_scale=np.array([row.tension_scale for row in rows]),
        tension_offset=np.array([row.tension_offset for row in rows]),
        displacement_scale=np.array([row.displacement_scale for row in rows]),
    )
