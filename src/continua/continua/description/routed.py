"""What tendons and chambers share: a path over a range of a soft link."""

from typing import Annotated

from pydantic import ValidationInfo, field_validator

from .fields import ArcRange, Description, Name, Number, key, plausible
from .path import Path

Rate = Annotated[Number, plausible(1e-3, 1e9, '', 'rates are per second and positive; null for no limit')]
TimeConstant = Annotated[Number, plausible(0.0, 100.0, 's', 'time constants are in seconds: 30 ms is 0.03')]


class Routed(Description):
    """An actuator along a path over a range of a soft link."""

    name: Name = key('', 'name, unique in its list; messages address the actuator by it')
    link: Name = key('', 'name of the soft link that it acts on')
    range: ArcRange = key('m', '[from, to]: arc lengths of the link between which it acts')
    path: Path = key('', 'offset from the centre line over the range')

    @field_validator('path')
    @classmethod
    def _path_over_range(cls, path: Path, info: ValidationInfo) -> Path:
        return path.over(info.data['range']) if 'range' in info.data else path
