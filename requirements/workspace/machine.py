"""What the machine must have before anything is installed, and the ROS 2 it may already have."""

import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from step import StepFailed

PYTHONS = ((3, 10), (3, 14))
CMAKE = (3, 19)
SPACE = 3e9  # bytes: .venv, build and install together


@dataclass(frozen=True)
class Ros:
    """A ROS 2 that is sourced: its name and the NumPy its messages were built for."""

    distribution: str
    numpy: str


def find_ros() -> Ros | None:
    """Return the ROS 2 that is sourced, None if there is none.

    Raises StepFailed if this Python cannot use it.
    """
    distribution = os.environ.get('ROS_DISTRO')
    if not distribution:
        return None
    code = 'import rclpy, numpy; print(numpy.__version__)'
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    if result.returncode != 0:
        raise StepFailed(
            f'ROS 2 {distribution} is sourced, but {sys.executable} cannot import its rclpy and numpy: '
            f'{(result.stderr.strip().splitlines() or ["no message"])[-1]}\n'
            'what to do: name the Python that this ROS 2 was made for, for example '
            '`make setup PYTHON=/usr/bin/python3`, or unset ROS_DISTRO to use the wheels'
        )
    return Ros(distribution, result.stdout.strip())


def check_machine(root: Path, ros: Ros | None) -> None:
    """Raise StepFailed, with the remedy, if the machine lacks something."""
    version = sys.version_info[:2]
    if not PYTHONS[0] <= version <= PYTHONS[1]:
        raise StepFailed(
            f'Python {platform.python_version()} ({sys.executable}); expected 3.10 to 3.14\n'
            'what to do: `make setup PYTHON=/path/to/python3.x`'
        )
    missing = [tool for tool in ('gcc', 'g++', 'cmake', 'make', 'git') if not shutil.which(tool)]
    if missing:
        raise StepFailed(
            f'{", ".join(missing)} not found\nwhat to do: sudo apt install gcc g++ cmake make git'
        )
    found = re.search(r'(\d+)\.(\d+)', subprocess.check_output(['cmake', '--version'], text=True))
    if (int(found[1]), int(found[2])) < CMAKE:
        raise StepFailed(f'CMake {found[0]}; expected 3.19 or later\nwhat to do: pip install cmake')
    if len(str(root).split()) > 1:
        raise StepFailed(
            f'the path {str(root)!r} has a space\nwhat to do: move the checkout, CMake gets lost'
        )
    if ros is None and (sys.platform != 'linux' or platform.machine() != 'x86_64'):
        raise StepFailed(
            f'no ROS 2 is sourced, and its wheels exist for Linux on x86_64 only, not {sys.platform} on '
            f'{platform.machine()}\nwhat to do: install ROS 2, source it and run again, or see docker/'
        )
    free = shutil.disk_usage(root).free
    if free < SPACE and not (root / '.venv').exists():
        raise StepFailed(f'{free / 1e9:.1f} GB free on the disk of {root}; expected {SPACE / 1e9:.0f} GB')
