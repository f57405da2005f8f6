"""What Debian and Ubuntu split out of Python, fetched without root.

Their python3 has no pip to put into a virtual environment (it is in python3-venv) and no C headers
(python3-dev). Both are in packages that can be downloaded and unpacked by any user.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from step import StepFailed, run_step

# Before Python 3.12, pip may want a part of the standard library that is a package of its own, too.
PIP = ('python3-pip-whl', 'python3-distutils') if sys.version_info < (3, 12) else ('python3-pip-whl',)
HEADERS = f'libpython{sys.version_info.major}.{sys.version_info.minor}-dev'


def unpack(package: str, into: Path, log: Path) -> None:
    """Download a Debian package and unpack it into a folder; nothing is installed on the system.

    Raises StepFailed if this is not the system's Python of a Debian or if the download fails.
    """
    remedy = 'what to do: sudo apt install python3-dev python3-venv (or what your system calls them)'
    if sys.base_prefix != '/usr' or not shutil.which('apt-get') or not shutil.which('dpkg-deb'):
        raise StepFailed(f'{sys.executable} comes without its C headers or pip\n{remedy}')
    with tempfile.TemporaryDirectory() as folder:
        try:
            _download(package, Path(folder), log)
        except StepFailed as failure:
            raise StepFailed(f'{failure}\n{remedy}') from None
        (archive,) = Path(folder).glob('*.deb')
        into.mkdir(parents=True, exist_ok=True)
        subprocess.run(['dpkg-deb', '-x', archive, into], check=True)


def _download(package: str, folder: Path, log: Path) -> None:
    """Download with the system's package lists; where there are none, with lists of our own."""
    # Started by root, apt would download as the user _apt, who may not write into our folder.
    apt = ['apt-get', '-o', 'APT::Sandbox::User=root']
    try:
        run_step(f'fetch {package}', [*apt, 'download', package], log, cwd=folder)
    except StepFailed:
        for name in ('lists/partial', 'cache/archives/partial'):
            (folder / name).mkdir(parents=True)
        apt += ['-o', f'Dir::State::lists={folder}/lists', '-o', f'Dir::Cache={folder}/cache']
        run_step("read Debian's package lists", [*apt, 'update'], log)
        run_step(f'fetch {package}', [*apt, 'download', package], log, cwd=folder)
