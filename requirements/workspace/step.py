"""Run one command of the set-up: its output goes to a log, a line of progress to the screen."""

import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

# What a log may say, and what to do about it; the first that matches is told.
NETWORK = 'mend the network, then run the same command again: what came whole is kept'
INDEX = 'can the package index be reached, and does it have wheels for this Python? see docs/setup.md'
ADVICE = (
    ('No space left on device', 'free some disk space, then run the same command again'),
    ('Python.h', "install Python's headers (sudo apt install python3-dev), then run it again"),
    ('CERTIFICATE_VERIFY_FAILED', 'set PIP_CERT or SSL_CERT_FILE to the certificates of your network'),
    ('Connection', NETWORK),
    ('timed out', NETWORK),
    ('IncompleteRead', NETWORK),
    ('Temporary failure', NETWORK),
    ('ResolutionImpossible', INDEX),
    ('No matching distribution', INDEX),
)


class StepFailed(Exception):
    """A step did not work; the message says what, why, and what to do."""


def run_step(
    what: str,
    command: Sequence[str],
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> None:
    """Run `command`, show `what` and the newest line of its output, raise StepFailed if it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with log.open('w') as file:
        file.write(f'$ {shlex.join(command)}\n')
        file.flush()
        pipes = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.STDOUT}
        process = subprocess.Popen(command, env=env, cwd=cwd, text=True, errors='replace', **pipes)
        output = _Output(process.stdout, file)
        code = _watch(process, what, output, start)
    seconds = time.monotonic() - start
    if code != 0:
        raise StepFailed(_explain(what, code, log))
    _show(f'set-up: {what}: done ({seconds:.0f} s)', final=True)


class _Output(threading.Thread):
    """Copies a stream into a file and remembers its newest line."""

    def __init__(self, stream, file) -> None:
        super().__init__(daemon=True)
        self.newest = ''
        self._stream, self._file = stream, file
        self.start()

    def run(self) -> None:
        for line in self._stream:
            self._file.write(line)
            self._file.flush()
            self.newest = line.strip() or self.newest


def _watch(process: subprocess.Popen, what: str, output: _Output, start: float) -> int:
    """Wait for the process; on a terminal one line is rewritten, elsewhere a line now and then."""
    interval = 0.5 if sys.stdout.isatty() else 20.0
    _show(f'set-up: {what} ...', final=not sys.stdout.isatty())
    try:
        while True:
            try:
                code = process.wait(timeout=interval)
                output.join()
                return code
            except subprocess.TimeoutExpired:
                seconds = time.monotonic() - start
                _show(f'set-up: {what} {seconds:4.0f} s  {output.newest}', final=not sys.stdout.isatty())
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise


def _show(text: str, final: bool) -> None:
    """Print a line; one that is not final is overwritten by the next."""
    if not sys.stdout.isatty():
        print(text[:110], flush=True)
        return
    width = os.get_terminal_size(sys.stdout.fileno()).columns or 80
    print('\r\033[K' + text[: width - 1], end='\n' if final else '', flush=True)


def _explain(what: str, code: int, log: Path) -> str:
    """Say what failed: the log's last lines, where it lies, what to do."""
    text = log.read_text(errors='replace')
    last = '\n'.join('    ' + line for line in text.splitlines()[-20:])
    otherwise = 'read the log, then run the same command again'
    advice = next((advice for sign, advice in ADVICE if sign in text), otherwise)
    return f'{what} (exit code {code})\n{last}\nlog: {log}\nwhat to do: {advice}'
