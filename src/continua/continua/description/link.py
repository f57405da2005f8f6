"""Soft links: geometry, material and the strain fields that the model may use."""

import math
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import AfterValidator, field_validator, model_validator

from .errors import Refusals, refusal
from .fields import Description, Integer, Length, Name, Number, key, plausible
from .material import Material
from .section import CircularSection

SLENDER = 0.2
"""Largest radius / length for which a rod model means anything."""

Order = Annotated[Integer, plausible(0, 20, '', 'the order is the degree of the highest polynomial')]
Strain = Annotated[Number, plausible(-1e4, 1e4, '', 'curvatures are in 1/m, stretch and shear near 1 and 0')]
Strains = tuple[Strain, Strain, Strain, Strain, Strain, Strain]
Points = Annotated[Integer, plausible(2, 200, '', 'twice the highest order is plenty; null chooses')]


class StrainOrders(Description):
    """Polynomial order of each strain field; null forbids that strain."""

    torsion: Order | None = key('', 'order of the twist kx', default=None)
    bending_y: Order | None = key('', 'order of the curvature ky', default=None)
    bending_z: Order | None = key('', 'order of the curvature kz', default=None)
    elongation: Order | None = key('', 'order of the stretch lx', default=None)
    shear_y: Order | None = key('', 'order of the shear ly', default=None)
    shear_z: Order | None = key('', 'order of the shear lz', default=None)

    def in_strain_order(self) -> tuple[int | None, ...]:
        """The orders in the order of the strain vector [kx, ky, kz, lx, ly, lz]."""
        return (self.torsion, self.bending_y, self.bending_z, self.elongation, self.shear_y, self.shear_z)


def _some_strain(order: StrainOrders) -> StrainOrders:
    if all(each is None for each in order.in_strain_order()):
        raise refusal(
            'no strain is allowed, the link could not move',
            'an order for at least one strain',
            'null for all six',
            'give bending_y and bending_z an order, say 4',
        )
    return order


class StrainBasis(Description):
    """The polynomials that span the strain fields of a link."""

    type: Literal['legendre'] = key('', 'family of polynomials, on the whole link')
    order: Annotated[StrainOrders, AfterValidator(_some_strain)] = key('', 'order of each of the six strains')

    @property
    def dof(self) -> int:
        """Generalised coordinates: order + 1 for each strain that is allowed."""
        return sum(order + 1 for order in self.order.in_strain_order() if order is not None)


class SoftLink(Description):
    """A slender soft body along the local x axis, from arc length 0 at its base to `length` at its tip."""

    name: Name = key('', 'name, unique among the links')
    type: Literal['soft'] = key('', 'kind of link')
    length: Length = key('m', 'length of the centre line in the reference shape')
    section: CircularSection = key('', 'cross-section')
    material: Material = key('', 'material')
    strain_basis: StrainBasis = key('', 'strain fields of the model')
    quadrature_points: Points | None = key(
        '', 'Gauss points along the link; null lets the engine choose from the orders', default=None
    )
    reference_strain: Strains = key(
        '1/m, -',
        'stress-free strain [kx, ky, kz, lx, ly, lz]; the default is straight',
        default=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    )

    @field_validator('reference_strain')
    @classmethod
    def _tangent_points_forward(cls, strain: Strains) -> Strains:
        if strain[3] <= 0.0:
            raise refusal(
                'the reference shape does not advance along its own x axis',
                'lx > 0, the fourth number',
                f'{strain[3]:g}',
                'the order is [kx, ky, kz, lx, ly, lz]; straight is [0, 0, 0, 1, 0, 0]',
            )
        return strain

    @model_validator(mode='after')
    def _is_slender(self) -> 'SoftLink':
        refusals = Refusals('SoftLink')
        radius = max(self.section.radius)
        if radius > SLENDER * self.length:
            refusals.add(
                ('section', 'radius'),
                self.section.radius,
                'the link is too thick for a rod model',
                f'at most {SLENDER:g} of the length, {SLENDER * self.length:g} m',
                f'{radius:g} m with length {self.length:g} m',
                'check both for a slip of unit (metres) or a diameter given as radius',
            )
        curvature = math.hypot(self.reference_strain[1], self.reference_strain[2])
        if curvature * radius >= self.reference_strain[3]:
            refusals.add(
                ('reference_strain',),
                self.reference_strain,
                'the reference curvature folds the section into itself',
                f'less than lx / radius, {self.reference_strain[3] / radius:g} 1/m',
                f'{curvature:g} 1/m',
                'curvatures ky, kz are in 1/m: one over the radius of the bend',
            )
        refusals.raise_any()
        return self

    def radius(self, X: ArrayLike) -> NDArray[np.float64]:
        """Radius of the section in m at arc length X in m, any shape."""
        return self.section.radius_at(np.asarray(X) / self.length)

    def area(self, X: ArrayLike) -> NDArray[np.float64]:
        """Area of the section in m2 at arc length X in m, any shape."""
        return self.section.area(np.asarray(X) / self.length)

    def second_moments(self, X: ArrayLike) -> NDArray[np.float64]:
        """Second moments of area [Jx, Iy, Iz] in m4 at arc length X in m: (..., 3)."""
        return self.section.second_moments(np.asarray(X) / self.length)
