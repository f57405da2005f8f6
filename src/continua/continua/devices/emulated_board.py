"""A serial board's own firmware, built for this computer, behind a pseudo terminal.

The programs are hardware/firmware/host; each ends when its standard input ends, so that it never outlives the
process that started it, however that process ended.
"""

import os
import select
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np

__all__ = ['EmulatedBoard', 'IdealDrives', 'emulated_port']

_START_TIMEOUT = 60.0  # s


def emulated_port(robot: str, board: str) -> Path:
    """Where the `board`, tendon or valve, of a robot appears: one place per user, ROS domain and robot."""
    runtime = os.environ.get('XDG_RUNTIME_DIR') or f'/tmp/continua-{os.getuid()}'
    domain = os.environ.get('ROS_DOMAIN_ID', '0')
    return Path(runtime) / 'continua' / f'{robot}_{board}_board_{domain}'


class EmulatedBoard:
    """The running firmware; the caller plays the robot: `measure` in, `demand` out."""

    def __init__(
        self, executable: Path, port: Path, serial: str, n_channels: int, step_rate: int = 500
    ) -> None:
        """port: path of the symbolic link to the serial port; serial: up to 16 characters."""
        port.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        arguments = [executable, port, serial, str(n_channels), str(step_rate)]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._record_size = 2 + 8 * n_channels
        self._pending = b''
        os.set_blocking(self._process.stdin.fileno(), False)
        os.set_blocking(self._process.stdout.fileno(), False)

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_running(self) -> bool:
        return self._process.poll() is None

    def measure(self, *columns: np.ndarray) -> None:
        """New readings, (n,) each; nothing happens where the firmware has ended.

        Of a tendon board: tension N, displacement m, velocity m/s. Of a valve board: gauge pressure Pa.
        """
        readings = np.stack(columns, axis=-1).astype('<f8')
        self._write(b'S' + bytes((len(readings),)) + readings.tobytes())

    def plug(self, is_plugged: bool) -> None:
        """Take the serial port away, or bring it back as a new one behind the same link."""
        self._write(b'P' + bytes((is_plugged,)))

    def demand(self, timeout: float) -> np.ndarray | None:
        """The newest demand (n,) not yet returned, waiting up to `timeout` s; None without one.

        Of a tendon board tensions in N, of a valve board signals of the valves in -1 ... 1.
        """
        stdout = self._process.stdout
        if not select.select([stdout], [], [], timeout)[0]:
            return None
        self._pending += stdout.read(1 << 16) or b''
        n = len(self._pending) // self._record_size
        if n == 0:
            return None
        newest = self._pending[(n - 1) * self._record_size : n * self._record_size]
        self._pending = self._pending[n * self._record_size :]
        return np.frombuffer(newest, '<f8', offset=2).copy()

    def close(self) -> None:
        """End the firmware."""
        self._process.stdin.close()
        try:
            self._process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _write(self, record: bytes) -> None:
        # Records are shorter than PIPE_BUF: written whole, or not at all while the firmware is far behind.
        with suppress(BrokenPipeError):
            self._process.stdin.write(record)


class IdealDrives:
    """A robot for tests of the board: its tensions are at once what is demanded, 1 mm of displacement per N.

    tension: (n,) N.
    """

    def __init__(self, board: EmulatedBoard, n: int) -> None:
        """Begin to move, once the firmware runs."""
        self.board = board
        self.tension = np.zeros(n)
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        if board.demand(_START_TIMEOUT) is None:
            raise RuntimeError(f'the firmware did not start within {_START_TIMEOUT} s')
        self._thread.start()

    def close(self) -> None:
        """Stand still; the board gets no more readings."""
        self._is_ending.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_ending.is_set() and self.board.is_running():
            demand = self.board.demand(timeout=0.05)
            if demand is not None:
                self.tension = demand
            self.board.measure(self.tension, 1e-3 * self.tension, np.zeros_like(self.tension))
