"""Finding the model and key that a location in a robot file belongs to."""

from typing import Any, NamedTuple, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .errors import Location


class Place(NamedTuple):
    """Where an error points: the location in the file, the model that owns its last key, and that key."""

    where: Location
    owner: type[BaseModel]
    field: FieldInfo | None


def place_of(root: type[BaseModel], loc: Location) -> Place:
    """Follow pydantic's `loc` from `root`, leaving out the tags of unions, which are not keys of the file."""
    where: list[str | int] = []
    candidates, owner, field = [root], root, None
    for part in loc:
        if isinstance(part, int):
            where.append(part)
        elif part.startswith('('):
            continue
        elif len(candidates) > 1 and (tagged := [each for each in candidates if part in tags(each)]):
            candidates = tagged
        else:
            where.append(part)
            owner = next((each for each in candidates if part in each.model_fields), (*candidates, owner)[0])
            field = owner.model_fields.get(part)
            candidates = submodels(field.annotation) if field else []
    return Place(tuple(where), owner, field)


def submodels(annotation: Any) -> list[type[BaseModel]]:
    """The models that occur in a type annotation, in order."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in submodels(argument)]


def tags(model: type[BaseModel]) -> tuple[str, ...]:
    """The values that select `model` among its alternatives, none if it has no alternatives."""
    name = selector_of(model)
    return get_args(model.model_fields[name].annotation) if name else ()


def selector_of(model: type[BaseModel]) -> str | None:
    """The key that selects `model` among its alternatives."""
    return next((name for name in ('type', 'shape') if name in model.model_fields), None)


def unit_of(field: FieldInfo) -> str:
    """The unit of a key, '' if it has none."""
    return field.json_schema_extra['unit']
