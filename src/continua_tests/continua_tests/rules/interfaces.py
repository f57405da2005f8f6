"""Every number in a message, service or action says its unit, and every header its stamp and frame."""

import re
from collections.abc import Iterator
from pathlib import Path

from continua_tests.rules.repository import Repository, Violation

__all__ = ['headers', 'units']

_KINDS = ('msg', 'srv', 'action')
_FIELD = re.compile(r'(?P<type>[A-Za-z][\w/]*)(\[.*?\])?\s+(?P<name>[a-z]\w*)\s*(#.*)?$')
_NUMBER = re.compile(r'(u?int\d+|float\d+|byte|char)$')
_UNIT = re.compile(r'\[.+\]')


def units(repository: Repository) -> Iterator[Violation]:
    """The comment above every numeric field of an interface gives its unit in brackets, such as [N]."""
    for path, line, type_, name, comment in _fields(repository):
        if _NUMBER.match(type_) and not _UNIT.search(comment):
            yield Violation(path, line, f'{name}: say its unit above, such as `# [N] Measured tension.`')


def headers(repository: Repository) -> Iterator[Violation]:
    """The comment above every header says what stamp and frame_id mean."""
    for path, line, type_, name, comment in _fields(repository):
        if type_ == 'std_msgs/Header' and not ('Stamp' in comment and 'frame_id' in comment):
            sentence = f'{name}: say above what is stamped and in which frame, `# Stamp: ... frame_id: ...`'
            yield Violation(path, line, sentence)


def _fields(repository: Repository) -> Iterator[tuple[Path, int, str, str, str]]:
    """(file, line, type, name, comment directly above) of each field, constants left out."""
    for path in sorted(path for kind in _KINDS for path in repository.root.glob(f'src/*/{kind}/*.{kind}')):
        comment = ''
        for number, line in enumerate(path.read_text().splitlines(), 1):
            field = _FIELD.match(line)
            if field:
                yield path, number, field['type'], field['name'], comment
            comment = comment + line if line.startswith('#') else ''
