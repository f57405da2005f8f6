"""What no file of this repository may hold, and how long it may be."""

import re
from collections.abc import Iterator
from pathlib import Path

from continua_tests.rules.repository import Repository, Violation

__all__ = ['finished', 'portable', 'short']

LONGEST = 400
_PLACES = ('src', 'launch', 'config', 'hardware', 'requirements', 'docker', 'docs')
_FILES = ('Makefile', 'env.sh', 'colcon.meta', 'pyproject.toml', 'README.md')
_UNFINISHED = re.compile(r'\b(TO' + r'DO|FIX' + r'ME|XX' + r'X|TB' + r'D|place' + r'holder)\b', re.IGNORECASE)
_MACHINE_PATH = re.compile(r'(?<![\w.$}])/(home|root|work|Users|mnt|media)/\w')


def short(repository: Repository) -> Iterator[Violation]:
    """A Python file has fewer than 400 lines; one that grows longer does two things."""
    for path in sorted(repository.root.glob('src/**/*.py')):
        lines = len(path.read_text().splitlines())
        if lines >= LONGEST:
            yield Violation(
                path, lines, f'{lines} lines, expected fewer than {LONGEST} - split it by subject'
            )


def finished(repository: Repository) -> Iterator[Violation]:
    """Nothing is marked as unfinished: what is missing is an issue, not a comment."""
    for path, number, line in _lines(repository):
        found = _UNFINISHED.search(line)
        if found:
            yield Violation(path, number, f'{found[0]!r} marks unfinished work - finish it or write an issue')


def portable(repository: Repository) -> Iterator[Violation]:
    """No path of one person's machine; tests of how paths are treated may make some up."""
    for path, number, line in _lines(repository):
        found = _MACHINE_PATH.search(line)
        if found and 'test' not in path.relative_to(repository.root).parts:
            sentence = f'{found[0]}... is a path of one machine - use a parameter, $(find-pkg-share ...) or ~'
            yield Violation(path, number, sentence)


def _lines(repository: Repository) -> Iterator[tuple[Path, int, str]]:
    for path in _text_files(repository.root):
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            yield path, number, line


def _text_files(root: Path) -> Iterator[Path]:
    paths = [path for place in _PLACES for path in sorted((root / place).rglob('*'))]
    for path in [*paths, *(root / name for name in _FILES)]:
        is_generated = any(
            part in ('__pycache__', '.hypothesis') or part.endswith('.egg-info') for part in path.parts
        )
        if path.is_file() and not is_generated and b'\0' not in path.read_bytes():
            yield path
