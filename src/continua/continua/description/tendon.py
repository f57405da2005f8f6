"""Tendons in soft bodies or in disks around them, cables from point to point, and the disks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from .fields import (
    ORDERED,
    ArcLength,
    ArcLengths,
    Description,
    Name,
    Number,
    Offset,
    count,
    key,
    plausible,
)
from .routed import Rate, Routed, TimeConstant

if TYPE_CHECKING:
    from .robot import Robot

Tension = Annotated[Number, plausible(0.0, 1e4, 'N', 'tensions are in N, positive when the tendon pulls')]
Displacement = Annotated[Number, plausible(-10.0, 10.0, 'm', 'displacements are in metres: 20 mm is 0.02')]
Friction = Annotated[Number, plausible(0.0, 5.0, '', 'the Capstan coefficient is usually 0.05 to 0.5')]
Margin = Annotated[Number, plausible(0.0, 1.0, 'm', 'lengths are in metres: 3 mm is 0.003')]

Waypoint = tuple[str, float, tuple[float, float]]
"""Link, arc length on it in m, and offset (y, z) in its section in m."""


class TendonLimits(Description):
    """What the tendon and its drive can bear; nothing is ever commanded outside."""

    tension: Annotated[tuple[Tension, Tension], ORDERED] = key('N', '[min, max] tension')
    tension_rate: Rate | None = key('N/s', 'fastest change of tension; null for no limit', default=None)
    displacement: Annotated[tuple[Displacement, Displacement], ORDERED] | None = key(
        'm', '[min, max] displacement, positive when tendon leaves the body; null for no limit', default=None
    )


class Tendon(Routed):
    """A tendon fixed in the link where its range ends and pulled where its range starts."""

    type: Literal['routed'] = key('', 'kind of tendon', default='routed')
    guides: Name | None = key(
        '', 'name of the disk guides that it runs through; null when it lies in the body', default=None
    )
    friction: Friction = key('', 'Capstan friction coefficient', default=0.0)
    limits: TendonLimits = key('', 'limits of tension and displacement')
    time_constant: TimeConstant = key('s', 'first-order lag of the drive; 0 for none', default=0.0)

    def waypoints(self, robot: Robot) -> list[Waypoint] | None:
        """From the drive to the last disk, straight in between; None for a tendon in the body.

        The first is where the range starts, then come the disks of the range.
        """
        if self.guides is None:
            return None
        begin, end = self.range
        disks = [x for x in robot.guides(self.guides).arc_length if begin + 1e-9 < x <= end + 1e-9]
        X = np.minimum([begin, *disks], end)
        return [
            (self.link, float(x), (float(y), float(z)))
            for x, (y, z) in zip(X, self.path.offset(X), strict=True)
        ]


class CablePoint(Description):
    """A hole or eyelet that the cable runs through."""

    link: Name = key('', 'name of the link that carries it')
    arc_length: ArcLength = key('m', 'arc length of its section')
    offset: Offset = key('m', '[y, z] from the centre line')


class PointsTendon(Description):
    """A cable straight from point to point, over any links: pulled at the first and fixed in the last."""

    type: Literal['points'] = key('', 'kind of tendon')
    name: Name = key('', 'name, unique in its list; messages address the actuator by it')
    points: Annotated[tuple[CablePoint, ...], count(2, 1000)] = key('', 'the points, from the drive on')
    friction: Friction = key('', 'Capstan friction coefficient', default=0.0)
    limits: TendonLimits = key('', 'limits of tension and displacement')
    time_constant: TimeConstant = key('s', 'first-order lag of the drive; 0 for none', default=0.0)

    def waypoints(self, robot: Robot) -> list[Waypoint]:
        """The points, from the drive on."""
        return [(point.link, point.arc_length, point.offset) for point in self.points]


def _routed_by_default(value: Any) -> Any:
    return {'type': 'routed', **value} if isinstance(value, dict) else value


AnyTendon = Annotated[Tendon | PointsTendon, Field(discriminator='type'), BeforeValidator(_routed_by_default)]


class DiskGuides(Description):
    """Rigid disks around the link with holes that tendons run through."""

    name: Name = key('', 'name, unique among the disk guides; tendons refer to it as `guides`')
    link: Name = key('', 'name of the soft link that carries the disks')
    arc_length: Annotated[ArcLengths, count(1, 1000)] = key('m', 'arc lengths of the disks, increasing')
    radius_margin: Margin = key('m', 'how far the holes may lie outside the section', default=0.0)
