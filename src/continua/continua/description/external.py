"""What acts on a robot from outside, and masses added to it."""

from typing import Annotated, Literal

from pydantic import Field

from .fields import (
    ArcLength,
    ArcRange,
    Description,
    Length,
    Name,
    Number,
    Position,
    UnitVector,
    key,
    plausible,
)
from .rigid_link import Mass

Moment = Annotated[Number, plausible(-1e6, 1e6, 'N m', 'moments are in N m')]
Force = Annotated[Number, plausible(-1e6, 1e6, 'N', 'forces are in N: 1 kg weighs 9.81 N')]
ContactStiffness = Annotated[
    Number,
    plausible(1e-3, 1e12, 'N/m', 'the stiffness of an obstacle is positive and in N/m: 1 N/mm is 1.0e3'),
]
ContactDamping = Annotated[Number, plausible(0.0, 1e9, 'N s/m', 'damping is in N s/m and not negative')]


class PointMass(Description):
    """A point mass fixed to a section of a link."""

    name: Name = key('', 'name, unique among the masses')
    link: Name = key('', 'name of the link that carries it')
    arc_length: ArcLength = key('m', 'arc length of its section')
    offset: Position = key('m', '[x, y, z] in the section frame', default=(0.0, 0.0, 0.0))
    mass: Mass = key('kg', 'mass')


class PointLoad(Description):
    """A wrench on the centre of a section of a link."""

    name: Name = key('', 'name, unique among the loads')
    type: Literal['point'] = key('', 'kind of load')
    link: Name = key('', 'name of the link that it acts on')
    arc_length: ArcLength = key('m', 'arc length of its section')
    frame: Literal['world', 'body'] = key('', 'axes of the wrench: of the world, or turning with the section')
    moment: tuple[Moment, Moment, Moment] = key('N m', 'moment', default=(0.0, 0.0, 0.0))
    force: tuple[Force, Force, Force] = key('N', 'force', default=(0.0, 0.0, 0.0))


class DistributedLoad(Description):
    """A constant wrench per length along a range of a soft link."""

    name: Name = key('', 'name, unique among the loads')
    type: Literal['distributed'] = key('', 'kind of load')
    link: Name = key('', 'name of the soft link that it acts on')
    range: ArcRange = key('m', '[from, to]: arc lengths of the link between which it acts')
    frame: Literal['world', 'body'] = key('', 'axes of the wrench: of the world, or turning with the section')
    moment: tuple[Moment, Moment, Moment] = key('N', 'moment per length', default=(0.0, 0.0, 0.0))
    force: tuple[Force, Force, Force] = key('N/m', 'force per length', default=(0.0, 0.0, 0.0))


class PlaneContact(Description):
    """A half-space that soft links are pushed out of, along the normal."""

    name: Name = key('', 'name, unique among the contacts')
    type: Literal['plane'] = key('', 'kind of obstacle')
    point: Position = key('m', 'a point of the plane, in the world')
    normal: UnitVector = key('', 'unit vector out of the obstacle, in the world')
    stiffness: ContactStiffness = key('N/m', 'force per depth')
    damping: ContactDamping = key('N s/m', 'force per velocity of approach', default=0.0)


class SphereContact(Description):
    """A ball that soft links are pushed out of."""

    name: Name = key('', 'name, unique among the contacts')
    type: Literal['sphere'] = key('', 'kind of obstacle')
    center: Position = key('m', 'centre of the ball, in the world')
    radius: Length = key('m', 'radius of the ball')
    stiffness: ContactStiffness = key('N/m', 'force per depth')
    damping: ContactDamping = key('N s/m', 'force per velocity of approach', default=0.0)


Load = Annotated[PointLoad | DistributedLoad, Field(discriminator='type')]
Contact = Annotated[PlaneContact | SphereContact, Field(discriminator='type')]
