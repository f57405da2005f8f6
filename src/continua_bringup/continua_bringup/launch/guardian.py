"""Ends what a launch leaves behind; started by the service as a process of its own, imports only the library.

    python guardian.py MARK RUNNER_PID SIGTERM_AFTER SIGKILL_AFTER

It waits until its standard input closes or the runner is gone, also by kill -9. Then every process that has
MARK in its environment, children of children included, gets SIGINT, and later SIGTERM and SIGKILL.
Being told apart by a mark, no process is missed because the runner died before it could report it.
"""

import contextlib
import os
import select
import signal
import sys
import time


def main() -> None:
    mark, runner = sys.argv[1].encode(), int(sys.argv[2])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends when its work is done, whoever signals whole groups
    wait_for_end(runner)
    for number, patience in (
        (signal.SIGINT, float(sys.argv[3])),
        (signal.SIGTERM, float(sys.argv[4])),
        (signal.SIGKILL, 5.0),
    ):
        if end_all(mark, number, patience):
            return


def wait_for_end(runner: int) -> None:
    """Returns when standard input is closed or the process `runner` has ended."""
    try:
        watched = [0, os.pidfd_open(runner)]
    except ProcessLookupError:
        return
    select.select(watched, [], [])


def end_all(mark: bytes, number: int, patience: float) -> bool:
    """Signals each marked process once, also those that appear meanwhile; True once none is left."""
    signalled: set[int] = set()
    end = time.monotonic() + patience
    while processes := survivors(mark):
        if time.monotonic() > end:
            return False
        for pid in processes - signalled:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        signalled |= processes
        time.sleep(0.05)
    return True


def survivors(mark: bytes) -> set[int]:
    """As `marked`, with a second look: a process between its fork and its exec does not bear the mark yet."""
    found = marked(mark)
    if not found:
        time.sleep(0.1)
        found = marked(mark)
    return found


def marked(mark: bytes) -> set[int]:
    """The processes with `mark` in their environment (a zombie's is empty)."""
    found = set()
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/environ', 'rb') as file:
                    if mark in file.read().split(b'\0'):
                        found.add(int(name))
            except OSError:  # gone meanwhile, or another user's
                continue
    return found


if __name__ == '__main__':
    main()
