"""The value types of a robot file: plain numbers, vectors and names with their plausible ranges.

Numbers are strict: no strings, no booleans, nothing infinite. Ranges are wide on purpose; they are
there to catch millimetres given as metres and megapascals given as pascals, not to judge designs.
"""

import math
from functools import partial
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)

from .errors import refusal

SEPARATION = 1e-5
"""Smallest distance in m between arc lengths that are to be told apart."""


class Description(BaseModel):
    """Base of everything in a robot file: immutable, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra='forbid')


def key(unit: str, meaning: str, **options: Any) -> Any:
    """A key of the robot file with its unit ('' for none) and meaning; `options` go to pydantic's Field."""
    return Field(description=meaning, json_schema_extra={'unit': unit}, **options)


def plausible(low: float, high: float, unit: str, fix: str) -> AfterValidator:
    """Refuse numbers outside [low, high] and say which slip of unit is likely."""
    return AfterValidator(partial(_within, low, high, unit, fix))


def _within(low: float, high: float, unit: str, fix: str, value: float) -> float:
    if not low <= value <= high:
        expected = f'{low:g} to {high:g} {unit}'.rstrip()
        raise refusal('the value is not plausible', expected, f'{value:g}', fix)
    return value


def bounds_of(validator: AfterValidator) -> tuple[float, float] | None:
    """The (low, high) that `plausible` was given, for the documentation; None for other validators."""
    checks = validator.func
    return checks.args[:2] if isinstance(checks, partial) and checks.func is _within else None


def count(low: int, high: int) -> AfterValidator:
    """Refuse lists of fewer than `low` or more than `high` items; looked at once every item is valid."""

    def check(items: tuple[Any, ...]) -> tuple[Any, ...]:
        if not low <= len(items) <= high:
            expected = f'{low} to {high} items' if low < high else f'exactly {low}'
            raise refusal('the list has the wrong length', expected, f'{len(items)}', 'add or remove items')
        return items

    return AfterValidator(check)


def _ordered(interval: tuple[float, float]) -> tuple[float, float]:
    if not interval[0] < interval[1]:
        fix = 'put the smaller one first'
        raise refusal('the interval is empty', '[low, high] with low < high', f'{list(interval)}', fix)
    return interval


def _increasing(values: tuple[float, ...]) -> tuple[float, ...]:
    for before, after in zip(values, values[1:], strict=False):
        if not after - before >= SEPARATION:
            raise refusal(
                'the values do not increase',
                f'each at least {SEPARATION:g} m above the one before',
                f'{after:g} after {before:g}',
                'sort them and remove repeated ones',
            )
    return values


def _unit_quaternion(q: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    norm = math.hypot(*q)
    if abs(norm - 1.0) > 1e-3:
        raise refusal(
            'the quaternion is not normalised',
            'norm 1 (within 0.001)',
            f'norm {norm:g}',
            'order is x, y, z, w; no rotation is [0, 0, 0, 1]',
        )
    # A quaternion that is already normalised stays bit for bit, so that written files read back equal.
    return q if abs(norm - 1.0) < 1e-12 else tuple(x / norm for x in q)


def _unit_vector(v: tuple[float, float, float]) -> tuple[float, float, float]:
    norm = math.hypot(*v)
    if abs(norm - 1.0) > 1e-3:
        raise refusal(
            'the vector is not a unit vector',
            'length 1 (within 0.001)',
            f'length {norm:g}',
            'divide it by its length; the x axis is [1, 0, 0]',
        )
    return v if abs(norm - 1.0) < 1e-12 else tuple(x / norm for x in v)


def plain_or_mapping(plain: Any, mapping: type[BaseModel]) -> Any:
    """The type of a key that takes a plain value or, in its place, a mapping."""
    choices = Annotated[plain, Tag('(plain)')] | Annotated[mapping, Tag('(mapping)')]
    return Annotated[choices, Discriminator(_plain_or_mapping)]


def _plain_or_mapping(value: Any) -> str:
    return '(mapping)' if isinstance(value, (dict, BaseModel)) else '(plain)'


def base_and_tip(value: Any) -> Any:
    """A number as the pair of it with itself."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (value, value) if is_number else value


# Adding zero turns -0.0 into 0.0: equal numbers must write, and hash, alike.
Number = Annotated[float, Field(strict=True, allow_inf_nan=False), AfterValidator(lambda x: x + 0.0)]
Integer = Annotated[int, Field(strict=True)]
Name = Annotated[str, StringConstraints(pattern=r'^[A-Za-z][A-Za-z0-9_]*$', max_length=64)]

_METRES = 'lengths are in metres: 250 mm is 0.25'
Length = Annotated[Number, plausible(1e-5, 10.0, 'm', _METRES)]
Coordinate = Annotated[Number, plausible(-10.0, 10.0, 'm', _METRES)]
ArcLength = Annotated[Number, plausible(0.0, 10.0, 'm', _METRES)]

Vector3 = tuple[Number, Number, Number]
UnitVector = Annotated[Vector3, AfterValidator(_unit_vector)]
Position = tuple[Coordinate, Coordinate, Coordinate]
Offset = tuple[Coordinate, Coordinate]
ORDERED = AfterValidator(_ordered)
ArcRange = Annotated[tuple[ArcLength, ArcLength], AfterValidator(_increasing)]
ArcLengths = Annotated[tuple[ArcLength, ...], AfterValidator(_increasing)]
Quaternion = Annotated[tuple[Number, Number, Number, Number], AfterValidator(_unit_quaternion)]
BaseToTip = Annotated[tuple[Length, Length], BeforeValidator(base_and_tip)]
"""One number, or [base, tip] with linear change between; always a pair once it is read."""
