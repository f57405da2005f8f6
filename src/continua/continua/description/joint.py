"""Joints between links: which relative motions they leave free, and the springs and dampers in them.

Twists are angular first. A joint moves its link by exp(twists[0] q_0) exp(twists[1] q_1) ...
"""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from .errors import Refusals
from .fields import ORDERED, Description, Number, UnitVector, key, plain_or_mapping, plausible
from .stiffness_table import StiffnessTable

Stiffness = Annotated[
    Number, plausible(0.0, 1e9, 'N m/rad or N/m', 'a spring resists motion: its stiffness is not negative')
]
Damping = Annotated[
    Number, plausible(0.0, 1e9, 'N m s/rad or N s/m', 'a damper resists motion: it is not negative')
]
StopStiffness = Annotated[
    Number, plausible(1e-6, 1e12, 'N m/rad or N/m', 'the stiffness of the stops beyond the range is positive')
]
JointCoordinate = Annotated[Number, plausible(-1e3, 1e3, 'rad or m', 'angles are in radians, lengths in m')]


class JointLimits(Description):
    """Elastic stops: beyond `range` a coordinate is pushed back."""

    range: Annotated[tuple[JointCoordinate, JointCoordinate], ORDERED] = key(
        'rad, m', '[low, high] of each coordinate'
    )
    stiffness: StopStiffness = key('N m/rad, N/m', 'stiffness of the stops')


class FixedJoint(Description):
    """No relative motion."""

    type: Literal['fixed'] = key('', 'kind of joint')

    @property
    def dof(self) -> int:
        """No coordinates."""
        return 0

    @property
    def twists(self) -> list[NDArray[np.float64]]:
        """No exponentials."""
        return []


class _MovingJoint(Description):
    """What all joints that move share; each has `twists`, those (6, k) of its successive exponentials."""

    stiffness: plain_or_mapping(Stiffness, StiffnessTable) = key(
        'N m/rad, N/m',
        'spring in each coordinate: a stiffness, or a table of force over coordinate',
        default=0.0,
    )
    rest: tuple[JointCoordinate, ...] | None = key(
        'rad, m', 'coordinates at which the spring is slack; null for zeros', default=None
    )
    damping: Damping = key('N m s/rad, N s/m', 'viscous damping in each coordinate', default=0.0)
    limits: JointLimits | None = key('', 'stops of each coordinate; null for none', default=None)

    @model_validator(mode='after')
    def _one_rest_per_coordinate(self) -> '_MovingJoint':
        refusals = Refusals('Joint')
        if self.rest is not None and len(self.rest) != self.dof:
            refusals.add(
                ('rest',),
                self.rest,
                'the list has the wrong length',
                f'{self.dof} values, one per coordinate of a {self.type} joint',
                f'{len(self.rest)}',
                'give every coordinate one value, or leave `rest` out for zeros',
            )
        refusals.raise_any()
        return self

    @property
    def dof(self) -> int:
        """Number of coordinates."""
        return sum(twist.shape[1] for twist in self.twists)


class AxisJoint(_MovingJoint):
    """Rotation about an axis, translation along it, or (cylindrical) the first and then the second."""

    type: Literal['revolute', 'prismatic', 'cylindrical'] = key('', 'kind of joint')
    axis: UnitVector = key('', 'unit vector in the joint frame')

    @property
    def twists(self) -> list[NDArray[np.float64]]:
        """One twist (6, 1), of a cylindrical joint (6, 2)."""
        both = np.kron(np.eye(2), np.reshape(self.axis, (3, 1)))
        columns = {'revolute': [0], 'prismatic': [1], 'cylindrical': [0, 1]}[self.type]
        return [both[:, columns]]


class PlanarJoint(_MovingJoint):
    """Rotation about a normal and two translations across it."""

    type: Literal['planar'] = key('', 'kind of joint')
    normal: UnitVector = key('', 'unit vector in the joint frame')

    @property
    def twists(self) -> list[NDArray[np.float64]]:
        """One twist (6, 3): about the normal n, along e1 and along n x e1.

        e1 is the x axis, or the y axis where n is within 25 degrees of x, made normal to n.
        """
        normal = np.array(self.normal)
        e1 = np.eye(3)[0 if abs(normal[0]) < 0.9 else 1]
        e1 = e1 - (e1 @ normal) * normal
        e1 /= np.linalg.norm(e1)
        twist = np.zeros((6, 3))
        twist[:3, 0], twist[3:, 1], twist[3:, 2] = normal, e1, np.cross(normal, e1)
        return [twist]


class UniversalJoint(_MovingJoint):
    """Rotation about a first axis, then about a second that the first carries along."""

    type: Literal['universal'] = key('', 'kind of joint')
    axes: tuple[UnitVector, UnitVector] = key('', 'two unit vectors in the joint frame')

    @model_validator(mode='after')
    def _two_directions(self) -> 'UniversalJoint':
        refusals = Refusals('UniversalJoint')
        sine = float(np.linalg.norm(np.cross(*self.axes)))
        if sine < 1e-2:
            refusals.add(
                ('axes',),
                self.axes,
                'the two axes are parallel',
                'axes that span a plane',
                f'an angle of {np.arcsin(sine):.2g} rad between them',
                'a universal joint has two axes at right angles: [[0, 1, 0], [0, 0, 1]]',
            )
        refusals.raise_any()
        return self

    @property
    def twists(self) -> list[NDArray[np.float64]]:
        """Two twists (6, 1)."""
        return [np.concatenate([axis, np.zeros(3)])[:, None] for axis in self.axes]


class SphericalJoint(_MovingJoint):
    """Any rotation; the coordinates are a rotation vector in the joint frame."""

    type: Literal['spherical'] = key('', 'kind of joint')

    @property
    def twists(self) -> list[NDArray[np.float64]]:
        """One twist (6, 3)."""
        return [np.eye(6)[:, :3]]


class FreeJoint(_MovingJoint):
    """Any motion; the coordinates are the logarithm of the pose, rotation first."""

    type: Literal['free'] = key('', 'kind of joint')

    @property
    def twists(self) -> list[NDArray[np.float64]]:
        """One twist (6, 6)."""
        return [np.eye(6)]


Joint = Annotated[
    FixedJoint | AxisJoint | PlanarJoint | UniversalJoint | SphericalJoint | FreeJoint,
    Field(discriminator='type'),
]
LoopJoint = Annotated[FixedJoint | AxisJoint | PlanarJoint | SphericalJoint, Field(discriminator='type')]
