"""What is to be seen of a robot: skins, disks, tendons and markers, as every view of it draws them."""

from dataclasses import dataclass

import numpy as np

from continua.description import Robot
from continua.rod.poses import Poses, points_at, poses_of_coordinates, poses_of_shape
from continua.rod.rod import Rod
from continua.rod.struts import struts
from continua.rod.surface import TriangleMesh, guide_disks, skins
from continua.rod.tendon_paths import tendon_paths

__all__ = ['Drawing', 'draw', 'draw_shape', 'skeleton']


@dataclass(frozen=True)
class Drawing:
    """A robot in the world, m: skins of soft links, of rigid links with struts and disks, and lines (m, 3) of
    tendons, by name; and places (k, 3) of the markers in file order, NaN where not known."""

    soft: dict[str, TriangleMesh]
    rigid: dict[str, TriangleMesh]
    tendons: dict[str, np.ndarray]
    markers: np.ndarray


def draw(rod: Rod, q: np.ndarray, stations: int = 41, sides: int = 24) -> Drawing:
    """The robot at q (n,); soft links are cut at so many stations, round ones get so many sides."""
    return _draw(rod.robot, poses_of_coordinates(rod, q), stations, sides)


def skeleton(rod: Rod, q: np.ndarray) -> list[np.ndarray]:
    """Centre lines (k, 3) m of all links and of what holds their parts, at q (n,)."""
    poses = poses_of_coordinates(rod, q)
    return [mesh.axis for mesh in (skins(rod.robot, poses) | struts(rod.robot, poses)).values()]


def draw_shape(robot: Robot, shape, stations: int = 41, sides: int = 24) -> Drawing:
    """What a shape of the backbone, with the attributes of `Shape`, tells of the robot: the parts that are
    wholly on the backbone."""
    whole = _draw(robot, poses_of_shape(robot, shape), stations, sides)
    return Drawing(_known(whole.soft), _known(whole.rigid), _known(whole.tendons), whole.markers)


def _known(parts: dict) -> dict:
    """The parts of which all places are known."""
    return {name: part for name, part in parts.items() if np.isfinite(getattr(part, 'vertices', part)).all()}


def _draw(robot: Robot, poses: Poses, stations: int, sides: int) -> Drawing:
    markers = np.zeros((0, 3))
    if robot.markers:
        X, links, offset = zip(
            *((each.arc_length, each.link, each.offset) for each in robot.markers), strict=True
        )
        markers = points_at(poses, X, links, offset)
    rigid = skins(robot, poses, stations, sides)
    soft = {link.name: rigid.pop(link.name) for link in robot.links if link.type == 'soft'}
    rigid |= struts(robot, poses) | guide_disks(robot, poses, sides)
    return Drawing(soft, rigid, tendon_paths(robot, poses), markers)
