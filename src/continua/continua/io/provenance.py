"""Which software a result comes from."""

import subprocess
from importlib.metadata import version
from pathlib import Path

__all__ = ['software_version']


def software_version() -> str:
    """`git <hash>` of the source tree this package runs from, with `-dirty` when it holds changes that are
    not committed; `continua <version>` when it runs from an installation.
    """
    source = Path(__file__).resolve()
    try:
        # A tracked file: an installation inside some other repository's folder must not name that one.
        _git(source.parent, 'ls-files', '--error-unmatch', source.name)
        return f'git {_git(source.parent, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")}'
    except (OSError, subprocess.SubprocessError):
        return f'continua {version("continua")}'


def _git(folder: Path, *arguments: str) -> str:
    command = ['git', '-C', str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
