"""Set up the workspace: `python3 requirements/workspace [--dev] [--packages]`.

Makes .venv, installs the ROS 2 wheels (unless a ROS 2 is sourced) and the dependencies, and builds the
ROS packages. What is already there is left alone, so that a second run takes seconds, and a run that
broke off goes on where it stopped. Standard library only: it runs before anything is installed.
"""

import argparse
import fcntl
import os
import sys
import time
from pathlib import Path

from build import build_workspace
from environment import make_environment
from kernels import compile_kernels
from machine import check_machine, find_ros
from packages import install_packages
from step import StepFailed

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run the steps in order; say what fails in a sentence."""
    parser = argparse.ArgumentParser(prog='make setup', description=__doc__.splitlines()[0])
    parser.add_argument('--dev', action='store_true', help='also install what `make test` needs')
    parser.add_argument('--packages', action='store_true', help='install what pip installs, and no more')
    arguments = parser.parse_args()
    if sys.prefix != sys.base_prefix:
        # Called from an activated environment, perhaps the very one to be made anew.
        os.execv(sys._base_executable, [sys._base_executable, *sys.orig_argv[1:]])
    start = time.monotonic()
    try:
        lock = _wait_for_other_setups()
        ros = find_ros()
        check_machine(ROOT, ros)
        environment = make_environment(ROOT, ros)
        install_packages(environment, arguments.dev)
        if not arguments.packages:
            build_workspace(environment)
            compile_kernels(environment)
        os.close(lock)
    except StepFailed as failure:
        print(f'\nset-up failed: {failure}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('\nset-up stopped; the same command goes on from here', file=sys.stderr)
        return 130
    print(f'set-up: ready ({time.monotonic() - start:.1f} s)', flush=True)
    return 0


def _wait_for_other_setups() -> int:
    """Hold the checkout for this set-up: two of them at once would install over each other."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print('set-up: another one is running in this checkout; waiting for it', flush=True)
        fcntl.flock(folder, fcntl.LOCK_EX)
    return folder


if __name__ == '__main__':
    sys.exit(main())
