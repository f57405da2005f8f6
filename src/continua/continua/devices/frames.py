"""Frames of the serial boards: COBS([type u8][sequence u16][body][CRC-16/CCITT u16]) 0x00, little endian.

The same framing in C++ is hardware/firmware/board_core/frame.cpp; both are held to the vectors in
hardware/firmware/test_vectors.
"""

import struct
from binascii import crc_hqx
from typing import NamedTuple

from continua.devices import cobs

__all__ = ['MAX_BODY', 'Frame', 'FrameDecoder', 'encode_frame']

_HEADER = struct.Struct('<BH')
_CRC = struct.Struct('<H')
_CRC_START = 0xFFFF
_OVERHEAD = _HEADER.size + _CRC.size
MAX_BODY = cobs.MAX_BLOCK - _OVERHEAD


class Frame(NamedTuple):
    """One checked frame: type of the message, sequence number of its sender, body."""

    type: int
    sequence: int
    body: bytes


def encode_frame(type_: int, sequence: int, body: bytes = b'') -> bytes:
    """The bytes of one frame with its delimiter."""
    payload = _HEADER.pack(type_, sequence & 0xFFFF) + body
    return cobs.encode(payload + _CRC.pack(crc_hqx(payload, _CRC_START))) + b'\0'


class FrameDecoder:
    """Collects bytes in a bounded buffer and hands out whole, checked frames.

    `bad_frames` counts what was malformed, too long or had a wrong CRC, `lost_frames` the holes in the
    sequence numbers of the peer.
    """

    def __init__(self) -> None:
        self.bad_frames = 0
        self.lost_frames = 0
        self._pending = bytearray()
        self._is_too_long = False
        self._last_sequence: int | None = None

    def feed(self, data: bytes) -> list[Frame]:
        """Take received bytes; return the frames that they complete."""
        frames = []
        *ended, rest = data.split(b'\0')
        for part in ended:
            self._collect(part)
            if self._pending:
                frame = self._finish()
                if frame is None:
                    self.bad_frames += 1
                else:
                    frames.append(frame)
            self._pending.clear()
            self._is_too_long = False
        self._collect(rest)
        return frames

    def _collect(self, part: bytes) -> None:
        room = cobs.MAX_BLOCK + 1 - len(self._pending)
        self._is_too_long |= len(part) > room
        self._pending += part[:room]

    def _finish(self) -> Frame | None:
        if self._is_too_long:
            return None
        payload = cobs.decode(bytes(self._pending))
        if payload is None or len(payload) < _OVERHEAD:
            return None
        if crc_hqx(payload[:-2], _CRC_START) != _CRC.unpack_from(payload, len(payload) - 2)[0]:
            return None
        type_, sequence = _HEADER.unpack_from(payload)
        self._track(sequence)
        return Frame(type_, sequence, payload[_HEADER.size : -_CRC.size])

    def _track(self, sequence: int) -> None:
        if self._last_sequence is not None:
            hole = (sequence - self._last_sequence - 1) & 0xFFFF
            # Half of the range or more is a peer that started again, not that many lost frames.
            if hole < 0x8000:
                self.lost_frames += hole
        self._last_sequence = sequence
