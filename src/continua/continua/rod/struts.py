"""Struts that hold what sits beside the axis of a rigid link with a lumped body, whose form nobody knows."""

from collections.abc import Iterator

import numpy as np

from continua.description import Robot
from continua.rod.poses import Poses
from continua.rod.surface import TriangleMesh, loft

__all__ = ['struts']

_WIDTH = 0.02  # half width per length of the link


def struts(robot: Robot, poses: Poses) -> dict[str, TriangleMesh]:
    """A bar from the axis to each joint, marker and cable point of lumped bodies, named link/held part."""
    lumped = {link.name for link in robot.links if link.type == 'rigid' and link.body.type == 'lumped'}
    held = [each for each in _held(robot) if each[1] in lumped and np.any(each[3])]
    if not held:
        return {}
    names, links, arc_length, offset = zip(*held, strict=True)
    meshes = {}
    for name, link, R, p, r in zip(names, links, *poses(np.array(arc_length), links), offset, strict=True):
        half = _WIDTH * robot.link(link).length
        edge = half * np.tile([[[1, 1], [-1, 1], [-1, -1], [1, -1]]], (2, 1, 1))
        across = R @ _along(np.array(r))
        meshes[f'{link}/{name}'] = loft(np.stack([across, across]), np.stack([p, p + R @ r]), edge)
    return meshes


def _held(robot: Robot) -> Iterator[tuple[str, str | None, float, tuple[float, float, float]]]:
    """Name, link, arc length (m) and place (3,) m in the section's frame of all that is fixed to links."""
    joints = [(link.name, link.parent, link.attach) for link in robot.links]
    joints += [(loop.name, loop.link, loop.attach) for loop in robot.loops]
    joints += [(loop.name, loop.to, loop.to_attach) for loop in robot.loops]
    for name, link, attach in joints:
        if link is not None:
            X = robot.link(link).length if attach.arc_length is None else attach.arc_length
            yield name, link, X, attach.position
    for marker in robot.markers:
        yield marker.name, marker.link, marker.arc_length, (0.0, *marker.offset)
    for tendon in robot.tendons:
        for i, (link, X, offset) in enumerate(tendon.waypoints(robot) or []):
            yield f'{tendon.name}/{i + 1}', link, X, (0.0, *offset)


def _along(r: np.ndarray) -> np.ndarray:
    """Rotation matrix whose first axis is along r (3,)."""
    x = r / np.linalg.norm(r)
    y = np.cross(np.eye(3)[np.argmin(np.abs(x))], x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)
