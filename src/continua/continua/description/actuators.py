"""Tendons and chambers, which run along a path over a range of a link, and the disks that guide tendons."""

from typing import Annotated

from pydantic import ValidationInfo, field_validator

from .errors import refusal
from .fields import ORDERED, ArcLengths, ArcRange, Description, Name, Number, count, key, plausible
from .path import Path

Tension = Annotated[Number, plausible(0.0, 1e4, 'N', 'tensions are in N, positive when the tendon pulls')]
Pressure = Annotated[
    Number, plausible(-101325.0, 1e8, 'Pa', 'pressures are gauge and in Pa: 75 kPa is 75.0e3, 1 bar is 1.0e5')
]
Displacement = Annotated[Number, plausible(-10.0, 10.0, 'm', 'displacements are in metres: 20 mm is 0.02')]
Rate = Annotated[Number, plausible(1e-3, 1e9, '', 'rates are per second and positive; null for no limit')]
TimeConstant = Annotated[Number, plausible(0.0, 100.0, 's', 'time constants are in seconds: 30 ms is 0.03')]
Friction = Annotated[Number, plausible(0.0, 5.0, '', 'the Capstan coefficient is usually 0.05 to 0.5')]
Area = Annotated[Number, plausible(1e-9, 1.0, 'm2', 'areas are in m2: 80 mm2 is 80.0e-6')]
Margin = Annotated[Number, plausible(0.0, 1.0, 'm', 'lengths are in metres: 3 mm is 0.003')]


class Routed(Description):
    """What tendons and chambers share: a path over a range of a link."""

    name: Name = key('', 'name, unique in its list; messages address the actuator by it')
    link: Name = key('', 'name of the link that it acts on')
    range: ArcRange = key('m', '[from, to]: arc lengths of the link between which it acts')
    path: Path = key('', 'offset from the centre line over the range')

    @field_validator('path')
    @classmethod
    def _path_over_range(cls, path: Path, info: ValidationInfo) -> Path:
        return path.over(info.data['range']) if 'range' in info.data else path


class TendonLimits(Description):
    """What the tendon and its drive can bear; nothing is ever commanded outside."""

    tension: Annotated[tuple[Tension, Tension], ORDERED] = key('N', '[min, max] tension')
    tension_rate: Rate | None = key('N/s', 'fastest change of tension; null for no limit', default=None)
    displacement: Annotated[tuple[Displacement, Displacement], ORDERED] | None = key(
        'm', '[min, max] displacement, positive when tendon leaves the body; null for no limit', default=None
    )


class Tendon(Routed):
    """A tendon fixed in the link where its range ends and pulled where its range starts."""

    guides: Name | None = key(
        '', 'name of the disk guides that it runs through; null when it lies in the body', default=None
    )
    friction: Friction = key('', 'Capstan friction coefficient', default=0.0)
    limits: TendonLimits = key('', 'limits of tension and displacement')
    time_constant: TimeConstant = key('s', 'first-order lag of the drive; 0 for none', default=0.0)


class ChamberLimits(Description):
    """What the chamber and its supply can bear; nothing is ever commanded outside."""

    pressure: Annotated[tuple[Pressure, Pressure], ORDERED] = key('Pa', '[min, max] gauge pressure')
    pressure_rate: Rate | None = key('Pa/s', 'fastest change of pressure; null for no limit', default=None)

    @field_validator('pressure')
    @classmethod
    def _in_pascal(cls, pressure: tuple[float, float]) -> tuple[float, float]:
        if max(map(abs, pressure)) < 100.0:
            raise refusal(
                'the value is not plausible',
                'a limit of at least 100 Pa',
                f'{list(pressure)}',
                'pressures are in Pa: 75 kPa is 75.0e3, 1 bar is 1.0e5',
            )
        return pressure


class Chamber(Routed):
    """A fluid chamber along the link, closed at both ends of its range."""

    area: Area = key('m2', 'area of its cross-section')
    limits: ChamberLimits = key('', 'limits of pressure')
    time_constant: TimeConstant = key('s', 'first-order lag of the pressure; 0 for none', default=0.0)


class DiskGuides(Description):
    """Rigid disks around the link with holes that tendons run through."""

    name: Name = key('', 'name, unique among the disk guides; tendons refer to it as `guides`')
    link: Name = key('', 'name of the link that carries the disks')
    arc_length: Annotated[ArcLengths, count(1, 1000)] = key('m', 'arc lengths of the disks, increasing')
    radius_margin: Margin = key('m', 'how far the holes may lie outside the section', default=0.0)
