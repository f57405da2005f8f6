"""What the messages of all serial boards share; hardware/{tendon,valve}_board.md have the byte tables.

In Python all quantities are SI. On the wire they are int32 or uint16 in small units, which no bit pattern can
turn into a number that is none. A board adds the columns of its channels and their units.
"""

import struct
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

__all__ = [
    'PROTOCOL',
    'Ack',
    'AckCode',
    'BoardCommand',
    'BoardConfig',
    'BoardIdentity',
    'BoardState',
    'ConfigEffective',
    'Dialect',
    'Hello',
    'Mode',
    'Type',
]

PROTOCOL = (1, 0)  # major, minor; a peer with another major is refused

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
    """What the board is doing: at rest is slack or vented; STOPPED stays until RESET."""

    IDLE = 0
    AT_REST = 1
    ENERGISED = 2
    STOPPED = 3


def to_wire(values: np.ndarray | float, scale: float, most: int = _MOST) -> np.ndarray:
    """Integers on the wire, saturated; ValueError where a value is not finite."""
    values = np.asarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f'message of a serial board: expected finite numbers, got {values}')
    return np.clip(np.rint(values * scale), -most, most).astype('<i4')


def check_size(name: str, body: bytes, expected: int, at_least: bool = False) -> None:
    """Raise ValueError where a body has not the length that its message must have."""
    if len(body) < expected or (len(body) > expected and not at_least):
        words = 'at least ' if at_least else ''
        raise ValueError(f'{name} of a serial board: expected {words}{expected} bytes, got {len(body)}')


class _Channels:
    """Columns of a message, one row a channel.

    CHANNEL: fields of a row on the wire, named as the attributes. SCALE: units on the wire per SI unit of a
    field; fields without are integers, those of one byte flags.
    """

    CHANNEL: ClassVar[np.dtype]
    SCALE: ClassVar[dict[str, float]]

    def _pack_channels(self) -> bytes:
        rows = np.empty(len(getattr(self, self.CHANNEL.names[0])), self.CHANNEL)
        for field in self.CHANNEL.names:
            values = getattr(self, field)
            most = 0xFFFF if self.CHANNEL[field] == '<u2' else _MOST
            rows[field] = to_wire(values, self.SCALE[field], most) if field in self.SCALE else values
        return bytes((len(rows),)) + rows.tobytes()

    @classmethod
    def _unpack_channels(cls, name: str, body: bytes) -> dict[str, np.ndarray]:
        check_size(name, body, 1, at_least=True)
        check_size(name, body, 1 + cls.CHANNEL.itemsize * body[0])
        rows = np.frombuffer(body, cls.CHANNEL, offset=1)

        def column(field: str) -> np.ndarray:
            if field in cls.SCALE:
                return rows[field] / cls.SCALE[field]
            return rows[field] != 0 if cls.CHANNEL[field] == np.uint8 else rows[field].copy()

        return {field: column(field) for field in cls.CHANNEL.names}


@dataclass(frozen=True)
class Hello:
    """Host to board: a new session with this version of the protocol."""

    major: int = PROTOCOL[0]
    minor: int = PROTOCOL[1]

    def pack(self) -> bytes:
        return bytes((self.major, self.minor))

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        check_size('HELLO', body, 2)
        return cls(*body)


@dataclass(frozen=True)
class BoardIdentity:
    """Board to host, answer to HELLO: who it is and what it can do."""

    protocol: tuple[int, int]
    firmware: tuple[int, int, int]
    serial: str
    n_channels: int
    limit: float  # highest setpoint of a channel
    max_state_rate: int  # Hz

    LIMIT_SCALE: ClassVar[float]  # units on the wire per SI unit
    _LAYOUT = struct.Struct('<5B16sBiH')

    def pack(self) -> bytes:
        return self._LAYOUT.pack(
            *self.protocol,
            *self.firmware,
            self.serial.encode('ascii'),
            self.n_channels,
            int(to_wire(self.limit, self.LIMIT_SCALE)),
            *(getattr(self, field.name) for field in fields(self)[5:]),
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        check_size('IDENTITY', body, cls._LAYOUT.size)
        values = cls._LAYOUT.unpack(body)
        serial, n_channels, limit, *rates = values[5:]
        text = serial.rstrip(b'\0').decode('ascii', errors='replace')
        return cls(values[:2], values[2:5], text, n_channels, limit / cls.LIMIT_SCALE, *rates)


@dataclass(frozen=True)
class BoardConfig(_Channels):
    """Host to board: limits per channel; arrays (n,) in the order of the channels."""

    watchdog: float  # s, resolution 1 ms
    state_rate: float  # Hz

    _LAYOUT = struct.Struct('<HH')

    def pack(self) -> bytes:
        watchdog = min(max(round(1e3 * self.watchdog), 0), 0xFFFF)
        rate = min(max(round(self.state_rate), 0), 0xFFFF)
        return self._LAYOUT.pack(watchdog, rate) + self._pack_channels()

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        check_size('CONFIG', body, cls._LAYOUT.size, at_least=True)
        watchdog, rate = cls._LAYOUT.unpack_from(body)
        return cls(watchdog * 1e-3, rate, **cls._unpack_channels('CONFIG', body[cls._LAYOUT.size :]))


@dataclass(frozen=True)
class ConfigEffective:
    """Board to host, answer to CONFIG: what is in force after the limits of the board."""

    request_sequence: int
    config: BoardConfig

    def pack(self) -> bytes:
        return struct.pack('<H', self.request_sequence) + self.config.pack()

    @classmethod
    def unpack(cls, body: bytes, config_type: type[BoardConfig]) -> Self:
        check_size('CONFIG_EFFECTIVE', body, 2, at_least=True)
        return cls(struct.unpack_from('<H', body)[0], config_type.unpack(body[2:]))


@dataclass(frozen=True)
class BoardCommand:
    """Host to board: setpoints (n,); without enable all channels are at rest."""

    enable: bool
    values: np.ndarray

    SCALE: ClassVar[float]  # units on the wire per SI unit
    FLAGS: ClassVar[int] = 0  # beside bit 0, enable

    def pack(self) -> bytes:
        values = to_wire(self.values, self.SCALE)
        return bytes((self.FLAGS | bool(self.enable), len(values))) + values.tobytes()

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        check_size('COMMAND', body, 2, at_least=True)
        check_size('COMMAND', body, 2 + 4 * body[1])
        return cls(bool(body[0] & 1), np.frombuffer(body, '<i4', offset=2) / cls.SCALE)


@dataclass(frozen=True)
class BoardState(_Channels):
    """Board to host: what it measures and applies; arrays (n,) in the order of the channels."""

    time: float  # s, clock of the board when the sensors were read
    command_sequence: int  # of the newest COMMAND that was accepted
    mode: Mode
    supply: float  # V
    bad_frames: int
    lost_frames: int

    _LAYOUT = struct.Struct('<QHBHII')

    def pack(self) -> bytes:
        header = self._LAYOUT.pack(
            round(1e6 * self.time),
            self.command_sequence,
            self.mode,
            round(1e3 * self.supply),
            self.bad_frames,
            self.lost_frames,
        )
        return header + self._pack_channels()

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        check_size('STATE', body, cls._LAYOUT.size, at_least=True)
        time_us, sequence, mode, supply, bad, lost = cls._LAYOUT.unpack_from(body)
        channels = cls._unpack_channels('STATE', body[cls._LAYOUT.size :])
        return cls(time_us * 1e-6, sequence, Mode(mode), supply * 1e-3, bad, lost, **channels)


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
    def unpack(cls, body: bytes) -> Self:
        check_size('ACK', body, cls._LAYOUT.size)
        type_, sequence, code = cls._LAYOUT.unpack(body)
        return cls(type_, sequence, AckCode(code))


class Dialect(NamedTuple):
    """The messages of one kind of board, and what people call it."""

    name: str
    Identity: type[BoardIdentity]
    Config: type[BoardConfig]
    Command: type[BoardCommand]
    State: type[BoardState]

    def config_in_force(self, body: bytes) -> Any:
        """The config of a CONFIG_EFFECTIVE; raises ValueError."""
        return ConfigEffective.unpack(body, self.Config).config
