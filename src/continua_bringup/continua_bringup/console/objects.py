"""The moving objects of the 3D view: created once, and then only given new vertices, points or colours."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from continua_bringup.console import mesh

if TYPE_CHECKING:
    import viser

    from continua.description import Tendon

__all__ = ['Cage', 'Markers', 'Skin', 'TendonLine', 'Trail', 'tension_color']

SLACK = (105, 110, 120)
TAUT = (230, 35, 45)
TENDON_POINTS = 24


def tension_color(tension: float, limit: float) -> tuple[int, int, int]:
    """Colour of a tendon: grey when slack, red at its limit (both in N)."""
    t = float(np.clip(tension / limit, 0.0, 1.0))
    red, green, blue = (round(a + t * (b - a)) for a, b in zip(SLACK, TAUT, strict=True))
    return red, green, blue


class Skin:
    """An arm as a translucent solid: a mesh whose vertices follow the shape.

    profile: (k, 2) arc length and radius [m] at the ends of the links, base to tip.
    """

    OPACITY = 0.7

    def __init__(self, scene: viser.SceneApi, name: str, profile: np.ndarray, color) -> None:
        self._scene, self._name, self._profile, self._color = scene, name, profile, color
        self._mesh: viser.MeshHandle | None = None
        self._stations = 0

    def show(self, shape) -> None:
        """Move the arm to a shape."""
        n = len(shape.arc_length)
        radius = np.interp(shape.arc_length, *self._profile.T)
        vertices = mesh.tube_vertices(shape.position, shape.orientation_xyzw, radius)
        if n == self._stations:
            self._mesh.vertices = vertices
            return
        self._stations = n
        self._mesh = self._scene.add_mesh_simple(
            self._name, vertices, mesh.tube_faces(n), color=self._color, opacity=self.OPACITY
        )

    def paint(self, color: tuple[int, int, int]) -> None:
        """Change the colour."""
        self._color = color
        if self._mesh is not None:
            self._mesh.color = color


class Cage:
    """An arm as hoops and stringers, which show where it leaves a solid arm at nearly the same place.

    profile: (k, 2) arc length and radius [m] at the ends of the links, base to tip.
    """

    HOOPS, STRINGERS, SIDES = 9, 6, 24
    SCALE = 1.03  # of the radius, to lie on the skin of an arm at the same place and not in it

    def __init__(self, scene: viser.SceneApi, name: str, profile: np.ndarray, color) -> None:
        self._scene, self._name, self._profile, self._color = scene, name, profile, color
        self._lines: viser.LineSegmentsHandle | None = None
        self._stations = 0

    def show(self, shape) -> None:
        """Move the cage to a shape."""
        n = len(shape.arc_length)
        radius = self.SCALE * np.interp(shape.arc_length, *self._profile.T)
        vertices = mesh.tube_vertices(shape.position, shape.orientation_xyzw, radius, self.SIDES)
        points = vertices[mesh.cage_edges(n, self.HOOPS, self.STRINGERS, self.SIDES)]
        if n == self._stations:
            self._lines.points = points
            return
        self._stations = n
        self._lines = self._scene.add_line_segments(
            self._name, points, self._color, thickness=1.5, thickness_units='screen'
        )

    def show_only_if(self, is_visible: bool) -> None:
        """Hide or show the cage."""
        if self._lines is not None:
            self._lines.visible = is_visible


class TendonLine:
    """One tendon as a spline along its routing.

    start: arc length [m] at which the tendon's link begins.
    """

    def __init__(self, scene: viser.SceneApi, tendon: Tendon, start: float, thickness: float) -> None:
        along = np.linspace(tendon.range[0], tendon.range[1], TENDON_POINTS)
        self._along = start + along
        self._offset = np.asarray(tendon.path.offset(along))
        self._limit = tendon.limits.tension[1]
        self._spline = scene.add_spline_catmull_rom(
            f'/tendons/{tendon.name}',
            np.zeros((TENDON_POINTS, 3)),
            thickness=thickness,
            thickness_units='world',
            color=SLACK,
            segments=2 * TENDON_POINTS,
            visible=False,
        )

    def show(self, shape) -> None:
        """Route the tendon along a shape."""
        self._spline.points = mesh.tendon_polyline(
            shape.arc_length, shape.position, shape.orientation_xyzw, self._along, self._offset
        )
        self._spline.visible = True

    def paint(self, tension: float) -> None:
        """Colour the tendon by its tension [N]."""
        self._spline.color = tension_color(tension, self._limit)


class Markers:
    """Spheres at markers; those not seen are not drawn.

    colors: (n, 3) 0 to 255, radius: [m].
    """

    def __init__(self, scene: viser.SceneApi, colors: np.ndarray, radius: float) -> None:
        n = len(colors)
        vertices, faces = _sphere(radius)
        self._spheres = scene.add_batched_meshes_simple(
            '/markers',
            vertices,
            faces,
            batched_wxyzs=np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
            batched_positions=np.zeros((n, 3)),
            batched_scales=np.zeros(n),
            batched_colors=np.asarray(colors, dtype=np.uint8),
            lod='off',
        )

    def show(self, position: np.ndarray, valid: np.ndarray) -> None:
        """Place the spheres: position (n, 3) [m], valid (n,) false where a marker was not seen."""
        self._spheres.batched_positions = position
        self._spheres.batched_scales = np.asarray(valid, dtype=float)


class Trail:
    """The last places of the tip, fading out."""

    LENGTH = 100  # segments

    def __init__(self, scene: viser.SceneApi, color, background) -> None:
        self._points: deque[np.ndarray] = deque(maxlen=self.LENGTH + 1)
        fade = np.linspace(0.0, 1.0, self.LENGTH + 1)[:, None]
        colors = (np.asarray(background) * (1 - fade) + np.asarray(color) * fade).astype(np.uint8)
        self._segments = scene.add_line_segments(
            '/tip_trail',
            np.zeros((self.LENGTH, 2, 3)),
            np.stack([colors[:-1], colors[1:]], axis=1),
            thickness=2.5,
            thickness_units='screen',
            visible=False,
        )

    def clear(self) -> None:
        """Forget the past."""
        self._points.clear()

    def add(self, tip: np.ndarray) -> None:
        """Append the place of the tip (3,) [m]."""
        if not self._points:
            self._points.extend([tip] * (self.LENGTH + 1))
            self._segments.visible = True
        self._points.append(tip)
        points = np.array(self._points)
        self._segments.points = np.stack([points[:-1], points[1:]], axis=1)


def _sphere(radius: float, rings: int = 8, sides: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and triangles (f, 3) of a sphere: a tube whose radius closes at both ends."""
    polar = np.linspace(0.0, np.pi, rings + 1)
    centre = np.zeros((rings + 1, 3))
    centre[:, 0] = -radius * np.cos(polar)
    straight = np.tile([0.0, 0.0, 0.0, 1.0], (rings + 1, 1))
    vertices = mesh.tube_vertices(centre, straight, radius * np.sin(polar), sides)
    return vertices, mesh.tube_faces(rings + 1, sides)
