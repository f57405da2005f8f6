"""Keeps a serial board connected and commanded from a thread of its own.

A line that blocks, a board that vanishes or restarts, and the search for it never hold up the caller. The
thread opens the board, checks that it is the right one and sets its limits. It then sends what `demand` says,
at least every fifth of the watchdog, and hands every state to `on_state`. When the board is lost it is looked
for again, less and less often.
"""

import logging
import queue
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from continua.devices.board_messages import BoardConfig, BoardIdentity, BoardState
from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.serial_board import SerialBoard

__all__ = ['Demand', 'LinkStatus', 'Retry', 'BoardLink']

_log = logging.getLogger(__name__)
_SILENCE = 0.5  # s without a state: the board is lost


class Demand(NamedTuple):
    """What the board should do now: setpoints (n,), and whether the channels are energised at all."""

    enable: bool
    values: np.ndarray


@dataclass(frozen=True)
class Retry:
    """How often a lost board is looked for: at first, and at last, each wait being half as long again."""

    first: float = 0.2  # s
    last: float = 2.0  # s

    def next(self, wait: float) -> float:
        """The wait after `wait`."""
        return min(1.5 * wait, self.last)


@dataclass(frozen=True)
class LinkStatus:
    """Whether the board is there, in one sentence, and what it said about itself."""

    is_connected: bool
    sentence: str
    identity: BoardIdentity | None = None
    config: BoardConfig | None = None  # in force
    connections: int = 0  # since start


class BoardLink:
    """A thread that owns the line to one board.

    status: replaced as a whole, so that any thread may read it.
    """

    def __init__(
        self,
        open_board: Callable[[], SerialBoard],
        configure: Callable[[BoardIdentity], BoardConfig],
        *,
        n: int,
        demand: Callable[[float], Demand],
        on_state: Callable[[BoardState, float], None],
        retry: Retry | None = None,
    ) -> None:
        """n: channels that are used. The others are called from the thread.

        open_board: raises DeviceLost or DeviceRefused.
        configure: limits for the board that was found, or DeviceRefused where it is not the right one.
        demand: of a steady time [s].
        on_state: takes a state and the steady time [s] at which it was received.
        """
        self.status = LinkStatus(False, 'no board was found yet')
        self._open_board = open_board
        self._configure = configure
        self._at_rest = np.zeros(n)
        self._demand = demand
        self._on_state = on_state
        self._retry = retry or Retry()
        self._requests: queue.SimpleQueue[tuple[Callable[[SerialBoard], None], Future]] = queue.SimpleQueue()
        self._board: SerialBoard | None = None
        self._past_counts = {'bad_frames': 0, 'lost_frames': 0, 'bad_messages': 0}
        self._closing = threading.Event()
        self._waker, self._wake = socket.socketpair()
        for end in (self._waker, self._wake):
            end.setblocking(False)
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name='board_link', daemon=True)

    def start(self) -> None:
        """Begin to look for the board."""
        self._thread.start()

    @property
    def is_started(self) -> bool:
        """Whether `start` was called."""
        return self._thread.ident is not None

    def wait_connected(self, timeout: float) -> bool:
        """Wait up to `timeout` s for the board; whether it is there."""
        with self._changed:
            return self._changed.wait_for(lambda: self.status.is_connected, timeout)

    def counts(self) -> dict[str, int]:
        """Damaged, lost and senseless messages from the board since start."""
        board = self._board
        return {
            name: past + (getattr(board, name) if board else 0) for name, past in self._past_counts.items()
        }

    def wake(self) -> None:
        """Send what `demand` says now instead of at the next beat."""
        with suppress(BlockingIOError, OSError):
            self._waker.send(b'\0')

    def request(self, action: Callable[[SerialBoard], None]) -> Future:
        """Have the thread call `action(board)`; the future holds its error, DeviceLost without a board."""
        future: Future = Future()
        self._requests.put((action, future))
        if self.status.is_connected:
            self.wake()
        else:
            self._refuse_requests()
        return future

    def close(self) -> None:
        """Bring the channels to rest, let go of the board and end the thread."""
        self._closing.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join()
        self._waker.close()
        self._wake.close()

    def _run(self) -> None:
        wait = self._retry.first
        while not self._closing.is_set():
            try:
                self._connect()
                wait = self._retry.first
                self._serve(self._board)
                self._let_go('closed')
            except (DeviceLost, DeviceRefused) as error:
                self._let_go(str(error))
            except Exception as error:
                # A silent end of this thread would leave a driver that only looks alive.
                _log.exception('unforeseen error; starting again')
                self._let_go(f'unforeseen error, starting again: {error!r}')
            self._closing.wait(wait)
            wait = self._retry.next(wait)

    def _connect(self) -> None:
        self._board = board = self._open_board()
        config = board.configure(self._configure(board.identity))
        sentence = f'board {board.identity.serial} is connected'
        connections = self.status.connections + 1
        self._set_status(LinkStatus(True, sentence, board.identity, config, connections))

    def _serve(self, board: SerialBoard) -> None:
        board.command(self._at_rest, enable=False)  # arms the board: it energises after it was told to rest
        keep_alive = self.status.config.watchdog / 5
        next_beat = last_state = time.monotonic()
        while not self._closing.is_set():
            board.wait(next_beat - time.monotonic(), self._wake.fileno())
            is_woken = self._clear_wake()
            now = time.monotonic()
            for state in board.poll():
                self._on_state(state, now)
                last_state = now
            if is_woken or now >= next_beat:
                demand = self._demand(now)
                board.command(demand.values, demand.enable)
                next_beat = now + keep_alive
            self._do_requests(board)
            if now - last_state > _SILENCE:
                raise DeviceLost(f'the board has been silent for {_SILENCE} s')
        board.command(self._at_rest, enable=False)

    def _clear_wake(self) -> bool:
        with suppress(BlockingIOError):
            return bool(self._wake.recv(4096))
        return False

    def _do_requests(self, board: SerialBoard) -> None:
        with suppress(queue.Empty):
            while True:
                action, future = self._requests.get_nowait()
                try:
                    action(board)
                    future.set_result(None)
                except DeviceRefused as error:
                    future.set_exception(error)
                except DeviceLost as error:
                    future.set_exception(error)
                    raise

    def _refuse_requests(self) -> None:
        with suppress(queue.Empty):
            while True:
                _, future = self._requests.get_nowait()
                future.set_exception(DeviceLost(self.status.sentence))

    def _let_go(self, sentence: str) -> None:
        self._past_counts = self.counts()
        board, self._board = self._board, None
        if board is not None:
            board.close()
        self._set_status(replace(self.status, is_connected=False, sentence=sentence))
        self._refuse_requests()

    def _set_status(self, status: LinkStatus) -> None:
        with self._changed:
            self.status = status
            self._changed.notify_all()
