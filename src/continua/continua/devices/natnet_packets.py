"""NatNet datagrams of versions 3 and 4 taken apart without trusting them.

The package `natnet` knows the layout. It reads past the end of a datagram, and follows a damaged count for
hours; the buffer of this module ends both. What the package leaves out of the server's answer is read here.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from natnet.data_descriptions import DataDescriptions
from natnet.data_frame import DataFrame, LabeledMarker, RigidBody
from natnet.packet_buffer import PacketBuffer
from natnet.version import Version

__all__ = ['Body', 'Damaged', 'Frame', 'Message', 'Models', 'Server', 'message', 'parse_frame']
__all__ += ['parse_models', 'parse_server', 'request']

_HEADER = struct.Struct('<HH')
# Name, version of the application, NatNet version, clock frequency, data port, is multicast, group.
_SERVER = struct.Struct('<256s4B4BQH?4B')
_UNIT_LENGTH = (0.9, 1.1)  # of a quaternion that is none of a body that was never seen


class Message(IntEnum):
    """Identifiers of datagrams."""

    CONNECT = 0
    SERVER_INFO = 1
    REQUEST_MODELS = 4
    MODELS = 5
    FRAME = 7
    MESSAGE_STRING = 8
    KEEP_ALIVE = 10
    UNRECOGNISED = 100


class Damaged(ValueError):
    """A datagram that is not what its header says."""


@dataclass(frozen=True)
class Server:
    """What a server says about itself."""

    name: str
    version: tuple[int, int, int, int]
    protocol: tuple[int, int, int, int]
    clock_frequency: int  # Hz
    data_port: int
    is_multicast: bool
    group: str

    @property
    def label(self) -> str:
        return f'{self.name} {".".join(map(str, self.version[:3]))}'

    @property
    def protocol_label(self) -> str:
        return f'NatNet {self.protocol[0]}.{self.protocol[1]}'


@dataclass(frozen=True)
class Models:
    """Names: of rigid bodies by identifier, and of the markers of each marker set in order."""

    bodies: dict[int, str]
    marker_sets: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Body:
    """Pose of a rigid body in the frame of the motion capture."""

    position: np.ndarray  # (3,) m
    orientation_xyzw: np.ndarray  # (4,)
    is_tracked: bool


@dataclass(frozen=True)
class Frame:
    """What was seen in one exposure, in the frame of the motion capture; NaN where a marker is occluded."""

    number: int
    exposure: float  # s on the server's clock, the middle
    bodies: dict[int, Body]
    marker_sets: dict[str, np.ndarray]  # (m, 3) m
    unlabelled: np.ndarray  # (k, 3) m


def request(kind: Message) -> bytes:
    """A client's datagram."""
    text = b'Ping\0' if kind is Message.CONNECT else b'\0'
    return _HEADER.pack(kind, len(text)) + text


def message(datagram: bytes) -> tuple[int, bytes]:
    """Identifier and body of a datagram; raises Damaged."""
    if len(datagram) < _HEADER.size:
        raise Damaged(f'{len(datagram)} bytes are no datagram of NatNet')
    kind, size = _HEADER.unpack_from(datagram)
    if size != len(datagram) - _HEADER.size:
        raise Damaged(f'the header says {size} bytes, {len(datagram) - _HEADER.size} arrived')
    return kind, datagram[_HEADER.size :]


def parse_server(body: bytes) -> Server:
    """The answer to CONNECT; raises Damaged."""
    if len(body) < _SERVER.size:
        raise Damaged(f'a server of NatNet 3 or 4 says {_SERVER.size} bytes about itself, got {len(body)}')
    name, *numbers = _SERVER.unpack_from(body)
    frequency, port, is_multicast = numbers[8:11]
    if frequency == 0:
        raise Damaged('the clock of the server does not run')
    return Server(
        name=name.partition(b'\0')[0].decode(errors='replace'),
        version=tuple(numbers[:4]),
        protocol=tuple(numbers[4:8]),
        clock_frequency=frequency,
        data_port=port,
        is_multicast=is_multicast,
        group='.'.join(map(str, numbers[11:])),
    )


def parse_models(body: bytes, server: Server) -> Models:
    """The answer to REQUEST_MODELS; raises Damaged."""
    described = _parsed(DataDescriptions, body, server)
    return Models(
        bodies={body.id_num: body.name for body in described.rigid_bodies},
        marker_sets={each.name: each.marker_names for each in described.marker_sets},
    )


def parse_frame(body: bytes, server: Server) -> Frame:
    """A frame of data; raises Damaged."""
    data = _parsed(DataFrame, body, server)
    suffix = data.suffix
    # A recording that is played back has no exposures.
    ticks = suffix.stamp_camera_mid_exposure
    exposure = ticks / server.clock_frequency if ticks else suffix.timestamp
    if not np.isfinite(exposure):
        raise Damaged(f'exposure at {exposure}')
    labelled = data.labeled_markers
    return Frame(
        number=data.prefix.frame_number,
        exposure=exposure,
        bodies={body.id_num: _body(body) for body in data.rigid_bodies},
        marker_sets={each.model_name: _seen(each.marker_pos_list, labelled) for each in data.marker_sets},
        unlabelled=_unlabelled(data.unlabeled_marker_pos, labelled),
    )


def _body(body: RigidBody) -> Body:
    position, orientation = np.array(body.pos), np.array(body.rot)
    length = np.linalg.norm(orientation)
    is_pose = bool(np.isfinite(position).all() and _UNIT_LENGTH[0] < length < _UNIT_LENGTH[1])
    return Body(position, orientation, bool(body.tracking_valid) and is_pose)


def _seen(positions: tuple, labelled: tuple[LabeledMarker, ...]) -> np.ndarray:
    """Positions (m, 3) of a marker set. Occluded ones are at the origin, or where a model puts them."""
    points = np.array(positions, dtype=float).reshape(-1, 3)
    guessed = {marker.pos for marker in labelled if marker.occluded}
    is_seen = points.any(axis=1) & np.isfinite(points).all(axis=1)
    is_seen &= np.array([position not in guessed for position in positions], dtype=bool)
    return np.where(is_seen[:, None], points, np.nan)


def _unlabelled(others: tuple, labelled: tuple[LabeledMarker, ...]) -> np.ndarray:
    """Positions (k, 3) of markers that belong to nothing; most servers send each of them in both lists."""
    alone = [marker.pos for marker in labelled if marker.unlabeled and not marker.occluded]
    points = np.array(list(dict.fromkeys([*others, *alone])), dtype=float).reshape(-1, 3)
    return points[np.isfinite(points).all(axis=1)]


def _parsed(kind: type, body: bytes, server: Server):
    try:
        return kind.read_from_buffer(_Bounded(body), Version(*server.protocol))
    except Exception as error:  # whatever the package makes of nonsense
        raise Damaged(f'{kind.__name__} of {len(body)} bytes: {error!r}') from None


class _Bounded(PacketBuffer):
    """Little-endian on every machine, never past the end."""

    _UINT16, _UINT32, _UINT64 = struct.Struct('<H'), struct.Struct('<I'), struct.Struct('<Q')
    _FLOAT32, _FLOAT64, _VECTOR = struct.Struct('<f'), struct.Struct('<d'), struct.Struct('<3f')

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._bytes = data

    def read_string(self, max_length: int | None = None, static_length: bool = False) -> str:
        end = self._bytes.find(b'\0', self.pointer)
        if end < 0:
            raise Damaged('a name does not end')
        text = self._bytes[self.pointer : end].decode()
        self.pointer = end + 1
        return text

    def read_uint16(self) -> int:
        return self.read(self._UINT16)[0]

    def read_uint32(self) -> int:
        return self.read(self._UINT32)[0]

    def read_uint64(self) -> int:
        return self.read(self._UINT64)[0]

    def read_float32(self) -> float:
        return self.read(self._FLOAT32)[0]

    def read_float64(self) -> float:
        return self.read(self._FLOAT64)[0]

    def read_float32_array(self, count: int) -> tuple[float, ...]:
        if 4 * count > len(self._bytes) - self.pointer:
            raise Damaged(f'{count} numbers do not fit')
        return self.read(self._VECTOR if count == 3 else f'<{count}f')
