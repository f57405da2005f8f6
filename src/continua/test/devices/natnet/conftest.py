"""An emulated server and a link that listens to it, for tests."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from continua.devices.natnet import Address, NatNetLink
from continua.devices.natnet_diagnosis import Diagnosis, Stage, diagnose
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
        self._ended = threading.Event()
        self._sender: threading.Thread | None = None

    def __enter__(self) -> 'Listener':
        self.link.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._sender is not None:
            self._sender.join()
        self.link.close()

    def keep_hearing(self) -> None:
        """Have the server send, at 100 Hz, until the test ends."""
        self._sender = threading.Thread(target=self._send, daemon=True)
        self._sender.start()

    def _send(self) -> None:
        while not self._ended.wait(0.01):
            self._server.send(_SCENE, time.monotonic())

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


@pytest.fixture
def told(wait_until):
    """told(listener, stage, bodies, marker_set) -> what the user reads once the stage fails.

    The page shows the very sentence; server and link are at other ports here.
    """
    page = (Path(__file__).parents[5] / 'docs' / 'mocap.md').read_text()

    def wait(listener: Listener, stage: Stage, bodies=('tip',), marker_set='arm') -> str:
        def diagnosis() -> Diagnosis:
            return diagnose(listener.link, list(bodies), marker_set, time.monotonic())

        wait_until(lambda: diagnosis().stage is stage, f'stage {stage}')
        sentence = diagnosis().sentence.replace(str(listener.link.address.command_port), '1510')
        assert f'| {sentence} |' in page
        return sentence

    return wait
