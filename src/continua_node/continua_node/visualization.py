"""A drawing of a robot as a MarkerArray for RViz: links as triangles, tendons as lines, markers as balls."""

from collections.abc import Iterable

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from continua.rod.drawing import Drawing
from continua.rod.surface import TriangleMesh

__all__ = ['drawing_to_markers']

Colour = tuple[float, float, float, float]

_TENDON_COLOUR = (0.15, 0.15, 0.15, 1.0)
_TENDON_WIDTH = 0.001  # m
_POINT_DIAMETER = 0.006  # m


def drawing_to_markers(
    drawing: Drawing, stamp: Time, frame_id: str, namespace: str, colour: Colour
) -> MarkerArray:
    """MarkerArray of what is drawn, under `namespace`/soft, /rigid, /tendons and /points.

    colour: red, green, blue, alpha in [0, 1], of soft links and points; rigid parts are darker.
    """
    *light, alpha = colour
    soft = _marker(Marker.TRIANGLE_LIST, 'soft', colour, 1.0)
    soft.points = _triangles(drawing.soft.values())
    rigid = _marker(Marker.TRIANGLE_LIST, 'rigid', (*(0.5 * channel for channel in light), alpha), 1.0)
    rigid.points = _triangles(drawing.rigid.values())
    tendons = _marker(Marker.LINE_LIST, 'tendons', _TENDON_COLOUR, _TENDON_WIDTH)
    for path in drawing.tendons.values():
        line = _points(path)
        tendons.points += [point for pair in zip(line, line[1:], strict=False) for point in pair]
    balls = _marker(Marker.SPHERE_LIST, 'points', colour, _POINT_DIAMETER)
    balls.points = _points(drawing.markers[np.isfinite(drawing.markers).all(axis=1)])

    markers = [soft, rigid, tendons, balls]
    for marker in markers:
        marker.header.stamp, marker.header.frame_id = stamp, frame_id
        marker.ns = f'{namespace}/{marker.ns}'
    return MarkerArray(markers=markers)


def _triangles(meshes: Iterable[TriangleMesh]) -> list[Point]:
    """Corners of all triangles; neighbours share their Point objects."""
    corners = []
    for mesh in meshes:
        points = _points(mesh.vertices)
        corners += [points[i] for i in mesh.faces.ravel().tolist()]
    return corners


def _marker(type_: int, part: str, colour: Colour, scale: float) -> Marker:
    marker = Marker(type=type_, action=Marker.ADD, ns=part)
    marker.pose.orientation.w = 1.0
    marker.scale.x = marker.scale.y = marker.scale.z = scale
    marker.color = ColorRGBA(**dict(zip('rgba', map(float, colour), strict=True)))
    return marker


def _points(position: np.ndarray) -> list[Point]:
    return [Point(x=x, y=y, z=z) for x, y, z in position.tolist()]
