"""The loop that starts, watches and stops the processes of a plan, in one thread.

It waits on the output of every process, on their ends, on requests to stop and on its timers. A guardian
process ends the children should this process be killed.
"""

import contextlib
import heapq
import itertools
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from . import guardian
from .errors import LaunchError
from .output import Output
from .plan import OUTPUTS, ProcessPlan
from .process import STREAMS, Process

MARK = 'CONTINUA_LAUNCH'


@dataclass(frozen=True)
class ProcessStatus:
    """One process of a launch at one moment."""

    label: str
    node: str | None  # full node name, where the launch file gives it
    pid: int | None  # None while it does not run
    starts: int
    exit_code: int | None  # of its last end; -N: by signal N
    died: bool  # whether it ever ended by itself with a non-zero exit code


@dataclass
class Child:
    """A planned process and what became of it."""

    plan: ProcessPlan
    process: Process | None = None
    is_due: bool = True  # to be started, now or after its respawn delay
    starts: int = 0
    exit_code: int | None = None
    died: bool = False

    def status(self) -> ProcessStatus:
        node, process = self.plan.node, self.process
        return ProcessStatus(
            label=self.plan.label,
            node=node.full_name if node else None,
            pid=process.pid if process else None,
            starts=self.starts,
            exit_code=self.exit_code,
            died=self.died,
        )


class Supervisor:
    """`run` is the loop; `request_stop` may be called from any thread and from signal handlers."""

    def __init__(
        self,
        children: list[Child],
        output: Output,
        parameter_folder: str,
        on_exit: Callable[[ProcessStatus], None] | None,
        on_output: Callable[[str, str, str], None] | None,
        patience: tuple[float, float],
    ):
        self.started, self.finished = threading.Event(), threading.Event()
        self.error: BaseException | None = None
        self._children, self._output, self._parameter_folder = children, output, parameter_folder
        self._on_exit, self._on_output = on_exit, on_output
        self._patience = patience  # from SIGINT to SIGTERM, from there to SIGKILL
        self._mark = uuid.uuid4().hex
        self._selector = selectors.DefaultSelector()
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._timer_numbers = itertools.count()
        self._is_stopping = False
        self._stop_reason = ''
        self._wake_lock = threading.RLock()  # a signal handler may interrupt its own thread in request_stop
        self._wake_reader, self._wake_writer = os.pipe()

    def request_stop(self, reason: str) -> None:
        """Asks all processes to end; returns at once. Later requests change nothing."""
        with self._wake_lock:
            self._stop_reason = self._stop_reason or reason
            if not self.finished.is_set():
                os.write(self._wake_writer, b'!')

    def run(self) -> None:
        """Starts everything and returns when all has ended; `error` is what went wrong, if anything did."""
        self._selector.register(self._wake_reader, selectors.EVENT_READ, self._on_wake)
        try:
            with self._guardian():
                for child in self._children:
                    self._start(child)
                self.started.set()
                while any(child.process or child.is_due for child in self._children):
                    self._step()
            self._report_deaths()
        except BaseException as error:  # it belongs to the threads that wait, whatever it is
            self.error = error
        finally:
            self._output.close()
            self._selector.close()
            with self._wake_lock:
                os.close(self._wake_reader)
                os.close(self._wake_writer)
                self.finished.set()
            self.started.set()

    @contextlib.contextmanager
    def _guardian(self) -> Iterator[None]:
        command = [sys.executable, '-I', '-S', guardian.__file__, f'{MARK}={self._mark}', str(os.getpid())]
        process = subprocess.Popen(
            [*command, *map(str, self._patience)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            process.communicate()  # closes its input: it ends what is left, helpers of the children included

    def _step(self) -> None:
        timeout = max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None
        for key, _ in self._selector.select(timeout):
            if key.fd in self._selector.get_map():  # not so where an earlier event ended the process
                key.data()
        while self._timers and self._timers[0][0] <= time.monotonic():
            heapq.heappop(self._timers)[2]()
        if self._output.screen is None and not self._is_stopping:
            self._stop('nobody reads the output any more')

    def _after(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._timer_numbers), action))

    # Starting and ending

    def _start(self, child: Child) -> None:
        child.is_due = False
        if self._is_stopping:
            return
        plan = child.plan
        try:
            command = plan.arguments(self._parameter_folder)
            child.process = Process(plan, command, {MARK: self._mark}, partial(self._on_line, plan))
        except OSError as error:
            self._on_start_failure(child, error)
            return
        child.starts += 1
        self._selector.register(child.process.pidfd, selectors.EVENT_READ, partial(self._on_end, child))
        for fd in child.process.pipes:
            self._selector.register(fd, selectors.EVENT_READ, partial(self._on_readable, child.process, fd))
        self._output.message('INFO', plan.label, f'process started with pid [{child.process.pid}]')

    def _on_start_failure(self, child: Child, error: OSError) -> None:
        """At the start of the launch this ends all of it; for a respawn it is a death like any other."""
        plan = child.plan
        failure = LaunchError(f'{plan.label} cannot be started: {error}', plan.file, plan.line)
        self._output.message('ERROR', plan.label, str(failure))
        if child.starts:
            child.died = True
        else:
            self.error = failure
            self._stop('a process cannot be started')

    def _on_readable(self, process: Process, fd: int) -> None:
        if not process.read(fd):
            self._selector.unregister(fd)

    def _on_line(self, plan: ProcessPlan, stream: str, line: str) -> None:
        self._output.line(plan.label, line, OUTPUTS[plan.output][STREAMS.index(stream)])
        self._notify(self._on_output, plan.label, stream, line)

    def _on_end(self, child: Child) -> None:
        process = child.process
        assert process is not None
        for fd in (process.pidfd, *process.pipes):
            if fd in self._selector.get_map():
                self._selector.unregister(fd)
        child.exit_code = process.finish()
        child.process = None
        self._report_end(child, process.pid)
        if child.plan.is_required and not self._is_stopping:
            self._stop(f'{child.plan.label} has ended')
        if child.plan.respawn and not self._is_stopping:
            child.is_due = True
            self._after(child.plan.respawn_delay, partial(self._start, child))
        self._notify(self._on_exit, child.status())

    def _notify(self, callback: Callable[..., None] | None, *arguments: object) -> None:
        """Calls back; the first error is kept for those who wait, and stops everything."""
        if callback is None or self.error:
            return
        try:
            callback(*arguments)
        except Exception as error:
            self.error = error
            if not self._is_stopping:
                self._stop(f'{error!r} in a callback')

    def _report_end(self, child: Child, pid: int) -> None:
        label = child.plan.label
        cause = describe_exit(child.exit_code)
        if self._is_stopping:
            self._output.message('INFO', label, f'process ended, {cause} [pid {pid}]')
        elif child.exit_code == 0:
            self._output.message('INFO', label, f'process has finished cleanly [pid {pid}]')
        else:
            child.died = True
            fate = 'it is started again' if child.plan.respawn else 'the other processes go on'
            if child.plan.is_required:
                fate = 'the others need it'
            self._output.message('ERROR', label, f'process has died, {cause} [pid {pid}]; {fate}')

    def _report_deaths(self) -> None:
        died = [
            f'{child.plan.label} ({describe_exit(child.exit_code)})' for child in self._children if child.died
        ]
        if died:
            self._output.message('ERROR', 'launch', f'ended by themselves: {", ".join(died)}')

    # Stopping

    def _on_wake(self) -> None:
        os.read(self._wake_reader, 4096)
        if not self._is_stopping:
            self._stop(self._stop_reason)

    def _stop(self, reason: str) -> None:
        self._is_stopping = True
        for child in self._children:
            child.is_due = False
        self._output.message('INFO', 'launch', f'{reason}: stopping all processes')
        self._signal_all(signal.SIGINT)
        to_sigterm, to_sigkill = self._patience
        self._after(to_sigterm, partial(self._escalate, signal.SIGTERM, to_sigterm))
        self._after(to_sigterm + to_sigkill, partial(self._escalate, signal.SIGKILL, to_sigterm + to_sigkill))

    def _escalate(self, number: signal.Signals, waited: float) -> None:
        for child in self._children:
            if child.process:
                text = f'process still runs {waited:g} s after SIGINT: sending {number.name}'
                self._output.message('ERROR', child.plan.label, text)
        self._signal_all(number)

    def _signal_all(self, number: signal.Signals) -> None:
        for child in self._children:
            if child.process:
                child.process.send(number)


def describe_exit(code: int | None) -> str:
    """`exit code 3`, or `killed by SIGSEGV`."""
    if code is not None and code < 0:
        try:
            return f'killed by {signal.Signals(-code).name}'
        except ValueError:
            return f'killed by signal {-code}'
    return f'exit code {code}'
