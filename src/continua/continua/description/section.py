"""Cross-sections, as functions of the fraction X / length in [0, 1] along the link.

Every section has its centroid on the centre line and its principal axes along y and z. `fraction` has any
shape (...); offsets are (..., 2) in m.
"""

from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, model_validator

from .errors import refusal
from .fields import BaseToTip, Description, key

Array = NDArray[np.float64]

_ODD = np.arange(1, 40, 2, dtype=float)
"""Terms of the torsion series: the first that is left out is below 1e-8 of the sum."""


def _taper(ends: tuple[float, float], fraction: ArrayLike) -> Array:
    base, tip = ends
    return base + (tip - base) * np.asarray(fraction, dtype=float)


def _with_polar(about_y: Array, about_z: Array) -> Array:
    return np.stack([about_y + about_z, about_y, about_z], axis=-1)


class CircularSection(Description):
    """A solid disk."""

    shape: Literal['circular'] = key('', 'kind of cross-section')
    radius: BaseToTip = key('m', 'radius, or [base, tip] for a linear taper')

    size_key: ClassVar[str] = 'radius'

    def radius_at(self, fraction: ArrayLike) -> Array:
        """Largest distance from the centre line to the skin in m."""
        return _taper(self.radius, fraction)

    def area(self, fraction: ArrayLike) -> Array:
        """Area in m2."""
        return np.pi * self.radius_at(fraction) ** 2

    def second_moments(self, fraction: ArrayLike) -> Array:
        """Second moments of area [J, Iy, Iz] in m4, J = Iy + Iz the polar one: (..., 3)."""
        bending = np.pi / 4.0 * self.radius_at(fraction) ** 4
        return _with_polar(bending, bending)

    def torsion_constant(self, fraction: ArrayLike) -> Array:
        """Saint-Venant torsion constant in m4: of a disk, the polar second moment."""
        return np.pi / 2.0 * self.radius_at(fraction) ** 4

    def excess(self, fraction: ArrayLike, offset: ArrayLike) -> Array:
        """How far in m `offset` lies outside the skin; negative inside."""
        return np.linalg.norm(offset, axis=-1) - self.radius_at(fraction)


class AnnularSection(Description):
    """A disk with a round hole in the middle."""

    shape: Literal['annular'] = key('', 'kind of cross-section')
    radius: BaseToTip = key('m', 'outer radius, or [base, tip] for a linear taper')
    inner_radius: BaseToTip = key('m', 'radius of the hole, or [base, tip] for a linear taper')

    size_key: ClassVar[str] = 'radius'

    @model_validator(mode='after')
    def _hole_is_inside(self) -> 'AnnularSection':
        if any(inner >= outer for inner, outer in zip(self.inner_radius, self.radius, strict=True)):
            raise refusal(
                'the hole is not inside the section',
                f'inner_radius below {list(self.radius)} m',
                f'{list(self.inner_radius)} m',
                'swap the two radii; a section without hole has shape: circular',
            )
        return self

    def radius_at(self, fraction: ArrayLike) -> Array:
        """Largest distance from the centre line to the skin in m."""
        return _taper(self.radius, fraction)

    def _powers(self, fraction: ArrayLike, power: int) -> Array:
        return _taper(self.radius, fraction) ** power - _taper(self.inner_radius, fraction) ** power

    def area(self, fraction: ArrayLike) -> Array:
        """Area in m2."""
        return np.pi * self._powers(fraction, 2)

    def second_moments(self, fraction: ArrayLike) -> Array:
        """Second moments of area [J, Iy, Iz] in m4, J = Iy + Iz the polar one: (..., 3)."""
        bending = np.pi / 4.0 * self._powers(fraction, 4)
        return _with_polar(bending, bending)

    def torsion_constant(self, fraction: ArrayLike) -> Array:
        """Saint-Venant torsion constant in m4: of a ring, the polar second moment."""
        return np.pi / 2.0 * self._powers(fraction, 4)

    def excess(self, fraction: ArrayLike, offset: ArrayLike) -> Array:
        """How far in m `offset` lies outside the skin; negative inside, and in the hole."""
        return np.linalg.norm(offset, axis=-1) - self.radius_at(fraction)


class RectangularSection(Description):
    """A solid rectangle."""

    shape: Literal['rectangular'] = key('', 'kind of cross-section')
    width: BaseToTip = key('m', 'full extent along y, or [base, tip] for a linear taper')
    height: BaseToTip = key('m', 'full extent along z, or [base, tip] for a linear taper')

    size_key: ClassVar[str] = 'width'

    def _sides(self, fraction: ArrayLike) -> tuple[Array, Array]:
        return _taper(self.width, fraction), _taper(self.height, fraction)

    def radius_at(self, fraction: ArrayLike) -> Array:
        """Largest distance from the centre line to the skin in m: to a corner."""
        return 0.5 * np.hypot(*self._sides(fraction))

    def area(self, fraction: ArrayLike) -> Array:
        """Area in m2."""
        width, height = self._sides(fraction)
        return width * height

    def second_moments(self, fraction: ArrayLike) -> Array:
        """Second moments of area [J, Iy, Iz] in m4, J = Iy + Iz the polar one: (..., 3)."""
        width, height = self._sides(fraction)
        return _with_polar(width * height**3 / 12.0, height * width**3 / 12.0)

    def torsion_constant(self, fraction: ArrayLike) -> Array:
        """Saint-Venant torsion constant in m4, from the series of the stress function."""
        sides = self._sides(fraction)
        long, short = np.maximum(*sides), np.minimum(*sides)
        terms = np.tanh(0.5 * np.pi * np.multiply.outer(long / short, _ODD)) / _ODD**5
        return long * short**3 * (1.0 / 3.0 - 64.0 / np.pi**5 * short / long * terms.sum(axis=-1))

    def excess(self, fraction: ArrayLike, offset: ArrayLike) -> Array:
        """How far in m `offset` lies outside the nearest pair of faces; negative inside."""
        sides = np.stack(self._sides(fraction), axis=-1)
        return np.max(np.abs(offset) - 0.5 * sides, axis=-1)


class SemiAxes(Description):
    """Half the extents of an ellipse."""

    y: BaseToTip = key('m', 'semi-axis along y, or [base, tip] for a linear taper')
    z: BaseToTip = key('m', 'semi-axis along z, or [base, tip] for a linear taper')


class EllipticalSection(Description):
    """A solid ellipse."""

    shape: Literal['elliptical'] = key('', 'kind of cross-section')
    semi_axes: SemiAxes = key('', 'semi-axes')

    size_key: ClassVar[str] = 'semi_axes'

    def _axes(self, fraction: ArrayLike) -> tuple[Array, Array]:
        return _taper(self.semi_axes.y, fraction), _taper(self.semi_axes.z, fraction)

    def radius_at(self, fraction: ArrayLike) -> Array:
        """Largest distance from the centre line to the skin in m: the longer semi-axis."""
        return np.maximum(*self._axes(fraction))

    def area(self, fraction: ArrayLike) -> Array:
        """Area in m2."""
        y, z = self._axes(fraction)
        return np.pi * y * z

    def second_moments(self, fraction: ArrayLike) -> Array:
        """Second moments of area [J, Iy, Iz] in m4, J = Iy + Iz the polar one: (..., 3)."""
        y, z = self._axes(fraction)
        return _with_polar(np.pi / 4.0 * y * z**3, np.pi / 4.0 * z * y**3)

    def torsion_constant(self, fraction: ArrayLike) -> Array:
        """Saint-Venant torsion constant in m4."""
        y, z = self._axes(fraction)
        return np.pi * (y * z) ** 3 / (y**2 + z**2)

    def excess(self, fraction: ArrayLike, offset: ArrayLike) -> Array:
        """How far in m `offset` lies outside the skin, along the line to the centre; negative inside."""
        y, z = self._axes(fraction)
        offset = np.asarray(offset, dtype=float)
        distance = np.linalg.norm(offset, axis=-1)
        scaled = np.hypot(offset[..., 0] / y, offset[..., 1] / z)
        skin = np.divide(distance, scaled, out=np.minimum(y, z) + 0.0 * distance, where=scaled > 0.0)
        return distance - skin


Section = Annotated[
    CircularSection | AnnularSection | RectangularSection | EllipticalSection, Field(discriminator='shape')
]
