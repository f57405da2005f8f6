"""A serial board in Python that lives in memory: for tests of what a good board never does.

It stands for a serial line as `SerialBoard` uses one. For a board that behaves, use the firmware itself
(`EmulatedBoard`).
"""

import socket
from contextlib import suppress

from continua.devices.board_messages import (
    PROTOCOL,
    Ack,
    AckCode,
    BoardIdentity,
    Type,
)
from continua.devices.frames import Frame, FrameDecoder, encode_frame
from continua.devices.tendon_messages import Identity

__all__ = ['FakeBoard']


class FakeBoard:
    """Answers every request; attributes change what it answers.

    identity: what it says it is, a tendon board by default.
    refuse: code for each type of request that it should refuse.
    is_mute: answers nothing.
    received: frames that arrived, in order.
    """

    def __init__(
        self,
        protocol: tuple[int, int] = PROTOCOL,
        serial: str = 'FAKE',
        n_channels: int = 4,
        identity: BoardIdentity | None = None,
    ) -> None:
        self.identity = identity or Identity(protocol, (1, 0, 0), serial, n_channels, 100.0, 500)
        self.refuse: dict[int, AckCode] = {}
        self.is_mute = False
        self.received: list[Frame] = []
        self._decoder = FrameDecoder()
        self._sequence = 0
        self._host, self._board = socket.socketpair()
        self._host.setblocking(False)

    def read(self, size: int) -> bytes:
        with suppress(BlockingIOError):
            return self._host.recv(size)
        return b''

    def write(self, data: bytes) -> int:
        for frame in self._decoder.feed(data):
            self.received.append(frame)
            if not self.is_mute:
                self._answer(frame)
        return len(data)

    def fileno(self) -> int:
        return self._host.fileno()

    def close(self) -> None:
        self._host.close()
        self._board.close()

    def send(self, type_: int, body: bytes) -> None:
        """Send a frame to the host."""
        self.send_bytes(encode_frame(type_, self._sequence, body))
        self._sequence += 1

    def send_bytes(self, data: bytes) -> None:
        """Send raw bytes to the host."""
        self._board.sendall(data)

    def _answer(self, frame: Frame) -> None:
        if frame.type in self.refuse:
            self.send(Type.ACK, Ack(frame.type, frame.sequence, self.refuse[frame.type]).pack())
        elif frame.type == Type.HELLO:
            self.send(Type.IDENTITY, self.identity.pack())
        elif frame.type == Type.CONFIG:
            self.send(Type.CONFIG_EFFECTIVE, frame.sequence.to_bytes(2, 'little') + frame.body)
        elif frame.type != Type.COMMAND:
            self.send(Type.ACK, Ack(frame.type, frame.sequence, AckCode.OK).pack())
