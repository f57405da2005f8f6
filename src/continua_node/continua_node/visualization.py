"""A rod's shape as a MarkerArray for RViz: body as tube, tendons as lines, points as balls."""

from collections.abc import Sequence

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from scipy.spatial.transform import Rotation
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from continua.description import Robot

__all__ = ['shape_to_markers']

Colour = tuple[float, float, float, float]

_SIDES = 10
_TENDON_COLOUR = (0.15, 0.15, 0.15, 1.0)
_TENDON_WIDTH = 0.001  # m
_POINT_DIAMETER = 0.006  # m


def shape_to_markers(
    shape,
    robot: Robot,
    stamp: Time,
    frame_id: str,
    namespace: str,
    colour: Colour,
    points: np.ndarray | Sequence = (),
) -> MarkerArray:
    """MarkerArray of a shape with the attributes of `convert.ShapeArrays`.

    namespace: what RViz switches on and off together, such as 'estimate'.
    colour: red, green, blue, alpha in [0, 1], of body and points.
    points: (k, 3) m in `frame_id`, for example measured markers.
    """
    link = robot.links[0]
    X = np.asarray(shape.arc_length)
    rotation = Rotation.from_quat(shape.orientation_xyzw).as_matrix()
    radius = link.section.radius_at(X / link.length)

    tube = _marker(Marker.TRIANGLE_LIST, 'body', colour, 1.0)
    tube.points = _tube(shape.position, rotation, radius)
    tendons = _marker(Marker.LINE_LIST, 'tendons', _TENDON_COLOUR, _TENDON_WIDTH)
    for tendon in robot.tendons:
        inside = (tendon.range[0] <= X) & (tendon.range[1] >= X)
        offset = tendon.path.offset(X[inside])
        line = _points(shape.position[inside] + np.einsum('mij,mj->mi', rotation[inside][:, :, 1:], offset))
        tendons.points += [point for pair in zip(line, line[1:], strict=False) for point in pair]
    balls = _marker(Marker.SPHERE_LIST, 'points', colour, _POINT_DIAMETER)
    balls.points = _points(np.reshape(points, (-1, 3)))

    markers = [tube, tendons, balls]
    for marker in markers:
        marker.header.stamp, marker.header.frame_id = stamp, frame_id
        marker.ns = f'{namespace}/{marker.ns}'
    return MarkerArray(markers=markers)


def _tube(position: np.ndarray, rotation: np.ndarray, radius: np.ndarray) -> list[Point]:
    """Corners of the triangles of a tube that is closed at its tip; neighbours share their Point objects."""
    angle = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    circle = np.stack([np.cos(angle), np.sin(angle)])
    radius = np.append(radius, 0.0)
    position = np.append(position, position[-1:], axis=0)
    rotation = np.append(rotation, rotation[-1:], axis=0)
    rings = position[:, None] + np.einsum('m,mij,js->msi', radius, rotation[:, :, 1:], circle)
    corners = _points(rings.reshape(-1, 3))
    triangles = []
    for ring in range(len(position) - 1):
        for side in range(_SIDES):
            a, b = ring * _SIDES + side, ring * _SIDES + (side + 1) % _SIDES
            triangles += [corners[i] for i in (a, b, a + _SIDES, b, b + _SIDES, a + _SIDES)]
    return triangles


def _marker(type_: int, part: str, colour: Colour, scale: float) -> Marker:
    marker = Marker(type=type_, action=Marker.ADD, ns=part)
    marker.pose.orientation.w = 1.0
    marker.scale.x = marker.scale.y = marker.scale.z = scale
    marker.color = ColorRGBA(**dict(zip('rgba', map(float, colour), strict=True)))
    return marker


def _points(position: np.ndarray) -> list[Point]:
    return [Point(x=x, y=y, z=z) for x, y, z in position.tolist()]
