"""Messages of the valve board; hardware/valve_board.md has the byte tables.

On the wire pressures are in mPa, rates in mPa/s, openings in 1e-6, gains in 1e-12 of an opening per Pa, Pa
s or Pa/s, filter times in 0.1 ms and dead bands in 1e-4.
"""

import struct
from dataclasses import dataclass
from enum import IntFlag

import numpy as np

from continua.devices.board_messages import (
    BoardCommand,
    BoardConfig,
    BoardIdentity,
    BoardState,
    Dialect,
)

__all__ = [
    'HELD_BY_BOARD',
    'HELD_BY_HOST',
    'Config',
    'Fault',
    'Identity',
    'OpeningCommand',
    'PressureCommand',
    'State',
]

_PRESSURE = 1e3  # units on the wire per Pa, Pa/s
_OPENING = 1e6
_GAIN = 1e12  # per 1/Pa, 1/(Pa s), s/Pa


class Fault(IntFlag):
    """Faults of a channel: the values of the FAULT_ constants of continua_msgs/PressureState."""

    NONE = 0
    SENSOR = 1
    OVERPRESSURE = 2
    BLOCKED = 4
    WATCHDOG = 8
    EMERGENCY_STOP = 16
    DEVICE_LOST = 32
    SUPPLY = 64


@dataclass(frozen=True)
class Identity(BoardIdentity):
    """limit: Pa."""

    control_rate: int  # Hz, of the pressure controller on the board

    LIMIT_SCALE = _PRESSURE

    _LAYOUT = struct.Struct('<5B16sBiHH')


@dataclass(frozen=True)
class Config(BoardConfig):
    """Host to board: limits, controller and valve of each channel."""

    min_pressure: np.ndarray  # Pa
    max_pressure: np.ndarray  # Pa
    pressure_rate: np.ndarray  # Pa/s
    proportional: np.ndarray  # 1/Pa
    integral: np.ndarray  # 1/(Pa s)
    derivative: np.ndarray  # s/Pa
    filter_time: np.ndarray  # s
    supply_dead_band: np.ndarray  # opening up to which nothing flows in
    exhaust_dead_band: np.ndarray  # opening up to which nothing flows out

    CHANNEL = np.dtype(
        [
            ('min_pressure', '<i4'),
            ('max_pressure', '<i4'),
            ('pressure_rate', '<i4'),
            ('proportional', '<i4'),
            ('integral', '<i4'),
            ('derivative', '<i4'),
            ('filter_time', '<u2'),
            ('supply_dead_band', '<u2'),
            ('exhaust_dead_band', '<u2'),
        ]
    )
    SCALE = dict(zip(CHANNEL.names, [_PRESSURE] * 3 + [_GAIN] * 3 + [1e4] * 3, strict=True))


class PressureCommand(BoardCommand):
    """values: gauge pressures (n,) Pa, which the controller of the board holds."""

    SCALE = _PRESSURE


class OpeningCommand(BoardCommand):
    """values: openings (n,) of the valves, -1 exhaust ... 1 supply."""

    SCALE = _OPENING
    FLAGS = 2


@dataclass(frozen=True)
class State(BoardState):
    """Board to host: what it measures and applies."""

    pressure: np.ndarray  # Pa gauge
    setpoint: np.ndarray  # Pa, after limits; 0 where openings are commanded
    opening: np.ndarray  # applied
    fault: np.ndarray  # uint16, Fault bits
    is_saturated: np.ndarray  # bool

    CHANNEL = np.dtype(
        [
            ('pressure', '<i4'),
            ('setpoint', '<i4'),
            ('opening', '<i4'),
            ('fault', '<u2'),
            ('is_saturated', 'u1'),
        ]
    )
    SCALE = {'pressure': _PRESSURE, 'setpoint': _PRESSURE, 'opening': _OPENING}


HELD_BY_BOARD = Dialect('valve board', Identity, Config, PressureCommand, State)
HELD_BY_HOST = Dialect('valve board', Identity, Config, OpeningCommand, State)
