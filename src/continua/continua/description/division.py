"""Divisions of a soft link: stretches with strain fields of their own, which may jump between them."""

from typing import Annotated, NamedTuple

from .basis import StrainBasis
from .fields import Description, Integer, Length, key, plausible

Points = Annotated[Integer, plausible(2, 200, '', 'twice the highest order is plenty; null chooses')]


class DivisionEntry(Description):
    """A stretch of the link, from the end of the division before it to `end`."""

    end: Length = key('m', 'arc length at which it ends; the last one ends at the tip')
    strain_basis: StrainBasis = key('', 'strain fields of the model in this division')
    quadrature_points: Points | None = key(
        '', 'Gauss points of this division; null lets the engine choose', default=None
    )


class Division(NamedTuple):
    """What the engine sees of a division: arc lengths in m, basis over [begin, end], Gauss points or None."""

    begin: float
    end: float
    basis: StrainBasis
    quadrature_points: int | None
