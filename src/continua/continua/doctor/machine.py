"""Checks of the machine: Python, build tools, disk, the cache of compiled kernels, serial ports."""

import getpass
import glob
import grp
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from continua.doctor.finding import Finding, fail, ok, warn

__all__ = ['build_tools', 'disk', 'kernel_cache', 'python', 'serial']

OLDEST_PYTHON = (3, 10)
OLDEST_CMAKE = (3, 19)
SERIAL_PORTS = ('/dev/ttyACM*', '/dev/ttyUSB*')
LITTLE_SPACE, NO_SPACE = 5e9, 0.5e9  # bytes


def python() -> Finding:
    """The interpreter's version."""
    found = f'{platform.python_version()} ({sys.executable})'
    if sys.version_info[:2] < OLDEST_PYTHON:
        return fail(found, 'install Python 3.10 or later, then `make setup PYTHON=/path/to/python3`')
    return ok(found)


def build_tools() -> Finding:
    """Compiler and CMake: needed to build the messages and the emulated board, not to run them."""
    remedy = 'sudo apt install gcc g++ cmake make'
    missing = [tool for tool in ('gcc', 'g++', 'cmake', 'make') if not shutil.which(tool)]
    if missing:
        return warn(f'no {", ".join(missing)}; what is built runs, but nothing can be built', remedy)
    versions = {tool: _version(tool) for tool in ('g++', 'cmake')}
    found = ', '.join(f'{tool} {version}' for tool, version in versions.items())
    if tuple(int(number) for number in versions['cmake'].split('.')[:2]) < OLDEST_CMAKE:
        return warn(f'{found}; expected CMake 3.19 or later', 'pip install cmake')
    return ok(found)


def _version(tool: str) -> str:
    output = subprocess.run([tool, '--version'], capture_output=True, text=True, check=True).stdout
    return re.search(r'\d+\.\d+(\.\d+)?', output.splitlines()[0].rpartition(')')[2])[0]


def disk() -> Finding:
    """Free space where `runs/` would be written: a bag without cameras takes about 1 MB a second."""
    here = Path.cwd()
    free = shutil.disk_usage(here).free
    found = f'{free / 1e9:.1f} GB free at {here}'
    if free < NO_SPACE:
        return fail(found, 'free some space: a recording would be cut off')
    if free < LITTLE_SPACE:
        return warn(found, 'free some space before recording cameras or long runs')
    return ok(found)


def kernel_cache() -> Finding:
    """The folder in which numba keeps compiled kernels."""
    from continua.jit import cache_folder

    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        remedy = 'set NUMBA_CACHE_DIR to a folder that you may write to'
        return warn(f'{error}: every start compiles all kernels anew, for minutes', remedy)
    kernels = len(list(folder.rglob('*.nbi')))
    return ok(f'{folder}, {kernels} kernels' if kernels else f'{folder}, empty: the first start compiles')


def serial() -> Finding:
    """Whether this user may open the serial ports of tendon and valve boards."""
    ports = sorted(port for pattern in SERIAL_PORTS for port in glob.glob(pattern))
    remedy = 'sudo usermod -aG dialout $USER, then log out and in again'
    closed = [port for port in ports if not os.access(port, os.R_OK | os.W_OK)]
    if closed:
        return warn(f'no permission to open {", ".join(closed)}', remedy)
    if ports:
        return ok(', '.join(ports))
    if os.getuid() == 0 or _in_group('dialout'):
        return ok('no board connected; permission is there')
    return warn(f'no board connected, and {getpass.getuser()} is not in the group dialout', remedy)


def _in_group(name: str) -> bool:
    try:
        return grp.getgrnam(name).gr_gid in os.getgroups()
    except KeyError:
        return True  # a system without that group guards its ports in another way
