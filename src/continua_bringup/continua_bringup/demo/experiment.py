"""Runs the shape-estimation experiment for a time, and stops it whatever happens.

The progress is read from the growing bag: what the demo counts is what the recorder has on the disk.
"""

import os
import re
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from continua.io.bag_reader import bag_information
from continua_bringup.launch.expansion import expand
from continua_bringup.launch.find import launch_file
from continua_bringup.launch.service import LaunchService
from continua_bringup.launch.supervisor import ProcessStatus, describe_exit

__all__ = ['Experiment', 'Outcome', 'new_run_folder']

_LAUNCH_FILE = 'tendon_shape_estimation'
_START_UP = 300.0  # [s] until the first estimate; compiling the rod's kernels takes most of it, once
_LOOK = 0.2  # [s] between two looks at the bag
_PORT = 8080
_ADDRESS = re.compile(r'console: (http://\S+)')


@dataclass(frozen=True)
class Outcome:
    """How the experiment ended: problems are sentences, empty when all went well."""

    is_interrupted: bool
    problems: tuple[str, ...]


def new_run_folder(parent: Path) -> Path:
    """A new folder in `parent`, named after the time, YYYYmmdd-HHMMSS, and -2, -3 ... where that exists."""
    stamp = time.strftime('%Y%m%d-%H%M%S')
    number = 1
    while True:
        folder = parent.absolute() / (stamp if number == 1 else f'{stamp}-{number}')
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            number += 1


class Experiment:
    """One run of the launch file into `folder`: bag/ and nodes.log."""

    def __init__(self, folder: Path, robot: str, duration: float, opens_browser: bool) -> None:
        """duration: [s] from the first estimate on."""
        self._folder = folder
        self._robot = robot
        self._duration = duration
        self._opens_browser = opens_browser
        self._stop = threading.Event()
        self._console = Console(stderr=True, highlight=False)

    def run(self) -> Outcome:
        """Run it; returns when no process is left. LaunchError where it cannot be started."""
        arguments = {
            'robot': self._robot,
            'record': 'true',
            'bag_dir': str(self._folder / 'bag'),
            'console_port': str(_PORT if _is_free(_PORT) else 0),
        }
        description = expand(launch_file(_LAUNCH_FILE), arguments)
        self._console.print(f'run: {self._folder}')
        with self._noting_signals(), (self._folder / 'nodes.log').open('w', encoding='utf-8') as log:
            service = LaunchService(description, screen=log, on_output=self._on_output)
            with service:
                timed_out = not self._wait(service)
        problems = [_death(status) for status in service.statuses() if status.died]
        if timed_out:
            problems.append(f'no estimate within {_START_UP:g} s of the start; see nodes.log')
        return Outcome(self._stop.is_set(), tuple(problems))

    def _wait(self, service: LaunchService) -> bool:
        """Show progress until the time is over, a node dies or somebody interrupts; False if nothing came."""

        def is_over() -> bool:
            return self._stop.wait(_LOOK) or any(status.died for status in service.statuses())

        with self._progress() as progress:
            start = progress.add_task('starting the nodes', total=None)
            deadline = time.monotonic() + _START_UP
            while not self._estimates():
                if is_over():
                    return True
                if time.monotonic() > deadline:
                    return False
            progress.remove_task(start)
            task = progress.add_task('', total=self._duration)
            begin = time.monotonic()
            while (elapsed := time.monotonic() - begin) < self._duration and not is_over():
                text = f'tendons babble; {self._estimates()} estimates recorded'
                progress.update(task, completed=elapsed, description=text)
            progress.update(task, completed=elapsed)
        return True

    def _estimates(self) -> int:
        """Estimates that the recorder has written."""
        try:
            topics = bag_information(self._folder / 'bag')['topics_with_message_count']
        except ValueError:  # the recorder has not begun
            return 0
        names = {entry['topic_metadata']['name']: entry['message_count'] for entry in topics}
        return sum(count for name, count in names.items() if name.endswith('/estimate/shape'))

    def _progress(self) -> Progress:
        columns = (
            SpinnerColumn(),
            TextColumn('{task.description}'),
            BarColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
        )
        return Progress(*columns, console=self._console)

    def _on_output(self, _label: str, _stream: str, line: str) -> None:
        """Find the console's page among what the nodes say."""
        if found := _ADDRESS.search(line):
            self._console.print(f'console: {found[1]}')
            if self._opens_browser and _has_display():
                webbrowser.open(found[1])

    @contextmanager
    def _noting_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM only ask for the end, so that nodes are stopped in order and nothing is lost."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        previous: dict[int, Callable | int | None] = {
            number: signal.signal(number, lambda *_: self._stop.set()) for number in numbers
        }
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def _death(status: ProcessStatus) -> str:
    return f'{status.node or status.label} ended by itself, {describe_exit(status.exit_code)}; see nodes.log'


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(('127.0.0.1', port))
        except OSError:
            return False
    return True


def _has_display() -> bool:
    """Without one, `webbrowser` would put a text browser into this terminal."""
    return sys.platform == 'darwin' or bool(os.environ.get('DISPLAY') or os.environ.get('WAYLAND_DISPLAY'))
