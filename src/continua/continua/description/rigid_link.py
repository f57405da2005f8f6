"""Rigid links: a length and the inertia of the body."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from .errors import refusal
from .fields import Description, Length, Number, Position, key, plausible
from .link import LinkBase
from .material import Density
from .section import Section

Mass = Annotated[Number, plausible(1e-9, 1e6, 'kg', 'masses are in kg and positive: 20 g is 0.02')]
Moment = Annotated[Number, plausible(-1e6, 1e6, 'kg m2', 'moments of inertia are in kg m2')]


def _moments_of_a_body(six: tuple[float, ...]) -> tuple[float, ...]:
    principal = np.linalg.eigvalsh(_symmetric(six))
    if principal[0] < -1e-9 * principal[2] or principal[2] > (1.0 + 1e-6) * (principal[0] + principal[1]):
        raise refusal(
            'no body has these moments of inertia',
            'principal moments that are not negative, each at most the sum of the other two',
            ', '.join(f'{moment:g}' for moment in principal) + ' kg m2',
            'the order is [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], about the centre of mass',
        )
    return six


Inertia = Annotated[tuple[Moment, Moment, Moment, Moment, Moment, Moment], AfterValidator(_moments_of_a_body)]


def _symmetric(six: tuple[float, ...]) -> NDArray[np.float64]:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


class LumpedBody(Description):
    """A body of known mass and inertia."""

    type: Literal['lumped'] = key('', 'kind of body')
    mass: Mass = key('kg', 'mass')
    center_of_mass: Position = key('m', 'centre of mass in the frame of the link')
    inertia: Inertia = key(
        'kg m2',
        'inertia matrix about the centre of mass, axes of the link: its elements [xx, yy, zz, xy, xz, yz]',
    )

    def spatial_inertia(self, length: float) -> NDArray[np.float64]:
        """Spatial inertia (6, 6), angular first, at the base of the link; `length` does not matter."""
        x, y, z = self.center_of_mass
        moment = self.mass * np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        about_base = _symmetric(self.inertia) - moment @ moment / self.mass
        return np.block([[about_base, moment], [moment.T, self.mass * np.eye(3)]])


class SolidBody(Description):
    """A homogeneous body with a cross-section, from the base of the link to its tip."""

    type: Literal['solid'] = key('', 'kind of body')
    section: Section = key('', 'cross-section')
    density: Density = key('kg/m3', 'mass per volume')

    def spatial_inertia(self, length: float) -> NDArray[np.float64]:
        """Spatial inertia (6, 6), angular first, at the base of a link of `length` m."""
        # Four Gauss points are exact to degree 7; x^2 times the area of a tapered section has 4.
        node, weight = np.polynomial.legendre.leggauss(4)
        fraction, x = 0.5 * (1.0 + node), 0.5 * (1.0 + node) * length
        line = 0.5 * length * weight * self.density
        area = self.section.area(fraction)
        mass, first, second = (line @ (area * x**power) for power in range(3))
        about_base = np.diag(line @ self.section.second_moments(fraction) + [0.0, second, second])
        moment = np.zeros((3, 3))
        moment[1, 2], moment[2, 1] = -first, first
        return np.block([[about_base, moment], [moment.T, mass * np.eye(3)]])


Body = Annotated[LumpedBody | SolidBody, Field(discriminator='type')]


class RigidLink(LinkBase):
    """A rigid body; its tip is at [length, 0, 0] in its frame, and arc length runs from 0 to there."""

    type: Literal['rigid'] = key('', 'kind of link')
    length: Length = key('m', 'from base to tip, along the x axis')
    body: Body = key('', 'mass and inertia')

    @property
    def dof(self) -> int:
        """Generalised coordinates: those of the joint."""
        return self.joint.dof

    @property
    def spatial_inertia(self) -> NDArray[np.float64]:
        """Spatial inertia (6, 6) in kg m2, kg m and kg, angular first, at the base of the link."""
        return self.body.spatial_inertia(self.length)
