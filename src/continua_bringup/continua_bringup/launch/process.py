"""One child process: started in a session of its own, its output cut into lines, signalled, waited for."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping

from .plan import ProcessPlan

MAX_LINE = 65536  # a longer line is passed on in pieces
PIPE_SIZE = 65536
STREAMS = ('stdout', 'stderr')


class LineCutter:
    """Bytes in any pieces -> whole lines; what has no newline yet is kept until `rest`."""

    def __init__(self, emit: Callable[[str], None]):
        self._emit, self._kept = emit, b''

    def feed(self, data: bytes) -> None:
        *lines, self._kept = (self._kept + data).split(b'\n')
        for line in lines:
            self._emit(_text(line))
        if len(self._kept) > MAX_LINE:
            self.rest()

    def rest(self) -> None:
        """Emits what is kept, at the end of the output or where a line is too long."""
        if self._kept:
            self._emit(_text(self._kept))
        self._kept = b''


def _text(line: bytes) -> str:
    return line.removesuffix(b'\r').decode(errors='replace')


class Process:
    """A running child. `pidfd` becomes readable when it ends; `pipes` are its output, non-blocking."""

    def __init__(
        self, plan: ProcessPlan, command: list[str], mark: Mapping[str, str], emit: Callable[[str, str], None]
    ):
        """Starts it; OSError where the system cannot. `emit(stream, line)` takes its output."""
        # In a session of its own, a terminal's Ctrl-C reaches the runner only, which signals each child once.
        self._popen = subprocess.Popen(
            command,
            env={'PYTHONUNBUFFERED': '1', **plan.environment, **mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.pid = self._popen.pid
        self.pidfd = os.pidfd_open(self.pid)
        self.pipes: dict[int, LineCutter] = {}
        for stream in STREAMS:
            fd = getattr(self._popen, stream).fileno()
            os.set_blocking(fd, False)
            self.pipes[fd] = LineCutter(lambda line, stream=stream: emit(stream, line))

    def read(self, fd: int) -> bool:
        """Passes on at most one pipe's content; False where the pipe has come to its end."""
        try:
            data = os.read(fd, PIPE_SIZE)
        except BlockingIOError:
            return True
        self.pipes[fd].feed(data)
        return bool(data)

    def finish(self) -> int:
        """After its end: passes on the rest of its output, closes all; the exit code (-N: by signal N)."""
        for fd, cutter in self.pipes.items():
            self.read(fd)  # once: a helper that outlives it may hold the pipe and go on writing
            cutter.rest()
        returncode = self._popen.wait()
        os.close(self.pidfd)
        for stream in STREAMS:
            getattr(self._popen, stream).close()
        return returncode

    def send(self, number: signal.Signals) -> None:
        """To the process; SIGKILL to its whole group, which can no longer be asked to end its own helpers."""
        with contextlib.suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(self.pid, number)
            else:
                os.kill(self.pid, number)
