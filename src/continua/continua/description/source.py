"""Robot file text -> plain data with the line of every key.

The text is YAML 1.2 without tags and merge keys: `1e6` is a number, `no` is a string. Duplicate keys are
errors. Size, depth and the expansion of aliases are bounded, because files come from other people.
"""

import re
from typing import Any

import yaml

from .errors import Location, Problem, RobotFileError

MAX_BYTES = 256 * 1024
MAX_NODES = 20_000

_TOO_DEEP = 'the file is nested too deeply, or an alias contains itself'
_TAG = 'tag:yaml.org,2002:'

_TAGS = {_TAG + kind for kind in ('map', 'seq', 'str', 'null', 'bool', 'int', 'float')}


class _Loader(yaml.SafeLoader):
    """Composes nodes only; plain scalars resolve by the core schema of YAML 1.2."""

    yaml_implicit_resolvers: dict = {}


for _name, _pattern, _first in (
    ('null', r'~|null|Null|NULL|', ['~', 'n', 'N', '']),
    ('bool', r'true|True|TRUE|false|False|FALSE', list('tTfF')),
    ('int', r'[-+]?[0-9]+', list('-+0123456789')),
    (
        'float',
        r'[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)',
        list('-+.0123456789'),
    ),
):
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(rf'^(?:{_pattern})$'), _first)


class Source:
    """The data of a robot file and the line at which each key of it stands."""

    def __init__(self, text: str, file: str) -> None:
        """Read `text`; RobotFileError names `file` and the line of everything that is not readable."""
        self.file = file
        self._lines: dict[Location, int] = {}
        self._problems: list[Problem] = []
        self._nodes = 0
        if len(text.encode(errors='surrogatepass')) > MAX_BYTES:
            raise self._refused(None, 'the file is too large', expected=f'at most {MAX_BYTES} bytes')
        root = self._compose(text)
        try:
            self.data = self._plain(root, ())
        except RecursionError:
            raise self._refused(None, _TOO_DEEP) from None
        if self._problems:
            raise RobotFileError(self._problems)

    def line(self, where: Location) -> int | None:
        """Line of the key at `where`, or of the nearest key above it that the file has."""
        for n in range(len(where), -1, -1):
            if where[:n] in self._lines:
                return self._lines[where[:n]]
        return None

    def _note(self, line: int, where: Location, what: str, fix: str = '') -> None:
        self._problems.append(Problem(self.file, line, dotted(where), what, fix=fix))

    def _refused(self, line: int | None, what: str, **details: str) -> RobotFileError:
        return RobotFileError([Problem(self.file, line, '', what, **details)])

    def _compose(self, text: str) -> yaml.Node:
        try:
            root = yaml.compose(text, Loader=_Loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else None
            what = ', '.join(part for part in (error.context, error.problem) if part)
            fix = 'check indentation, brackets, colons and quotes at this line and above'
            raise self._refused(line, f'this is not YAML: {what}', fix=fix) from None
        except yaml.YAMLError as error:
            raise self._refused(None, f'this is not YAML: {error}') from None
        except RecursionError:
            raise self._refused(None, _TOO_DEEP) from None
        if not isinstance(root, yaml.MappingNode):
            got = 'an empty file' if root is None else f'a {root.id}'
            expected = 'keys such as version, name and links'
            raise self._refused(1, 'this is not a robot file', expected=expected, got=got)
        return root

    def _plain(self, node: yaml.Node, where: Location) -> Any:
        """Data of `node`, noting lines and problems."""
        line = node.start_mark.line + 1
        self._lines.setdefault(where, line)
        self._nodes += 1
        if self._nodes > MAX_NODES:
            what = 'the file is too large with its aliases written out'
            raise self._refused(line, what, expected=f'at most {MAX_NODES} values')
        if node.tag not in _TAGS:
            self._note(line, where, f'the tag {node.tag.replace(_TAG, "!!")} is not allowed', fix='remove it')
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, where)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item, (*where, i)) for i, item in enumerate(node.value)]
        return self._scalar(node, where)

    def _mapping(self, node: yaml.MappingNode, where: Location) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._note(line, where, 'a key must be a word, not a list or mapping')
                continue
            key = key_node.value
            here = (*where, key)
            if key in data:
                what = f'the key stands here and in line {self._lines[here]}'
                self._note(line, here, what, fix='keep one of the two')
                continue
            self._lines[here] = line
            data[key] = self._plain(value_node, here)
        return data

    def _scalar(self, node: yaml.ScalarNode, where: Location) -> Any:
        kind, text = node.tag.removeprefix(_TAG), node.value
        try:
            match kind:
                case 'str':
                    return text
                case 'null':
                    return None
                case 'bool':
                    return text.lower() == 'true'
                case 'int':
                    return int(text)
                case 'float':
                    return float(text.lower().replace('.inf', 'inf').replace('.nan', 'nan'))
        except ValueError:
            pass
        self._note(node.start_mark.line + 1, where, f'{text[:40]!r} cannot be read as {kind}')
        return None


def dotted(where: Location) -> str:
    """A location as people write it: ('tendons', 2, 'path') -> 'tendons[2].path'."""
    text = ''
    for part in where:
        text += f'[{part}]' if isinstance(part, int) else f'.{part}' if text else part
    return text
