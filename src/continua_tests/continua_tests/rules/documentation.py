"""What README and pages name exists: files, make targets, `continua` commands, launch files and arguments."""

import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

from continua_bringup.launch.expansion import declared_arguments
from continua_tests.rules.repository import Repository, Violation

__all__ = ['commands', 'files', 'launch_arguments']

_LINK = re.compile(r'\]\((?!\w+:|#)([^)#\s]+)')
_QUOTED = re.compile(r'`([^`\n]+)`')
_MAKE = re.compile(r'(?:^|[`$;&] ?)make ((?:[a-z]+\b(?!=) ?)+)')
_CONTINUA = re.compile(r'(?:^|[`$;&] ?)continua ([a-z]\w*)')
_LAUNCH = re.compile(
    r'(?:continua launch|ros2 launch continua_bringup) ([\w/]+)(?:\.launch\.xml)?((?: \w+:=\S+)*)'
)
# Made by commands, not part of the repository.
_MADE = ('runs', 'build', 'install', 'log', '.venv')


def files(repository: Repository) -> Iterator[Violation]:
    """Linked files, and quoted paths that begin with a folder of this repository, exist."""
    folders = {path.name for path in repository.root.iterdir() if path.is_dir()} - set(_MADE)
    for page, number, line in _lines(repository):
        for target in _LINK.findall(line):
            if not (page.parent / target).exists():
                yield Violation(page, number, f'links to {target}, which does not exist')
        for path in _QUOTED.findall(line):
            is_ours = path.partition('/')[0] in folders and '/' in path
            if is_ours and not re.search(r'[*<>{} $]', path) and not (repository.root / path).exists():
                yield Violation(page, number, f'names {path}, which does not exist')


def commands(repository: Repository) -> Iterator[Violation]:
    """Make targets and `continua` commands exist."""
    targets = set(re.findall(r'^([a-z]+):', (repository.root / 'Makefile').read_text(), re.MULTILINE))
    known = entry_points(group='continua.commands').names
    for page, number, line in _lines(repository):
        for target in ' '.join(_MAKE.findall(line)).split():
            if target not in targets:
                yield Violation(page, number, f'`make {target}`: targets are {", ".join(sorted(targets))}')
        for command in _CONTINUA.findall(line):
            if command not in known:
                yield Violation(
                    page, number, f'`continua {command}`: commands are {", ".join(sorted(known))}'
                )


def launch_arguments(repository: Repository) -> Iterator[Violation]:
    """Launch files exist and declare the arguments that are shown with them."""
    for page, number, line in _lines(repository):
        for name, arguments in _LAUNCH.findall(line):
            path = repository.root / ('' if '/' in name else 'launch') / f'{name}.launch.xml'
            if not path.exists():
                yield Violation(page, number, f'{path.relative_to(repository.root)} does not exist')
                continue
            given = dict(word.split(':=') for word in arguments.split())
            known = {argument.name for argument in declared_arguments(str(path), given)[0]}
            for argument in given:
                if argument not in known:
                    sentence = f'{path.name} has no argument {argument}; it has {", ".join(sorted(known))}'
                    yield Violation(page, number, sentence)


def _lines(repository: Repository) -> Iterator[tuple[Path, int, str]]:
    pages = [repository.root / 'README.md', *sorted((repository.root / 'docs').rglob('*.md'))]
    for page in pages:
        for number, line in enumerate(page.read_text().splitlines() if page.exists() else (), 1):
            yield page, number, line.strip()
