"""NatNet datagrams as a server of versions 3.0 to 4.2 writes them, for the emulated one.

The package `natnet` only reads. The layouts are those of the examples of the vendor's SDK.
"""

import math
import struct
from dataclasses import dataclass, field

import numpy as np

from continua.devices.natnet_packets import Message

__all__ = ['CLOCK_FREQUENCY', 'Scene', 'write_frame', 'write_models', 'write_server']

CLOCK_FREQUENCY = 10_000_000  # Hz
_RIGID_BODY, _MARKER_SET = 1, 0  # kinds of models
_UNLABELLED = 0x10
_OCCLUDED = 0x01
_MARKER_SIZE = 0.01  # m


@dataclass(frozen=True)
class Scene:
    """What the cameras see, in the frame of the motion capture.

    bodies: position (3,) m and orientation xyzw (4,) by name; NaN where not tracked.
    marker_sets: positions (3,) m by name, by name of the set; NaN where occluded.
    unlabelled: (k, 3) m.
    """

    bodies: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    marker_sets: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    unlabelled: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))


def write_server(
    name: str,
    protocol: tuple[int, int],
    data_port: int,
    group: str | None,
    clock_frequency: int = CLOCK_FREQUENCY,
) -> bytes:
    """The answer to CONNECT. group: of multicast, None for unicast."""
    address = bytes(map(int, (group or '0.0.0.0').split('.')))
    body = struct.pack('<256s', name.encode()) + bytes((*protocol, 0, 0, *protocol, 0, 0))
    body += struct.pack('<QH?', clock_frequency, data_port, group is not None) + address
    return _datagram(Message.SERVER_INFO, body)


def write_models(scene: Scene, protocol: tuple[int, int]) -> bytes:
    """The answer to REQUEST_MODELS; bodies have the identifiers 1, 2, ... in the order of the scene."""
    models = [(_MARKER_SET, _marker_set_model(name, set_)) for name, set_ in scene.marker_sets.items()]
    models += [(_RIGID_BODY, _body_model(i, name, protocol)) for i, name in enumerate(scene.bodies, 1)]
    body = struct.pack('<I', len(models))
    for kind, content in models:
        size = struct.pack('<I', len(content)) if protocol >= (4, 1) else b''
        body += struct.pack('<I', kind) + size + content
    return _datagram(Message.MODELS, body)


def write_frame(number: int, exposure: float, scene: Scene, protocol: tuple[int, int]) -> bytes:
    """A frame of data. exposure: s on the server's clock."""
    marker_sets = [_marker_set(name, set_) for name, set_ in scene.marker_sets.items()]
    bodies = [_body(i, *pose) for i, pose in enumerate(scene.bodies.values(), 1)]
    sections = [
        marker_sets,
        [_vector(point) for point in scene.unlabelled],
        bodies,
        [],  # skeletons
        *([[]] if protocol >= (4, 1) else []),  # assets
        _labelled(scene),
        [],  # force plates
        [],  # devices
    ]
    body = struct.pack('<I', number)
    for elements in sections:
        content = b''.join(elements)
        size = struct.pack('<I', len(content)) if protocol >= (4, 1) else b''
        body += struct.pack('<I', len(elements)) + size + content
    return _datagram(Message.FRAME, body + _suffix(exposure, protocol))


def _datagram(kind: Message, body: bytes) -> bytes:
    return struct.pack('<HH', kind, len(body)) + body


def _text(name: str) -> bytes:
    return name.encode() + b'\0'


def _vector(values: np.ndarray) -> bytes:
    """Numbers, 0 in place of all of them where one is NaN."""
    numbers = values.tolist()
    if not math.isfinite(sum(numbers)):
        numbers = [0.0] * len(numbers)
    return struct.pack(f'<{len(numbers)}f', *numbers)


def _marker_set_model(name: str, markers: dict[str, np.ndarray]) -> bytes:
    return _text(name) + struct.pack('<I', len(markers)) + b''.join(map(_text, markers))


def _body_model(identifier: int, name: str, protocol: tuple[int, int]) -> bytes:
    model = _text(name) + struct.pack('<Ii', identifier, -1) + bytes(12)
    if protocol >= (4, 2):
        model += struct.pack('<4f', 0.0, 0.0, 0.0, 1.0)
    return model + struct.pack('<I', 0)  # markers


def _marker_set(name: str, markers: dict[str, np.ndarray]) -> bytes:
    points = b''.join(_vector(position) for position in markers.values())
    return _text(name) + struct.pack('<I', len(markers)) + points


def _body(identifier: int, position: np.ndarray, orientation_xyzw: np.ndarray) -> bytes:
    is_tracked = math.isfinite(sum(position.tolist()))
    pose = _vector(position) + _vector(orientation_xyzw)
    return struct.pack('<I', identifier) + pose + struct.pack('<fH', 1e-4, is_tracked)


def _labelled(scene: Scene) -> list[bytes]:
    """Markers one by one: those of sets, and the unlabelled ones."""
    markers = [
        _labelled_marker(i << 16 | j, position, 0)
        for i, set_ in enumerate(scene.marker_sets.values(), 1)
        for j, position in enumerate(set_.values(), 1)
    ]
    return markers + [
        _labelled_marker(i, position, _UNLABELLED) for i, position in enumerate(scene.unlabelled, 1)
    ]


def _labelled_marker(identifier: int, position: np.ndarray, flags: int) -> bytes:
    flags |= 0 if math.isfinite(sum(position.tolist())) else _OCCLUDED
    tail = struct.pack('<fHf', _MARKER_SIZE, flags, 1e-4)
    return struct.pack('<I', identifier) + _vector(position) + tail


def _suffix(exposure: float, protocol: tuple[int, int]) -> bytes:
    ticks = round(exposure * CLOCK_FREQUENCY)
    suffix = struct.pack('<IIdQQQ', 0, 0, exposure, ticks, ticks, ticks)
    if protocol >= (4, 1):
        suffix += struct.pack('<II', 0, 0)  # time of the precision time protocol
    return suffix + struct.pack('<HI', 0, 0)
