"""A controller board of tendons or valves on a serial line: handshake, limits, commands, states.

No threads: the caller waits, polls and sends.

    board = SerialBoard.open(TENDON_BOARD, '/dev/continua_tendon_board')
    board.configure(Config(...))
    while True:
        board.wait(0.01)
        for state in board.poll():
            ...
        board.command(tension, enable=True)

Whatever the operating system reports about the line becomes `DeviceLost`.
"""

import select
import termios
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

import numpy as np
import serial

from continua.devices.board_messages import (
    PROTOCOL,
    Ack,
    AckCode,
    BoardConfig,
    BoardIdentity,
    BoardState,
    Dialect,
    Hello,
    Type,
)
from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.frames import Frame, FrameDecoder, encode_frame

__all__ = ['BAUDRATE', 'SerialBoard', 'SerialLine']

BAUDRATE = 1_000_000
_ANSWER_TIMEOUT = 0.3  # s, of one request
# s, a full line must not hold up whoever wants to stop the robot. Not shorter: pyserial takes a pause of the
# process just after a write that succeeded for a full line, too.
_WRITE_TIMEOUT = 0.5
_CHUNK = 4096


class SerialLine(Protocol):
    """What the board needs of a serial port: pyserial's names, non-blocking reads."""

    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> int | None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class SerialBoard:
    """An identified board behind an open line.

    identity: what the board said about itself.
    bad_messages: whole frames whose content made no sense.
    """

    def __init__(self, dialect: Dialect, line: SerialLine, timeout: float = 3.0) -> None:
        """Shake hands; raises DeviceLost without an answer in `timeout` s, DeviceRefused on another protocol.

        The default time-out covers a board that restarts when its port is opened.
        """
        self.bad_messages = 0
        self._dialect = dialect
        self._line = line
        self._decoder = FrameDecoder()
        self._sequence = 0
        self._states: deque[BoardState] = deque(maxlen=100)
        self._answers: deque[Frame] = deque(maxlen=10)
        self._has_restarted = False
        self.identity = self._shake_hands(timeout)

    @classmethod
    def open(
        cls, dialect: Dialect, port: str, baudrate: int = BAUDRATE, timeout: float = 3.0
    ) -> 'SerialBoard':
        """Open the serial port for this process alone and shake hands; raises like the constructor."""
        with _lost_on_error(f'cannot open {port}'):
            line = serial.Serial(port, baudrate, timeout=0, write_timeout=_WRITE_TIMEOUT, exclusive=True)
        # USB adapters deliver at once instead of every 16 ms; pseudo terminals do not know the mode.
        with suppress(ValueError, OSError, NotImplementedError):
            line.set_low_latency_mode(True)
        try:
            return cls(dialect, line, timeout)
        except BaseException:
            line.close()
            raise

    @property
    def bad_frames(self) -> int:
        """Frames from the board that were damaged."""
        return self._decoder.bad_frames

    @property
    def lost_frames(self) -> int:
        """Frames from the board that never came, by their sequence numbers."""
        return self._decoder.lost_frames

    def configure(self, config: BoardConfig) -> BoardConfig:
        """Set limits, watchdog and state rate; return what the board made of them. All are at rest."""
        answer = self._request(Type.CONFIG, config.pack())
        try:
            return self._dialect.config_in_force(answer.body)
        except ValueError as error:
            raise DeviceLost(f'the {self._dialect.name} answers CONFIG with nonsense: {error}') from None

    def command(self, values: np.ndarray, enable: bool) -> int:
        """Send setpoints (n,) without waiting; return the sequence number that states will repeat."""
        return self._send(Type.COMMAND, self._dialect.Command(enable, values).pack())

    def stop(self) -> None:
        """Emergency stop, latched in the board until `reset`; does not wait for the answer."""
        self._send(Type.STOP)

    def reset(self) -> None:
        """Clear emergency stop and faults; the channels stay at rest."""
        self._request(Type.RESET)

    def tare(self) -> None:
        """Take the present readings as zero; DeviceRefused while energised."""
        self._request(Type.TARE)

    def wait(self, timeout: float, *others: int) -> None:
        """Return when bytes from the board, or anything on the other file descriptors, can be read."""
        with _lost_on_error(f'the {self._dialect.name} is gone'):
            select.select([self._line.fileno(), *others], [], [], max(timeout, 0.0))

    def poll(self) -> list[BoardState]:
        """States that arrived since the last call, oldest first."""
        self._receive()
        self._answers.clear()
        if self._has_restarted:
            raise DeviceLost(f'the {self._dialect.name} has restarted and forgot its limits')
        states = list(self._states)
        self._states.clear()
        return states

    def close(self) -> None:
        """Close the line; the board's own watchdog brings the channels to rest."""
        with suppress(serial.SerialException, OSError, termios.error):
            self._line.close()

    def _shake_hands(self, timeout: float) -> BoardIdentity:
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            self._send(Type.HELLO, Hello().pack())
            answer = self._await(lambda frame: frame.type == Type.IDENTITY, _ANSWER_TIMEOUT)
            if answer is not None:
                return self._checked_identity(answer)
        raise DeviceLost(f'no {self._dialect.name} answered within {timeout} s')

    def _checked_identity(self, answer: Frame) -> BoardIdentity:
        name = self._dialect.name
        major = answer.body[0] if answer.body else None
        if major != PROTOCOL[0]:
            raise DeviceRefused(
                f'{name}: expected protocol {PROTOCOL[0]}.x, got {major}.x; flash the firmware of this '
                'repository (hardware/README.md) or use the software that fits the board'
            )
        try:
            return self._dialect.Identity.unpack(answer.body)
        except ValueError as error:
            raise DeviceRefused(f'this is no {name}, or another one: {error}') from None

    def _request(self, type_: Type, body: bytes = b'') -> Frame:
        sequence = self._send(type_, body)

        def answers(frame: Frame) -> bool:
            if frame.type == Type.CONFIG_EFFECTIVE:
                return type_ == Type.CONFIG and frame.body[:2] == sequence.to_bytes(2, 'little')
            return frame.type == Type.ACK and Ack.unpack(frame.body).sequence == sequence

        answer = self._await(answers, _ANSWER_TIMEOUT)
        if answer is None:
            raise DeviceLost(
                f'the {self._dialect.name} did not answer {type_.name} within {_ANSWER_TIMEOUT} s'
            )
        if answer.type == Type.ACK and (code := Ack.unpack(answer.body).code) != AckCode.OK:
            raise DeviceRefused(f'the {self._dialect.name} refuses {type_.name}: {code.name}')
        return answer

    def _await(self, is_answer, timeout: float) -> Frame | None:
        """The first answer that fits, while states are kept for `poll`."""
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            self.wait(left)
            self._receive()
            while self._answers:
                answer = self._answers.popleft()
                if is_answer(answer):
                    return answer
        return None

    def _send(self, type_: Type, body: bytes = b'') -> int:
        sequence = self._sequence
        self._sequence = (sequence + 1) & 0xFFFF
        with _lost_on_error(f'the {self._dialect.name} is gone'):
            self._line.write(encode_frame(type_, sequence, body))
        return sequence

    def _receive(self) -> None:
        with _lost_on_error(f'the {self._dialect.name} is gone'):
            data = self._line.read(_CHUNK)
        for frame in self._decoder.feed(data):
            try:
                self._sort(frame)
            except ValueError:
                self.bad_messages += 1

    def _sort(self, frame: Frame) -> None:
        if frame.type == Type.STATE:
            self._states.append(self._dialect.State.unpack(frame.body))
        elif frame.type == Type.ACK:
            ack = Ack.unpack(frame.body)
            self._has_restarted |= ack.type == Type.COMMAND and ack.code == AckCode.NOT_CONFIGURED
            self._answers.append(frame)
        elif frame.type in (Type.IDENTITY, Type.CONFIG_EFFECTIVE):
            self._answers.append(frame)
        else:
            raise ValueError(f'no message of a serial board has type {frame.type:#04x}')


@contextmanager
def _lost_on_error(what: str) -> Iterator[None]:
    try:
        yield
    # termios.error is no OSError; which of the three a vanished port raises depends on the call.
    except (serial.SerialException, OSError, termios.error) as error:
        raise DeviceLost(f'{what}: {error}') from error
