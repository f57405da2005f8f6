"""Soft links: geometry, material and the strain fields that the model may use."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import model_validator

from .basis import StrainBasis
from .division import Division, DivisionEntry, Points
from .errors import Refusals
from .fields import SEPARATION, Length, Number, key, plausible
from .link import LinkBase
from .material import Material
from .reference_strain import ReferenceStrain, StrainTable, strain_at
from .section import Section

SLENDER = 0.2
"""Largest distance from centre line to skin / length for which a rod model means anything."""

ROUNDING = 1e-6
"""Relative overshoot that is rounding, not routing: a point on the skin is inside."""

Factor = Annotated[
    Number, plausible(1e-6, 1e6, '', 'factors multiply the stiffness and are positive; 1 is none')
]
Factors = tuple[Factor, Factor, Factor, Factor, Factor, Factor]


class SoftLink(LinkBase):
    """A slender soft body along the local x axis, from arc length 0 at its base to `length` at its tip."""

    type: Literal['soft'] = key('', 'kind of link')
    length: Length = key('m', 'length of the centre line in the reference shape')
    section: Section = key('', 'cross-section')
    material: Material = key('', 'material')
    stiffness_factor: Factors = key(
        '',
        'factor on the stiffness of each strain [kx, ky, kz, lx, ly, lz], from measurement',
        default=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    )
    strain_basis: StrainBasis | None = key(
        '', 'strain fields of the model, on the whole link; either this or `divisions`', default=None
    )
    divisions: tuple[DivisionEntry, ...] | None = key(
        '', 'stretches with strain fields of their own; either these or `strain_basis`', default=None
    )
    quadrature_points: Points | None = key(
        '', 'Gauss points along the link; null lets the engine choose from the orders', default=None
    )
    reference_strain: ReferenceStrain = key(
        '1/m, -',
        'stress-free strain [kx, ky, kz, lx, ly, lz]; the default is straight',
        default=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    )

    @model_validator(mode='after')
    def _is_a_rod(self) -> 'SoftLink':
        refusals = Refusals('SoftLink')
        self._check_divisions(refusals)
        self._check_slender(refusals)
        self._check_reference(refusals)
        refusals.raise_any()
        return self

    def _check_divisions(self, refusals: Refusals) -> None:
        if self.strain_basis is None and not self.divisions:
            what, expected = 'this key is missing', 'strain fields of the model, or `divisions`'
            refusals.add(('strain_basis',), None, what, expected, 'neither', 'add `strain_basis: ...`')
            return
        if not self.divisions:
            return
        for name in ('strain_basis', 'quadrature_points'):
            if getattr(self, name) is not None:
                what, fix = 'the link has divisions', f'move `{name}` into the divisions'
                refusals.add((name,), getattr(self, name), what, 'null beside `divisions`', 'both', fix)
        begin = 0.0
        for i, division in enumerate(self.divisions):
            where, fix = ('divisions', i, 'end'), 'ends are arc lengths from the base of the link, increasing'
            if division.end - begin < SEPARATION:
                expected, got = f'an end beyond {begin:g} m', f'{division.end:g} m'
                refusals.add(where, division.end, 'the division has no length', expected, got, fix)
            begin = division.end
        if abs(begin - self.length) > 1e-9:
            what, expected, got = 'the divisions do not end at the tip', f'{self.length:g} m', f'{begin:g} m'
            refusals.add(where, begin, what, expected, got, fix)

    def _check_slender(self, refusals: Refusals) -> None:
        radius = float(np.max(self.radius([0.0, self.length])))
        if radius > SLENDER * self.length:
            refusals.add(
                ('section', self.section.size_key),
                self.section,
                'the link is too thick for a rod model',
                f'at most {SLENDER:g} of the length, {SLENDER * self.length:g} m',
                f'{radius:g} m from centre line to skin with length {self.length:g} m',
                'check both for a slip of unit (metres) or a diameter given as radius',
            )

    def _check_reference(self, refusals: Refusals) -> None:
        X = np.linspace(0.0, self.length, 101)
        if isinstance(self.reference_strain, StrainTable):
            X = np.array(self.reference_strain.arc_length)
            if X[0] > 0.0 or abs(X[-1] - self.length) > 1e-9:
                refusals.add(
                    ('reference_strain', 'arc_length'),
                    self.reference_strain.arc_length,
                    'the table does not cover the link',
                    f'arc lengths from 0 to {self.length:g} m',
                    f'{X[0]:g} to {X[-1]:g} m',
                    'give the strain at both ends of the link',
                )
                return
        strain = self.reference_strain_at(X)
        curvature = np.hypot(strain[:, 1], strain[:, 2])
        most = strain[:, 3] / self.radius(X)
        worst = int(np.argmax(curvature / most))
        if curvature[worst] >= most[worst]:
            refusals.add(
                ('reference_strain',),
                self.reference_strain,
                'the reference curvature folds the section into itself',
                f'less than lx / radius, {most[worst]:g} 1/m',
                f'{curvature[worst]:g} 1/m',
                'curvatures ky, kz are in 1/m: one over the radius of the bend',
            )

    @property
    def parts(self) -> tuple[Division, ...]:
        """The divisions from base to tip; one for the whole link where the file gives none."""
        if not self.divisions:
            return (Division(0.0, self.length, self.strain_basis, self.quadrature_points),)
        begins = [0.0, *(division.end for division in self.divisions)]
        return tuple(
            Division(begin, each.end, each.strain_basis, each.quadrature_points)
            for begin, each in zip(begins, self.divisions, strict=False)
        )

    @property
    def dof(self) -> int:
        """Generalised coordinates of the joint and of the strain fields."""
        return self.joint.dof + sum(part.basis.dof for part in self.parts)

    def radius(self, X: ArrayLike) -> NDArray[np.float64]:
        """Largest distance from the centre line to the skin in m at arc length X in m, any shape."""
        return self.section.radius_at(np.asarray(X) / self.length)

    def area(self, X: ArrayLike) -> NDArray[np.float64]:
        """Area of the section in m2 at arc length X in m, any shape."""
        return self.section.area(np.asarray(X) / self.length)

    def second_moments(self, X: ArrayLike) -> NDArray[np.float64]:
        """Second moments of area [J, Iy, Iz] in m4, J = Iy + Iz, at arc length X in m: (..., 3)."""
        return self.section.second_moments(np.asarray(X) / self.length)

    def torsion_constant(self, X: ArrayLike) -> NDArray[np.float64]:
        """Saint-Venant torsion constant in m4 at arc length X in m, any shape."""
        return self.section.torsion_constant(np.asarray(X) / self.length)

    def excess(self, X: ArrayLike, offset: ArrayLike) -> NDArray[np.float64]:
        """How far in m the offset (..., 2) lies outside the skin at arc length X (...); negative inside."""
        return self.section.excess(np.asarray(X) / self.length, offset)

    def is_inside(self, X: ArrayLike, offset: ArrayLike) -> NDArray[np.bool_]:
        """Whether the offset (..., 2) lies inside the section, or on its skin, at arc length X (...)."""
        return self.excess(X, offset) <= ROUNDING * self.radius(X)

    def reference_strain_at(self, X: ArrayLike) -> NDArray[np.float64]:
        """Stress-free strain (m, 6) at arc lengths X (m,) in m."""
        return strain_at(self.reference_strain, X)
