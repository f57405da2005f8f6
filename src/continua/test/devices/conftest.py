"""The firmware built with sanitizers, and a plant that moves its emulated board."""

import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

from continua.devices.emulated_tendon_board import EmulatedTendonBoard

FIRMWARE = Path(__file__).parents[4] / 'hardware' / 'firmware'


@pytest.fixture(scope='session')
def firmware(tmp_path_factory) -> Path:
    """Folder with tendon_board_host, core_test, vectors and fuzz."""
    build = tmp_path_factory.mktemp('firmware')
    configure = ['cmake', '-S', FIRMWARE, '-B', build, '-DTENDON_FIRMWARE_TESTS=ON']
    for command in (configure, ['cmake', '--build', build, '-j', '2']):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    return build


class Plant:
    """A robot whose drives do at once what the board demands; displacement is 1 mm per N."""

    def __init__(self, board: EmulatedTendonBoard, n: int) -> None:
        self.board = board
        self.tension = np.zeros(n)
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_ending.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_ending.is_set() and self.board.is_running():
            demand = self.board.demand(0.05)
            if demand is not None:
                self.tension = demand
            self.board.measure(self.tension, 1e-3 * self.tension, np.zeros_like(self.tension))


@pytest.fixture
def port(tmp_path) -> Path:
    return tmp_path / 'board'


@pytest.fixture
def emulated(firmware, port):
    """The emulated board with four channels at `port`, and its plant."""
    board = EmulatedTendonBoard(firmware / 'tendon_board_host', port, 'EMULATED-0001', 4)
    assert board.demand(60.0) is not None  # it runs, so its port is there
    plant = Plant(board, 4)
    yield plant
    plant.close()
    board.close()
