"""Runs a launch description from Python: what `continua launch`, the demo and end-to-end tests use."""

import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from .errors import did_you_mean, listed
from .output import Output, make_log_folder
from .plan import Description, ProcessPlan
from .supervisor import Child, ProcessStatus, Supervisor

SIGTERM_AFTER = 5.0
SIGKILL_AFTER = 5.0


class LaunchService:
    """Processes of a description: `with LaunchService(description) as service: ...`, or `service.run()`.

    `on_exit(status)` and `on_output(label, stream, line)` are called in the service's thread; they may call
    `request_stop` but not `stop` or `wait`. A service runs once.
    """

    def __init__(
        self,
        description: Description,
        *,
        on_exit: Callable[[ProcessStatus], None] | None = None,
        on_output: Callable[[str, str, str], None] | None = None,
        screen: TextIO | None = None,
        sigterm_after: float = SIGTERM_AFTER,
        sigkill_after: float = SIGKILL_AFTER,
    ):
        """`screen` takes the output (default: standard output). LaunchError if no log folder can be made."""
        self.log_folder: Path = make_log_folder()
        parameter_folder = self.log_folder / 'parameters'
        parameter_folder.mkdir()
        self._children = [Child(plan) for plan in description.processes]
        self._output = Output(self.log_folder, screen)
        self._supervisor = Supervisor(
            self._children,
            self._output,
            str(parameter_folder),
            on_exit,
            on_output,
            (sigterm_after, sigkill_after),
        )

    def start(self) -> None:
        """Starts all processes; LaunchError, with none left running, where one cannot be started."""
        self._output.message('INFO', 'launch', f'logs are in {self.log_folder}')
        threading.Thread(target=self._supervisor.run, name='continua launch', daemon=True).start()
        self._supervisor.started.wait()
        if self._supervisor.error:
            self.wait()

    def request_stop(self, reason: str = 'stop requested') -> None:
        """Asks the processes to end and returns at once; may be called from a signal handler, and again."""
        self._supervisor.request_stop(reason)

    def stop(self) -> None:
        """Stops every process (SIGINT, then SIGTERM, then SIGKILL); returns when none is left."""
        self.request_stop()
        self.wait()

    def wait(self, timeout: float | None = None) -> bool:
        """Whether all processes have ended within `timeout` seconds; raises what made the service fail."""
        is_finished = self._supervisor.finished.wait(timeout)
        if is_finished and self._supervisor.error:
            raise self._supervisor.error
        return is_finished

    def run(self) -> int:
        """Runs until all processes have ended, by themselves or by SIGINT, SIGTERM or SIGHUP; the exit code.

        For the main thread of a command: it handles these signals meanwhile.
        """

        def on_signal(number: int, _frame: object) -> None:
            self.request_stop(f'received {signal.Signals(number).name}')

        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as under nohup
            numbers.append(signal.SIGHUP)
        previous = {number: signal.signal(number, on_signal) for number in numbers}
        try:
            self.start()
            while not self.wait(1.0):
                pass
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)
        return self.exit_code

    def __enter__(self) -> 'LaunchService':
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def exit_code(self) -> int:
        """1 where a process ended by itself with a non-zero code, else 0."""
        return int(any(child.died for child in self._children))

    def statuses(self) -> list[ProcessStatus]:
        return [child.status() for child in self._children]

    def status(self, name: str) -> ProcessStatus:
        """Of the process with this label, node name (also with namespace) or executable; else KeyError."""
        found = [child for child in self._children if name in _names(child.plan)]
        if len(found) == 1:
            return found[0].status()
        known = sorted(set().union(*(_names(child.plan) for child in self._children)))
        raise KeyError(
            f'{len(found)} processes are called {name!r}{did_you_mean(name, known)}; names: {listed(known)}'
        )


def _names(plan: ProcessPlan) -> set[str]:
    names = {plan.label}
    if plan.node:
        names |= {
            plan.node.executable,
            plan.node.name or plan.node.executable,
            plan.node.full_name or plan.label,
        }
    return names
