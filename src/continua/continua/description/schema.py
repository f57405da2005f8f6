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
        elif len(candidates) > 1:
            candidates = [each for each in candidates if part in tags(each)]
        else:
            where.append(part)
            owner = candidates[0] if candidates else owner
            field = owner.model_fields.get(part)
            candidates = submodels(field.annotation) if field else []
    return Place(tuple(where), owner, field)


def submodels(annotation: Any) -> list[type[BaseModel]]:
    """The models that occur in a type annotation, in order."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in submodels(argument)]


def tags(model: type[BaseModel]) -> tuple[str, ...]:
    """The values of `type` that select `model` among its alternatives."""
    return get_args(model.model_fields['type'].annotation) if 'type' in model.model_fields else ()


def unit_of(field: FieldInfo) -> str:
    """The unit of a key, '' if it has none."""
    return field.json_schema_extra['unit']
