"""A package of small programs, launch files written on the spot, and a recorder of what a service reports."""

import os
import sys
import threading
from pathlib import Path

import pytest

from continua_bringup.launch.expansion import expand
from continua_bringup.launch.plan import Description
from continua_bringup.launch.supervisor import ProcessStatus

PACKAGE = 'launch_probe'
PATIENCE = 60.0  # for what must happen; never the time that a test takes

PROGRAMS = {
    'show': """
        import json, os, sys
        print('ARGS', json.dumps(sys.argv[1:]))
        print('PROBE', os.environ.get('PROBE'))
        print('to stderr', file=sys.stderr)
    """,
    'fail': """
        import sys
        sys.exit(3)
    """,
    'wait': """
        import signal
        try:
            print('ready')
            signal.pause()
        except KeyboardInterrupt:
            print('interrupted')
    """,
    'deaf_to_sigint': """
        import signal
        count = 0
        def on_sigint(number, frame):
            global count
            count += 1
        def on_sigterm(number, frame):
            print('interrupts', count)
            raise SystemExit
        signal.signal(signal.SIGINT, on_sigint)
        signal.signal(signal.SIGTERM, on_sigterm)
        print('ready')
        while True:
            signal.pause()
    """,
    'stubborn': """
        import signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print('ready')
        while True:
            signal.pause()
    """,
    'parent': """
        import signal, subprocess, sys
        helper = subprocess.Popen([sys.executable, '-S', '-c', 'import signal; signal.pause()'])
        try:
            print('helper', helper.pid)
            signal.pause()
        except KeyboardInterrupt:
            pass
    """,
}


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The share folder of an installed package with PROGRAMS as executables; logs go to a temporary one."""
    prefix = tmp_path / 'prefix'
    for folder in (f'lib/{PACKAGE}', f'share/{PACKAGE}', 'share/ament_index/resource_index/packages'):
        (prefix / folder).mkdir(parents=True)
    (prefix / 'share/ament_index/resource_index/packages' / PACKAGE).touch()
    for name, source in PROGRAMS.items():
        path = prefix / 'lib' / PACKAGE / name
        lines = [line[8:] for line in source.strip('\n').splitlines()]
        path.write_text('\n'.join([f'#!{sys.executable} -S', *lines]))
        path.chmod(0o755)
    (prefix / 'lib' / PACKAGE / 'not_executable').touch()
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'{prefix}{os.pathsep}{os.environ["AMENT_PREFIX_PATH"]}')
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path / 'logs'))
    return prefix / 'share' / PACKAGE


class Files:
    """Writes launch files into one folder and expands them."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, body: str, name: str = 'test.launch.xml') -> str:
        """A file with `body` between <launch> and </launch>; the body's first line is line 2."""
        path = self.folder / name
        path.write_text(f'<launch>\n{body}\n</launch>\n')
        return str(path)

    def expand(self, body: str, **arguments: str) -> Description:
        return expand(self.write(body), arguments)


@pytest.fixture
def files(tmp_path: Path, probe: Path) -> Files:
    return Files(tmp_path)


class Recorder:
    """Keeps what a service reports; `line` and `ends` wait for it."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, str]] = []
        self.exits: list[ProcessStatus] = []
        self._changed = threading.Condition()

    def on_output(self, label: str, stream: str, line: str) -> None:
        with self._changed:
            self.lines.append((label, stream, line))
            self._changed.notify_all()

    def on_exit(self, status: ProcessStatus) -> None:
        with self._changed:
            self.exits.append(status)
            self._changed.notify_all()

    def line(self, label: str, beginning: str) -> str:
        """Waits for a line of a process that begins so."""
        found: list[str] = []

        def look() -> bool:
            found[:] = [text for name, _, text in self.lines if name == label and text.startswith(beginning)]
            return bool(found)

        with self._changed:
            assert self._changed.wait_for(look, PATIENCE), f'no {beginning!r} of {label} in {self.lines}'
        return found[0]

    def ends(self, count: int) -> list[ProcessStatus]:
        """Waits until `count` ends of processes have been reported."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.exits) >= count, PATIENCE), self.exits
            return list(self.exits)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()
