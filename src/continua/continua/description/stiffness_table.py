"""Springs that are not linear."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import AfterValidator, model_validator

from .errors import Refusals, refusal
from .fields import Description, Number, count, key, plausible

Force = Annotated[Number, plausible(-1e9, 1e9, 'N m or N', 'forces are in N, moments in N m')]


def _strictly_increasing(values: tuple[float, ...]) -> tuple[float, ...]:
    for before, after in zip(values, values[1:], strict=False):
        if not after > before:
            raise refusal(
                'the values do not increase',
                'each above the one before',
                f'{after:g} after {before:g}',
                'sort them and remove repeated ones',
            )
    return values


class StiffnessTable(Description):
    """Restoring force of a spring over its displacement from rest: linear between, and on beyond the ends."""

    type: Literal['table'] = key('', 'kind of spring')
    coordinate: Annotated[tuple[Number, ...], count(2, 1000), AfterValidator(_strictly_increasing)] = key(
        'rad, m', 'displacements from rest, increasing'
    )
    force: tuple[Force, ...] = key(
        'N m, N', 'force that pulls back at each of them, with the sign of the stretch'
    )

    @model_validator(mode='after')
    def _one_force_per_coordinate(self) -> 'StiffnessTable':
        refusals = Refusals('StiffnessTable')
        if len(self.force) != len(self.coordinate):
            refusals.add(
                ('force',),
                self.force,
                'the lists differ in length',
                f'{len(self.coordinate)} forces, one per coordinate',
                f'{len(self.force)}',
                'give every coordinate one force',
            )
        refusals.raise_any()
        return self

    def force_at(self, displacement: ArrayLike) -> NDArray[np.float64]:
        """Restoring force in N m or N at `displacement` from rest, any shape."""
        x, f = np.array(self.coordinate), np.array(self.force)
        displacement = np.asarray(displacement, dtype=float)
        i = np.clip(np.searchsorted(x, displacement) - 1, 0, x.size - 2)
        return f[i] + (f[i + 1] - f[i]) / (x[i + 1] - x[i]) * (displacement - x[i])
