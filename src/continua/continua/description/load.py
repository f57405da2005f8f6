"""Robot files -> `Robot`, and pydantic's complaints -> sentences with file, line, key and remedy."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from .errors import Problem, RobotFileError, did_you_mean
from .robot import Robot
from .schema import Place, place_of, submodels, tags, unit_of
from .source import MAX_BYTES, Source, dotted

SHOWN_VALUE = 60
"""Characters of a wrong value that a message quotes."""


def load_robot(path: str | Path) -> Robot:
    """Read the robot file at `path`; RobotFileError (a ValueError) lists everything that is wrong with it."""
    path = Path(path)
    if not path.is_file():
        what = 'this is not a file' if path.exists() else 'there is no such file'
        near = sorted(each.name for each in path.parent.glob('*.yaml'))
        raise _unreadable(path, None, what, did_you_mean(path.name, near) if near else '')
    try:
        with path.open('rb') as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, None, f'the file cannot be read: {error.strerror}') from None
    try:
        text = content.decode('utf-8')
    except UnicodeDecodeError as error:
        line = content.count(b'\n', 0, error.start) + 1
        raise _unreadable(path, line, 'this is not text in UTF-8') from None
    return parse_robot(text, str(path))


def parse_robot(text: str, file: str = '<text>') -> Robot:
    """The robot that `text` describes; `file` is the name used in messages. Raises RobotFileError."""
    source = Source(text, file)
    try:
        return Robot.model_validate(source.data)
    except ValidationError as error:
        details = [each for each in error.errors() if each['type'] != 'default_factory_not_called']
        # A file of another version is not worth comparing with the keys of this one.
        details = [each for each in details if _is_version(each)] or details
        # Each missing number of one list is a detail of its own; the reader needs it once.
        raise RobotFileError(dict.fromkeys(_problem(source, detail) for detail in details)) from None


def _unreadable(path: Path, line: int | None, what: str, fix: str = '') -> RobotFileError:
    return RobotFileError([Problem(str(path), line, '', what, fix=fix)])


def _is_version(detail: dict[str, Any]) -> bool:
    return detail['loc'] == ('version',) and detail['type'] == 'refusal'


def _problem(source: Source, detail: dict[str, Any]) -> Problem:
    place = place_of(Robot, detail['loc'])
    where = place.where
    if detail['type'].startswith('union_tag'):
        where = (*where, detail['ctx']['discriminator'].strip("'"))
    if detail['type'] == 'missing' and isinstance(where[-1], int):
        where = where[:-1]
    return Problem(source.file, source.line(where), dotted(where), *_explain(detail, place))


def _explain(detail: dict[str, Any], place: Place) -> tuple[str, str, str, str]:
    """What is wrong, what was expected, what was found, and the likely fix."""
    context, value = detail.get('ctx', {}), detail['input']
    match detail['type']:
        case 'refusal':
            return context['what'], context['expected'], context['got'], context['fix']
        case 'missing' if isinstance(place.where[-1], int):
            return 'the list is too short', _meaning(place), _shown(value), 'add what is missing'
        case 'too_long':
            return 'the list is too long', f'{context["max_length"]} items', _shown(value), _meaning(place)
        case 'missing':
            return 'this key is missing', _meaning(place), '', f'add `{place.where[-1]}: ...`'
        case 'extra_forbidden':
            return 'unknown key', '', '', did_you_mean(str(place.where[-1]), place.owner.model_fields)
        case 'union_tag_not_found':
            return (
                'this key is missing',
                ' or '.join(_types(place)),
                '',
                f'add `{context["discriminator"].strip(chr(39))}: ...`',
            )
        case 'union_tag_invalid':
            return _not_an_option(context['tag'], _types(place))
        case 'literal_error':
            return _not_an_option(value, get_args(place.field.annotation))
        case 'model_type' | 'model_attributes_type':
            keys = ', '.join(submodels(place.field.annotation)[0].model_fields)
            return 'the value is not valid', f'a mapping with the keys {keys}', _shown(value), _meaning(place)
    expected = detail['msg'].removeprefix('Input should be ')
    return 'the value is not valid', expected, _shown(value), _meaning(place)


def _not_an_option(value: Any, options: Iterable[str]) -> tuple[str, str, str, str]:
    options = list(options)
    return 'unknown kind', ' or '.join(options), _shown(value), did_you_mean(str(value), options)


def _types(place: Place) -> list[str]:
    return [tag for model in submodels(place.field.annotation) for tag in tags(model)]


def _meaning(place: Place) -> str:
    if place.field is None:
        return ''
    unit = unit_of(place.field)
    return place.field.description + (f' [{unit}]' if unit else '')


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return 'a mapping with the keys ' + ', '.join(map(str, value)) if value else 'an empty mapping'
    text = repr(value)
    return text if len(text) <= SHOWN_VALUE else text[: SHOWN_VALUE - 3] + '...'
