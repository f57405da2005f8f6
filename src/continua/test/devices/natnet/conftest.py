"""An emulated server and a link that listens to it, for tests."""

import time
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np
import pytest

from continua.devices.natnet import Address, NatNetLink
from continua.devices.natnet_packets import Frame, Models
from continua.devices.natnet_server import NatNetServer
from continua.devices.natnet_writer import Scene

_SCENE = Scene(
    bodies={
        'base': (np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.0, 0.0, 1.0])),
        'tip': (np.array([-1.0, 0.5, 2.0]), np.array([0.5, 0.5, -0.5, 0.5])),
        'lost': (np.full(3, np.nan), np.full(4, np.nan)),
    },
    marker_sets={
        'arm': {
            'm0': np.array([0.0, 0.25, 0.5]),
            'm1': np.full(3, np.nan),
            'm2': np.array([1.0, -0.25, 0.75]),
        }
    },
    unlabelled=np.array([[0.125, 0.0, 1.5], [3.0, 2.0, 1.0]]),
)


def _wait_until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, f'waited for {what}'
        time.sleep(1e-3)


class Listener:
    """A link and what it heard: frames, names and host times; leaving the context closes it."""

    def __init__(self, server: NatNetServer, **address) -> None:
        self.heard: list[tuple[Frame, Models, float]] = []
        given = {'server': '127.0.0.1', 'command_port': server.command_port} | address
        self.link = NatNetLink(Address(**given), lambda *frame: self.heard.append(frame))
        self._server = server

    def __enter__(self) -> 'Listener':
        self.link.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.link.close()

    def hear(self, frames: int = 1, scene: Scene = _SCENE) -> None:
        """Have the server send until so many more frames arrived."""
        wanted = len(self.heard) + frames

        def is_heard() -> bool:
            self._server.send(scene, time.monotonic())
            return len(self.heard) >= wanted

        _wait_until(is_heard, f'{frames} frames')


@pytest.fixture
def scene() -> Scene:
    """Three bodies, one of which is lost; a marker set with one occluded; two markers without names."""
    return _SCENE


@pytest.fixture
def wait_until():
    return _wait_until


@pytest.fixture
def serve():
    """serve(**settings) -> a started NatNetServer."""
    servers = []

    def start(**settings) -> NatNetServer:
        servers.append(NatNetServer(**settings))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def listen():
    """listen(server, **address) -> a started Listener."""
    with ExitStack() as stack:
        yield lambda server, **address: stack.enter_context(Listener(server, **address))
