"""Drives of joints: motors that apply an effort, or that impose a position."""

from typing import Annotated, Literal

from pydantic import Field

from .fields import ORDERED, Description, Integer, Name, Number, key, plausible
from .joint import JointCoordinate
from .routed import TimeConstant

Effort = Annotated[Number, plausible(-1e6, 1e6, 'N m or N', 'moments are in N m, forces in N')]
Index = Annotated[Integer, plausible(0, 5, '', 'coordinates of a joint are counted from 0')]


class EffortLimits(Description):
    """What the drive can give; nothing is ever commanded outside."""

    effort: Annotated[tuple[Effort, Effort], ORDERED] = key('N m, N', '[min, max] moment or force')


class PositionLimits(Description):
    """Where the drive can go; nothing is ever commanded outside."""

    position: Annotated[tuple[JointCoordinate, JointCoordinate], ORDERED] = key(
        'rad, m', '[min, max] coordinate of the joint'
    )


class _Drive(Description):
    """What both kinds of drives share."""

    name: Name = key('', 'name, unique among the drives; messages address the drive by it')
    joint: Name = key('', 'name of the link whose joint it drives')
    coordinate: Index = key('', 'which coordinate of the joint, from 0', default=0)
    time_constant: TimeConstant = key('s', 'first-order lag of the drive; 0 for none', default=0.0)


class ForceDrive(_Drive):
    """A drive that applies a moment or force in a joint."""

    type: Literal['force'] = key('', 'kind of drive')
    limits: EffortLimits = key('', 'limits of its effort')


class PositionDrive(_Drive):
    """A drive that imposes the coordinate of a joint."""

    type: Literal['position'] = key('', 'kind of drive')
    limits: PositionLimits = key('', 'limits of its position')


Drive = Annotated[ForceDrive | PositionDrive, Field(discriminator='type')]
