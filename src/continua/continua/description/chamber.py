"""Fluid chambers of soft links."""

from typing import Annotated

from pydantic import field_validator

from .errors import refusal
from .fields import ORDERED, Description, Number, key, plausible
from .routed import Rate, Routed, TimeConstant

Pressure = Annotated[
    Number, plausible(-101325.0, 1e8, 'Pa', 'pressures are gauge and in Pa: 75 kPa is 75.0e3, 1 bar is 1.0e5')
]
Area = Annotated[Number, plausible(1e-9, 1.0, 'm2', 'areas are in m2: 80 mm2 is 80.0e-6')]


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
