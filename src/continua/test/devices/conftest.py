"""The firmware built with sanitizers, and its emulated board in motion."""

import subprocess
from pathlib import Path

import pytest

from continua.devices.emulated_board import EmulatedBoard, IdealDrives

FIRMWARE = Path(__file__).parents[4] / 'hardware' / 'firmware'


@pytest.fixture(scope='session')
def firmware(tmp_path_factory) -> Path:
    """Folder with {tendon,valve}_board_host, the tests of the cores, vectors, fuzz and pid_trace."""
    build = tmp_path_factory.mktemp('firmware')
    configure = ['cmake', '-S', FIRMWARE, '-B', build, '-DFIRMWARE_TESTS=ON']
    for command in (configure, ['cmake', '--build', build, '-j', '2']):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    return build


@pytest.fixture
def port(tmp_path) -> Path:
    return tmp_path / 'board'


@pytest.fixture
def emulated(firmware, port):
    """The emulated board with four channels at `port`, and drives that move with it."""
    board = EmulatedBoard(firmware / 'tendon_board_host', port, 'EMULATED-0001', 4)
    drives = IdealDrives(board, 4)
    yield drives
    drives.close()
    board.close()
