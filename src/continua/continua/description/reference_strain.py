"""The stress-free strain of a soft link: constant, or tabulated along it."""

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import AfterValidator, model_validator

from .errors import Refusals, refusal
from .fields import ArcLengths, Description, Number, count, key, plain_or_mapping, plausible

Strain = Annotated[Number, plausible(-1e4, 1e4, '', 'curvatures are in 1/m, stretch and shear near 1 and 0')]


def _points_forward(strain: tuple[float, ...]) -> tuple[float, ...]:
    if strain[3] <= 0.0:
        raise refusal(
            'the reference shape does not advance along its own x axis',
            'lx > 0, the fourth number',
            f'{strain[3]:g}',
            'the order is [kx, ky, kz, lx, ly, lz]; straight is [0, 0, 0, 1, 0, 0]',
        )
    return strain


Strains = Annotated[tuple[Strain, Strain, Strain, Strain, Strain, Strain], AfterValidator(_points_forward)]


class StrainTable(Description):
    """Strain at some arc lengths, linear between them."""

    arc_length: Annotated[ArcLengths, count(2, 1000)] = key(
        'm', 'arc lengths, from 0 to the length of the link'
    )
    strain: tuple[Strains, ...] = key('1/m, -', 'strain [kx, ky, kz, lx, ly, lz] at each of them')

    @model_validator(mode='after')
    def _one_strain_per_arc_length(self) -> 'StrainTable':
        refusals = Refusals('StrainTable')
        if len(self.strain) != len(self.arc_length):
            refusals.add(
                ('strain',),
                self.strain,
                'the lists differ in length',
                f'{len(self.arc_length)} strains, one per arc_length',
                f'{len(self.strain)}',
                'give every arc length one list of six numbers',
            )
        refusals.raise_any()
        return self


ReferenceStrain = plain_or_mapping(Strains, StrainTable)


def strain_at(reference: 'Strains | StrainTable', X: ArrayLike) -> NDArray[np.float64]:
    """Reference strain (m, 6) at arc lengths X (m,) in m."""
    X = np.asarray(X, dtype=float)
    if not isinstance(reference, StrainTable):
        return np.tile(np.array(reference), (X.size, 1))
    columns = np.array(reference.strain).T
    return np.column_stack([np.interp(X, reference.arc_length, column) for column in columns])
