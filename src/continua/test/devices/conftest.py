"""The firmware built with sanitizers, and its emulated board in motion."""

import subprocess
from pathlib import Path

import pytest

from continua.devices.emulated_tendon_board import EmulatedTendonBoard, IdealDrives

FIRMWARE = Path(__file__).parents[4] / 'hardware' / 'firmware'


@pytest.fixture(scope='session')
def firmware(tmp_path_factory) -> Path:
    """Folder with tendon_board_host, core_test, vectors and fuzz."""
    build = tmp_path_factory.mktemp('firmware')
    configure = ['cmake', '-S', FIRMWARE, '-B', build, '-DTENDON_FIRMWARE_TESTS=ON']
    for command in (configure, ['cmake', '--build', build, '-j', '2']):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    return build


@pytest.fixture
def port(tmp_path) -> Path:
    return tmp_path / 'board'


@pytest.fixture
def emulated(firmware, port):
    """The emulated board with four channels at `port`, and drives that move with it."""
    board = EmulatedTendonBoard(firmware / 'tendon_board_host', port, 'EMULATED-0001', 4)
    drives = IdealDrives(board, 4)
    yield drives
    drives.close()
    board.close()
