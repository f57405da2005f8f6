"""Keeps a NatNet server of a motion capture talking, in a thread of its own.

The thread opens the sockets, asks who is there, asks for frames and for names again and again, and hands
every frame to `on_frame` with the host's time of its exposure. Datagrams that make no sense are counted.
Nothing ends the thread but `close`; what is missing is for `natnet_diagnosis` to say.
"""

import logging
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address

from continua.devices import natnet_packets
from continua.devices.clock import DeviceClock
from continua.devices.natnet_packets import Damaged, Frame, Message, Models, Server

__all__ = ['PROTOCOLS', 'Address', 'NatNetLink']

_log = logging.getLogger(__name__)
PROTOCOLS = (3, 4)  # major versions that are understood
_BEAT = 1.0  # s between requests; a server forgets a client that is silent for several
_REOPEN = 1.0  # s between attempts to open the sockets
_MAX_DRIFT = 1e-4  # s/s between two computers
_RESTART = 1.0  # s by which exposures go back when a server, or its recording, starts anew
_MAX_BYTES = 1 << 16
_BURST = 64  # datagrams of a socket before the next is looked at


@dataclass(frozen=True)
class Address:
    """Where the server is, and how it streams.

    local: address of this machine; '' is the one from which the server is reached.
    """

    server: str = '127.0.0.1'
    local: str = ''
    is_multicast: bool = False
    group: str = '239.255.42.99'
    command_port: int = 1510
    data_port: int = 1511  # of multicast

    def __post_init__(self) -> None:
        """Raises ValueError for what is no IPv4 address."""
        for name in ('server', 'group', 'local'):
            address = getattr(self, name)
            try:
                if address or name != 'local':
                    IPv4Address(address)
            except ValueError:
                raise ValueError(f'{name}: expected an IPv4 address like 10.0.0.5, got {address!r}') from None


class NatNetLink:
    """A thread that listens to one server.

    server, models: what the server said last, None before. local: address of this machine that is used.
    trouble: why the sockets cannot be used, or ''.
    counts: of what should not happen. frames: how many came.
    answered, last_frame: steady times [s] of the last answer and frame, -inf before; began: of `start`.
    tracked: steady time [s] at which each body was tracked last, by name.
    """

    def __init__(self, address: Address, on_frame: Callable[[Frame, Models, float], None]) -> None:
        """on_frame: of a frame, the names of what is in it, and the steady time [s] of its exposure; called
        from the thread."""
        self.address = address
        self.server: Server | None = None
        self.models = Models({}, {})
        self.local = address.local
        self.trouble = ''
        self.counts: Counter[str] = Counter()
        self.frames = 0
        self.answered = self.last_frame = float('-inf')
        self.tracked: dict[str, float] = {}
        self.began = time.monotonic()
        self._on_frame = on_frame
        self._clock = DeviceClock(_MAX_DRIFT)
        self._last_exposure = float('-inf')
        self._next_beat = 0.0
        self._command: socket.socket | None = None
        self._closing = threading.Event()
        self._waker, self._wake = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name='natnet', daemon=True)

    def start(self) -> None:
        """Begin to look for the server."""
        self.began = time.monotonic()
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closing.set()
        self._waker.send(b'\0')
        if self._thread.ident is not None:
            self._thread.join()
        self._waker.close()
        self._wake.close()

    def take(self, datagram: bytes, source: str, received: float) -> None:
        """Use one datagram of the host `source`, received at that steady time [s]; counts what it refuses."""
        if source != self.address.server:
            self.counts['from_others'] += 1
            return
        try:
            kind, body = natnet_packets.message(datagram)
            self._sort(kind, body, received)
        except Damaged:
            self.counts['damaged'] += 1

    # The thread

    def _run(self) -> None:
        while not self._closing.is_set():
            sockets: list[socket.socket] = []
            try:
                self._open(sockets)
                self._serve(sockets)
            except OSError as error:
                self.trouble = error.strerror or str(error)
            except Exception:
                # A silent end of this thread would leave a driver that only looks alive.
                _log.exception('unforeseen error; starting again')
                self.counts['exceptions'] += 1
            finally:
                for each in sockets:
                    each.close()
            self._closing.wait(_REOPEN)

    def _open(self, sockets: list[socket.socket]) -> None:
        """Append the sockets: for requests and their answers, and for the frames of multicast."""
        address = self.address
        self.local = address.local or _route(address)
        self._command = _socket(sockets, (self.local, 0))
        if address.is_multicast:
            data = _socket(sockets, (address.group, address.data_port))
            membership = socket.inet_aton(address.group) + socket.inet_aton(self.local)
            data.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        self._next_beat = 0.0

    def _serve(self, sockets: list[socket.socket]) -> None:
        while not self._closing.is_set():
            now = time.monotonic()
            if now >= self._next_beat:
                self._beat(now)
            wait = max(self._next_beat - now, 0.0)
            for ready in select.select([*sockets, self._wake], [], [], wait)[0]:
                if ready is not self._wake:
                    self._drain(ready)

    def _drain(self, ready: socket.socket) -> None:
        with suppress(BlockingIOError):
            for _ in range(_BURST):
                datagram, source = ready.recvfrom(_MAX_BYTES)
                self.take(datagram, source[0], time.monotonic())

    def _beat(self, now: float) -> None:
        """Requests: who is there while no frames come, else to go on; and for names that are missing."""
        self._next_beat = now + _BEAT
        is_silent = now - self.last_frame > _BEAT
        self._send(Message.CONNECT if is_silent else Message.KEEP_ALIVE)
        if self.server is not None:
            self._send(Message.REQUEST_MODELS)
        self.trouble = ''

    def _send(self, kind: Message) -> None:
        target = self.address.server, self.address.command_port
        self._command.sendto(natnet_packets.request(kind), target)

    # What arrives

    def _sort(self, kind: int, body: bytes, received: float) -> None:
        if kind == Message.SERVER_INFO:
            is_first = self.server is None
            self.server = natnet_packets.parse_server(body)
            self.answered = received
            if is_first:
                self._next_beat = received  # ask for names
        elif kind in (Message.FRAME, Message.MODELS):
            if self.server is None or self.server.protocol[0] not in PROTOCOLS:
                self.counts['not_understood'] += 1
            elif kind == Message.MODELS:
                self.models = natnet_packets.parse_models(body, self.server)
            else:
                self._pass_on(natnet_packets.parse_frame(body, self.server), received)
        elif kind not in (Message.MESSAGE_STRING, Message.UNRECOGNISED):
            self.counts['of_unknown_type'] += 1

    def _pass_on(self, frame: Frame, received: float) -> None:
        if -_RESTART < frame.exposure - self._last_exposure <= 0.0:
            self.counts['late_frames'] += 1
            return
        self._last_exposure = frame.exposure
        self.frames += 1
        self.last_frame = received
        for identifier, body in frame.bodies.items():
            if body.is_tracked and identifier in self.models.bodies:
                self.tracked[self.models.bodies[identifier]] = received
        exposure = self._clock.to_host(frame.exposure, received)
        self.counts['clock_jumps'] = self._clock.jumps
        try:
            self._on_frame(frame, self.models, exposure)
        except Exception:
            _log.exception('a frame could not be used')
            self.counts['exceptions'] += 1


def _route(address: Address) -> str:
    """The address of this machine from which the server is reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((address.server, address.command_port))  # sends nothing
        return probe.getsockname()[0]


def _socket(opened: list[socket.socket], address: tuple[str, int]) -> socket.socket:
    """A UDP socket bound to the address that does not block; several programs may listen to one group."""
    new = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.append(new)
    new.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    new.setblocking(False)
    new.bind(address)
    return new
