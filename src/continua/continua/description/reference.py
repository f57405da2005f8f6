"""The tables of docs/robot_file.md, from the models: `python -m continua.description.reference PAGE`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from .fields import base_and_tip, bounds_of
from .joint import FixedJoint
from .robot import Robot
from .schema import selector_of, submodels, tags, unit_of

BEGIN, END = '<!-- keys: begin -->', '<!-- keys: end -->'
"""Lines of the page between which the tables stand."""


def tables() -> str:
    """Markdown with one table for every kind of mapping in a robot file."""
    first_place: dict[type[BaseModel], str] = {}
    for place, model in _mappings(Robot, ''):
        first_place.setdefault(model, place)
    return '\n'.join(_table(place, model) for model, place in first_place.items())


def updated(page: str) -> str:
    """The page with its tables replaced by those of the models as they are now."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f'{before}{BEGIN}\n{tables()}{END}{after}'


def _mappings(model: type[BaseModel], place: str, choice: str = '') -> Iterator[tuple[str, type[BaseModel]]]:
    """Every mapping under `model` with its place in the file, depth first."""
    yield place + choice, model
    for name, field in model.model_fields.items():
        below = f'{place}.{name}' if place else name
        if _is_list(field.annotation):
            below += '[]'
        children = submodels(field.annotation)
        for child in children:
            yield from _mappings(child, below, f' ({_selector(child)})' if len(children) > 1 else '')


def _selector(model: type[BaseModel]) -> str:
    """What selects `model` among its alternatives: 'type: revolute or prismatic'."""
    return f'{selector_of(model)}: ' + ' or '.join(tags(model))


def _is_list(annotation: Any) -> bool:
    if get_origin(annotation) is UnionType:
        return any(_is_list(each) for each in get_args(annotation))
    return get_origin(annotation) is tuple and bool(submodels(annotation))


def _table(place: str, model: type[BaseModel]) -> str:
    lines = [f'### {place or "The file"}', '', model.__doc__.splitlines()[0], '']
    lines += ['| key | type | range | unit | default | meaning |', '|---|---|---|---|---|---|']
    for name, field in model.model_fields.items():
        annotation = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        cells = [_type(annotation), _range(annotation), unit_of(field), _default(field), field.description]
        lines.append(f'| `{name}` | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines) + '\n'


def _type(annotation: Any) -> str:
    """A type annotation in the words of someone who writes YAML."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        befores = [each.func for each in arguments[1:] if isinstance(each, BeforeValidator)]
        or_number = base_and_tip in befores
        return ('number or ' if or_number else '') + _type(arguments[0])
    if origin in (Union, UnionType):
        return ' or '.join(dict.fromkeys(_type(each) for each in arguments))
    if origin is Literal:
        return ' or '.join(f'`{each}`' for each in arguments)
    if origin is tuple:
        count = '' if Ellipsis in arguments else f'{len(arguments)} '
        item = _type(arguments[0])
        return f'list of {count}' + (item.replace('list', 'lists', 1) if 'list' in item else item + 's')
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return 'mapping'
    return {float: 'number', int: 'integer', str: 'name', NoneType: 'null'}[annotation]


def _range(annotation: Any) -> str:
    """The plausible range of the numbers in an annotation, '' where there is none."""
    for argument in get_args(annotation):
        bounds = bounds_of(argument) if isinstance(argument, AfterValidator) else None
        words = f'{bounds[0]:g} to {bounds[1]:g}' if bounds else _range(argument)
        if words:
            return words
    return ''


def _default(field: FieldInfo) -> str:
    if field.default_factory is not None:
        return 'as `start`'
    if field.default is PydanticUndefined:
        return 'required'
    if isinstance(field.default, FixedJoint):
        return f'`{{type: {field.default.type}}}`'
    if isinstance(field.default, BaseModel):
        return 'each key its default'
    return f'`{_yaml(field.default)}`'


def _yaml(value: Any) -> str:
    if value is None:
        return 'null'
    if isinstance(value, tuple):
        return '[' + ', '.join(_yaml(each) for each in value) + ']'
    return f'{value:g}' if isinstance(value, float) else str(value)


if __name__ == '__main__':
    page = Path(sys.argv[1])
    page.write_text(updated(page.read_text(encoding='utf-8')), encoding='utf-8')
