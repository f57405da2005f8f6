"""Messages of the tendon board; hardware/tendon_board.md has the byte tables.

In Python all quantities are SI (N, m, m/s, N/s, s). On the wire they are int32 in uN, nm, nm/s and uN/s,
which no bit pattern can turn into a number that is none.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np

__all__ = [
    'PROTOCOL',
    'Ack',
    'AckCode',
    'Command',
    'Config',
    'ConfigEffective',
    'Fault',
    'Hello',
    'Identity',
    'Mode',
    'State',
    'Type',
]

PROTOCOL = (1, 0)  # major, minor; a peer with another major is refused
MAX_CHANNELS = 8

_TENSION = 1e6  # units on the wire per N, N/s
_LENGTH = 1e9  # units on the wire per m, m/s
_MOST = 2_000_000_000


class Type(IntEnum):
    """Type byte of a frame: host to board below 0x80, board to host above."""

    HELLO = 0x01
    CONFIG = 0x02
    COMMAND = 0x03
    TARE = 0x04
    RESET = 0x05
    STOP = 0x06
    IDENTITY = 0x81
    CONFIG_EFFECTIVE = 0x82
    STATE = 0x83
    ACK = 0x84


class AckCode(IntEnum):
    """Answer to a request."""

    OK = 0
    UNKNOWN_TYPE = 1
    BAD_LENGTH = 2
    OUT_OF_RANGE = 3
    NOT_CONFIGURED = 4
    WRONG_VERSION = 5
    BUSY = 6


class Mode(IntEnum):
    """What the board is doing; STOPPED stays until RESET."""

    IDLE = 0
    SLACK = 1
    ENERGISED = 2
    STOPPED = 3


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


def _to_wire(values: np.ndarray, scale: float) -> np.ndarray:
    """Integers on the wire, saturated; ValueError where a value is not finite."""
    values = np.asarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f'message of the tendon board: expected finite numbers, got {values}')
    return np.clip(np.rint(values * scale), -_MOST, _MOST).astype('<i4')


def _check_size(name: str, body: bytes, expected: int) -> None:
    if len(body) != expected:
        raise ValueError(f'{name} of the tendon board: expected {expected} bytes, got {len(body)}')


@dataclass(frozen=True)
class Hello:
    """Host to board: a new session with this version of the protocol."""

    major: int = PROTOCOL[0]
    minor: int = PROTOCOL[1]

    def pack(self) -> bytes:
        return bytes((self.major, self.minor))

    @classmethod
    def unpack(cls, body: bytes) -> 'Hello':
        _check_size('HELLO', body, 2)
        return cls(*body)


@dataclass(frozen=True)
class Identity:
    """Board to host, answer to HELLO: who it is and what it can do."""

    protocol: tuple[int, int]
    firmware: tuple[int, int, int]
    serial: str
    n_channels: int
    tension_limit: float  # N
    max_state_rate: float  # Hz

    _LAYOUT = struct.Struct('<5B16sBiH')

    def pack(self) -> bytes:
        return self._LAYOUT.pack(
            *self.protocol,
            *self.firmware,
            self.serial.encode('ascii'),
            self.n_channels,
            int(_to_wire(self.tension_limit, _TENSION)),
            int(self.max_state_rate),
        )

    @classmethod
    def unpack(cls, body: bytes) -> 'Identity':
        _check_size('IDENTITY', body, cls._LAYOUT.size)
        *versions, serial, n_channels, limit, rate = cls._LAYOUT.unpack(body)
        text = serial.rstrip(b'\0').decode('ascii', errors='replace')
        return cls(tuple(versions[:2]), tuple(versions[2:]), text, n_channels, limit / _TENSION, rate)


@dataclass(frozen=True)
class Config:
    """Host to board: limits per channel; arrays (n,) in the order of the channels."""

    watchdog: float  # s, resolution 1 ms
    state_rate: float  # Hz
    min_tension: np.ndarray  # N
    max_tension: np.ndarray  # N
    tension_rate: np.ndarray  # N/s

    _LAYOUT = struct.Struct('<HHB')

    def pack(self) -> bytes:
        channels = np.stack([self.min_tension, self.max_tension, self.tension_rate], axis=-1)
        watchdog = min(max(round(1e3 * self.watchdog), 0), 0xFFFF)
        rate = min(max(round(self.state_rate), 0), 0xFFFF)
        return self._LAYOUT.pack(watchdog, rate, len(channels)) + _to_wire(channels, _TENSION).tobytes()

    @classmethod
    def unpack(cls, body: bytes) -> 'Config':
        if len(body) < cls._LAYOUT.size:
            raise ValueError(f'CONFIG of the tendon board: expected at least 5 bytes, got {len(body)}')
        watchdog, rate, n = cls._LAYOUT.unpack_from(body)
        _check_size('CONFIG', body, cls._LAYOUT.size + 12 * n)
        channels = np.frombuffer(body, '<i4', offset=cls._LAYOUT.size).reshape(n, 3) / _TENSION
        return cls(watchdog * 1e-3, rate, *channels.T)


@dataclass(frozen=True)
class ConfigEffective:
    """Board to host, answer to CONFIG: what is in force after the limits of the board."""

    request_sequence: int
    config: Config

    def pack(self) -> bytes:
        return struct.pack('<H', self.request_sequence) + self.config.pack()

    @classmethod
    def unpack(cls, body: bytes) -> 'ConfigEffective':
        if len(body) < 2:
            raise ValueError(
                f'CONFIG_EFFECTIVE of the tendon board: expected at least 7 bytes, got {len(body)}'
            )
        return cls(struct.unpack_from('<H', body)[0], Config.unpack(body[2:]))


@dataclass(frozen=True)
class Command:
    """Host to board: tension setpoints (n,) [N]; without enable all tendons are slack."""

    enable: bool
    tension: np.ndarray  # N

    def pack(self) -> bytes:
        tension = _to_wire(self.tension, _TENSION)
        return bytes((bool(self.enable), len(tension))) + tension.tobytes()

    @classmethod
    def unpack(cls, body: bytes) -> 'Command':
        if len(body) < 2:
            raise ValueError(f'COMMAND of the tendon board: expected at least 2 bytes, got {len(body)}')
        _check_size('COMMAND', body, 2 + 4 * body[1])
        return cls(bool(body[0] & 1), np.frombuffer(body, '<i4', offset=2) / _TENSION)


@dataclass(frozen=True)
class State:
    """Board to host: what it measures and applies; arrays (n,) in the order of the channels."""

    time: float  # s, clock of the board when the sensors were read
    command_sequence: int  # of the newest COMMAND that was accepted
    mode: Mode
    supply: float  # V
    bad_frames: int
    lost_frames: int
    tension: np.ndarray  # N
    displacement: np.ndarray  # m
    velocity: np.ndarray  # m/s
    setpoint: np.ndarray  # N, after limits
    fault: np.ndarray  # uint16, Fault bits
    is_saturated: np.ndarray  # bool

    _LAYOUT = struct.Struct('<QHBHIIB')
    _CHANNEL = np.dtype(
        [
            ('tension', '<i4'),
            ('displacement', '<i4'),
            ('velocity', '<i4'),
            ('setpoint', '<i4'),
            ('fault', '<u2'),
            ('is_saturated', 'u1'),
        ]
    )

    def pack(self) -> bytes:
        channels = np.empty(len(self.tension), self._CHANNEL)
        channels['tension'] = _to_wire(self.tension, _TENSION)
        channels['displacement'] = _to_wire(self.displacement, _LENGTH)
        channels['velocity'] = _to_wire(self.velocity, _LENGTH)
        channels['setpoint'] = _to_wire(self.setpoint, _TENSION)
        channels['fault'] = self.fault
        channels['is_saturated'] = self.is_saturated
        header = self._LAYOUT.pack(
            round(1e6 * self.time),
            self.command_sequence,
            self.mode,
            round(1e3 * self.supply),
            self.bad_frames,
            self.lost_frames,
            len(channels),
        )
        return header + channels.tobytes()

    @classmethod
    def unpack(cls, body: bytes) -> 'State':
        if len(body) < cls._LAYOUT.size:
            raise ValueError(f'STATE of the tendon board: expected at least 22 bytes, got {len(body)}')
        time_us, command_sequence, mode, supply, bad, lost, n = cls._LAYOUT.unpack_from(body)
        _check_size('STATE', body, cls._LAYOUT.size + cls._CHANNEL.itemsize * n)
        channels = np.frombuffer(body, cls._CHANNEL, offset=cls._LAYOUT.size)
        return cls(
            time=time_us * 1e-6,
            command_sequence=command_sequence,
            mode=Mode(mode),
            supply=supply * 1e-3,
            bad_frames=bad,
            lost_frames=lost,
            tension=channels['tension'] / _TENSION,
            displacement=channels['displacement'] / _LENGTH,
            velocity=channels['velocity'] / _LENGTH,
            setpoint=channels['setpoint'] / _TENSION,
            fault=channels['fault'].copy(),
            is_saturated=channels['is_saturated'] != 0,
        )


@dataclass(frozen=True)
class Ack:
    """Board to host: the answer to a request that has no other answer, and to every refused one."""

    type: int
    sequence: int
    code: AckCode

    _LAYOUT = struct.Struct('<BHB')

    def pack(self) -> bytes:
        return self._LAYOUT.pack(self.type, self.sequence, self.code)

    @classmethod
    def unpack(cls, body: bytes) -> 'Ack':
        _check_size('ACK', body, cls._LAYOUT.size)
        type_, sequence, code = cls._LAYOUT.unpack(body)
        return cls(type_, sequence, AckCode(code))
