"""An emulated server of NatNet on this machine, for drivers without cameras.

    server = NatNetServer(protocol=(4, 1))
    server.start()
    server.send(scene, time.monotonic())

It answers as Motive does: to whoever asks, and by unicast sends frames to who asked within the last seconds.
"""

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from continua.devices import natnet_packets
from continua.devices.natnet_packets import Damaged, Message
from continua.devices.natnet_writer import Scene, write_frame, write_models, write_server

__all__ = ['EMULATED', 'NatNetServer', 'emulated_command_port']

EMULATED = 'emulated'  # in place of an address: the server that `emulated_command_port` tells
_FIRST_PORT = 21510  # and one for each domain
_LOOPBACK = '127.0.0.1'
_FORGETS = 5.0  # s after the last datagram of a client
_POLL = 0.2  # s


def emulated_command_port() -> int:
    """Where the emulated server of this ROS domain listens, on 127.0.0.1."""
    return _FIRST_PORT + int(os.environ.get('ROS_DOMAIN_ID', '0'))


class NatNetServer:
    """Bound to 127.0.0.1, also where it streams by multicast.

    is_plugged: where false, nothing comes in or goes out. command_port: at which it listens.
    """

    def __init__(
        self,
        protocol: tuple[int, int] = (4, 1),
        command_port: int = 0,
        group: str | None = None,
        data_port: int = 1511,
        clock: Callable[[float], float] = lambda steady: steady + 1000.0,
    ) -> None:
        """command_port: 0 takes any free one. group: of multicast, None for unicast.
        clock: the server's time [s] at a steady time [s] of this machine."""
        self.protocol, self.is_plugged = protocol, True
        self._group, self._data_port, self._clock = group, data_port, clock
        self._scene, self._number = Scene(), 0
        self._clients: dict[tuple[str, int], float] = {}
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(_LOOPBACK))
        self._socket.settimeout(_POLL)
        try:
            self._socket.bind((_LOOPBACK, command_port))
        except OSError as error:
            self._socket.close()
            raise ValueError(f'command_port: cannot listen at {_LOOPBACK}:{command_port}: {error}') from None
        self.command_port: int = self._socket.getsockname()[1]
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._answer, name='natnet_server', daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """Fall silent."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._socket.close()

    def send(self, scene: Scene, exposure: float) -> None:
        """Stream what was seen at the steady time `exposure` [s]."""
        self._scene = scene
        self._number += 1
        self.send_raw(write_frame(self._number, self._clock(exposure), scene, self.protocol))

    def send_raw(self, datagram: bytes) -> None:
        """Stream these bytes."""
        now = time.monotonic()
        clients = [client for client, heard in self._clients.items() if now - heard < _FORGETS]
        targets = clients if self._group is None else [(self._group, self._data_port)]
        for target in targets if self.is_plugged else ():
            with suppress(OSError):
                self._socket.sendto(datagram, target)

    def forget(self) -> None:
        """Forget all clients, as a server that was restarted."""
        self._clients = {}
        self._number = 0

    def _answer(self) -> None:
        while not self._closing.is_set():
            with suppress(TimeoutError, Damaged, OSError):
                datagram, client = self._socket.recvfrom(1 << 16)
                answer = self._answer_to(natnet_packets.message(datagram)[0])
                if not self.is_plugged:
                    continue
                self._clients = {**self._clients, client: time.monotonic()}
                if answer:
                    self._socket.sendto(answer, client)

    def _answer_to(self, kind: int) -> bytes:
        if kind == Message.CONNECT:
            return write_server('Emulated', self.protocol, self._data_port, self._group)
        if kind == Message.REQUEST_MODELS:
            return write_models(self._scene, self.protocol)
        return b''
