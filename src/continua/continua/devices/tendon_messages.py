"""Messages of the tendon board; hardware/tendon_board.md has the byte tables.

On the wire tensions are in uN, displacements in nm, velocities in nm/s and rates in uN/s.
"""

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

__all__ = ['TENDON_BOARD', 'Command', 'Config', 'Fault', 'Identity', 'State']

_TENSION = 1e6  # units on the wire per N, N/s
_LENGTH = 1e9  # units on the wire per m, m/s


class Fault(IntFlag):
    """Faults of a channel: the values of the FAULT_ constants of continua_msgs/TendonState."""

    NONE = 0
    SENSOR = 1
    OVERLOAD = 2
    BLOCKED = 4
    WATCHDOG = 8
    EMERGENCY_STOP = 16
    DEVICE_LOST = 32
    SUPPLY = 64


class Identity(BoardIdentity):
    """limit: N."""

    LIMIT_SCALE = _TENSION


@dataclass(frozen=True)
class Config(BoardConfig):
    """Host to board: limits per channel."""

    min_tension: np.ndarray  # N
    max_tension: np.ndarray  # N
    tension_rate: np.ndarray  # N/s

    CHANNEL = np.dtype([('min_tension', '<i4'), ('max_tension', '<i4'), ('tension_rate', '<i4')])
    SCALE = dict.fromkeys(CHANNEL.names, _TENSION)


class Command(BoardCommand):
    """values: tensions (n,) N; without enable all tendons are slack."""

    SCALE = _TENSION


@dataclass(frozen=True)
class State(BoardState):
    """Board to host: what it measures and applies."""

    tension: np.ndarray  # N
    displacement: np.ndarray  # m
    velocity: np.ndarray  # m/s
    setpoint: np.ndarray  # N, after limits
    fault: np.ndarray  # uint16, Fault bits
    is_saturated: np.ndarray  # bool

    CHANNEL = np.dtype(
        [
            ('tension', '<i4'),
            ('displacement', '<i4'),
            ('velocity', '<i4'),
            ('setpoint', '<i4'),
            ('fault', '<u2'),
            ('is_saturated', 'u1'),
        ]
    )
    SCALE = {'tension': _TENSION, 'displacement': _LENGTH, 'velocity': _LENGTH, 'setpoint': _TENSION}


TENDON_BOARD = Dialect('tendon board', Identity, Config, Command, State)
