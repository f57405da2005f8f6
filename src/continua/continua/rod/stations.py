"""Places on links at which wrenches act while a robot moves."""

from continua.description import Robot
from continua.description.external import PointLoad
from continua.rod.assembly import Assembly
from continua.rod.discretise import discretise
from continua.rod.rod import Rod

__all__ = ['station', 'with_place']


def with_place(robot: Robot, link: str, arc_length: float) -> Robot:
    """The robot whose models have a station there (m), for wrenches that are not known yet.

    Raises ValueError for a place that the robot does not have.
    """
    length = robot.link(link).length
    if not 0.0 <= arc_length <= length:
        raise ValueError(f'arc_length: expected a value in [0, {length:g}] m of {link}, got {arc_length:g}')
    name = f'place_{len(robot.loads)}'
    nothing = PointLoad(name=name, type='point', link=link, arc_length=arc_length, frame='world')
    return robot.model_copy(update={'loads': (*robot.loads, nothing)})


def station(rod: Rod, link: str, arc_length: float) -> int:
    """Index of the station at a place (m) in the loads of `Rod.conditions`.

    Raises ValueError where there is none; `with_place` makes one.
    """
    assembly = Assembly(rod.robot, *rod._given)
    discretise(assembly, {})
    index = assembly.place(link, arc_length)
    if index >= rod.arc_length.size:
        raise ValueError(f'no station at {arc_length:g} m of {link}; build the rod of with_place(...)')
    return index
