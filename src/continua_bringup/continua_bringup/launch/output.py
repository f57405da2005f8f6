"""Where lines go: the screen and the launch.log of this run's log folder."""

import os
import socket
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from .errors import LaunchError


def make_log_folder() -> Path:
    """A new folder below ROS_LOG_DIR, else ROS_HOME/log, else ~/.ros/log; `latest` there links to it."""
    environment = os.environ
    base = environment.get('ROS_LOG_DIR') or os.path.join(environment.get('ROS_HOME') or '~/.ros', 'log')
    stamp = time.strftime('%Y-%m-%d-%H-%M-%S')
    name = f'{stamp}-{time.time_ns() % 10**9 // 1000:06d}-{socket.gethostname()}-{os.getpid()}'
    folder = Path(base).expanduser().absolute() / name
    try:
        folder.mkdir(parents=True)
        link = folder.with_name(f'.latest-{os.getpid()}')
        link.symlink_to(folder)
        link.replace(folder.with_name('latest'))
    except OSError as error:
        raise LaunchError(
            f'cannot make the log folder {folder}: {error}; set ROS_LOG_DIR to a writable one'
        ) from error
    return folder


class Output:
    """Writes lines to the screen and to launch.log; a screen that went away is given up, not an error."""

    def __init__(self, folder: Path, screen: TextIO | None = None):
        self.screen: TextIO | None = screen or sys.stdout
        self._log = (folder / 'launch.log').open('a', encoding='utf-8', buffering=1)

    def close(self) -> None:
        self._log.close()

    def line(self, label: str, text: str, destinations: Iterable[str]) -> None:
        """A line that process `label` wrote."""
        if 'screen' in destinations:
            self._show(f'[{label}] {text}')
        if 'log' in destinations:
            self._log.write(f'{time.time():.7f} [{label}] {text}\n')

    def message(self, level: str, source: str, text: str) -> None:
        """A line of the runner's own, to both."""
        self._show(f'[{level}] [{source}]: {text}')
        self._log.write(f'{time.time():.7f} [{level}] [{source}]: {text}\n')

    def _show(self, text: str) -> None:
        if self.screen is None:
            return
        try:
            print(text, file=self.screen, flush=True)
        except (OSError, ValueError):  # the terminal or the reader of the pipe is gone
            if (
                self.screen is sys.stdout
            ):  # what it still buffers would fail once more at the interpreter's end
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self.screen = None
