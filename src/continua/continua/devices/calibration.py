"""Calibration of one serial board: what its readings mean, by the serial number of the board.

Files are config/calibration/<serial>.yaml, written after the procedure of hardware/README.md:

    version: 1
    serial: TB-0007
    date: 2025-03-14
    tendons:
      north: {tension_scale: 1.02, tension_offset: 0.15, displacement_scale: 0.997}

or, of a valve board:

    chambers:
      a: {pressure_scale: 1.01, pressure_offset: -250.0, supply_dead_band: 0.06, exhaust_dead_band: 0.04}
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

__all__ = [
    'TendonCalibration',
    'ValveCalibration',
    'load_tendons',
    'load_valves',
    'no_tendons',
    'no_valves',
]


@dataclass(frozen=True)
class TendonCalibration:
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


@dataclass(frozen=True)
class ValveCalibration:
    """true = scale * board + offset, arrays (n,) in the order of the chambers; dead bands are openings."""

    pressure_scale: np.ndarray
    pressure_offset: np.ndarray  # Pa
    supply_dead_band: np.ndarray
    exhaust_dead_band: np.ndarray

    def pressure(self, board: np.ndarray) -> np.ndarray:
        """True gauge pressure [Pa] of what the board reads."""
        return self.pressure_scale * board + self.pressure_offset

    def setpoint(self, pressure: np.ndarray) -> np.ndarray:
        """What the board must read [Pa] for this true gauge pressure [Pa]."""
        return (pressure - self.pressure_offset) / self.pressure_scale


class _Strict(BaseModel):
    model_config = ConfigDict(extra='forbid', frozen=True)


class _Tendon(_Strict):
    tension_scale: float = Field(gt=0.5, lt=2.0)
    tension_offset: float = Field(gt=-10.0, lt=10.0)
    displacement_scale: float = Field(gt=0.5, lt=2.0)


class _Chamber(_Strict):
    pressure_scale: float = Field(gt=0.5, lt=2.0)
    pressure_offset: float = Field(gt=-50e3, lt=50e3)
    supply_dead_band: float = Field(ge=0.0, lt=0.5)
    exhaust_dead_band: float = Field(ge=0.0, lt=0.5)


class _File(_Strict):
    version: Literal[1]
    serial: str
    date: date


class _TendonFile(_File):
    tendons: dict[str, _Tendon]


class _ValveFile(_File):
    chambers: dict[str, _Chamber]


def no_tendons(n: int) -> TendonCalibration:
    """The readings of a tendon board taken as they are."""
    return TendonCalibration(np.ones(n), np.zeros(n), np.ones(n))


def no_valves(n: int) -> ValveCalibration:
    """The readings of a valve board taken as they are, and valves without dead bands."""
    return ValveCalibration(np.ones(n), np.zeros(n), np.zeros(n), np.zeros(n))


def load_tendons(folder: Path, serial: str, names: Sequence[str]) -> TendonCalibration:
    """Calibration of the board `serial` for the named tendons; DeviceRefused where none fits."""
    return TendonCalibration(**_columns(folder, serial, 'tendons', names, _TendonFile))


def load_valves(folder: Path, serial: str, names: Sequence[str]) -> ValveCalibration:
    """Calibration of the board `serial` for the named chambers; DeviceRefused where none fits."""
    return ValveCalibration(**_columns(folder, serial, 'chambers', names, _ValveFile))


def _columns(
    folder: Path, serial: str, kind: str, names: Sequence[str], file_type: type[_File]
) -> dict[str, np.ndarray]:
    path = folder / f'{serial}.yaml'
    if not path.is_file():
        raise DeviceRefused(
            f'board {serial}: expected its calibration in {path}, found no such file; calibrate it '
            '(hardware/README.md) or leave calibration_dir empty to use the readings as they are'
        )
    try:
        content = file_type.model_validate(yaml.safe_load(path.read_text()))
    except (yaml.YAMLError, ValidationError) as error:
        raise DeviceRefused(f'{path}: not a calibration file: {error}') from None
    if content.serial != serial:
        raise DeviceRefused(f'{path}: expected serial {serial}, got {content.serial}; is it the right file?')
    given = getattr(content, kind)
    if set(given) != set(names):
        raise DeviceRefused(
            f'{path}: expected the {kind} {", ".join(sorted(names))}, '
            f'got {", ".join(sorted(given))}; calibrate the board on this robot'
        )
    rows = [given[name].model_dump() for name in names]
    return {field: np.array([row[field] for row in rows]) for field in rows[0]}
