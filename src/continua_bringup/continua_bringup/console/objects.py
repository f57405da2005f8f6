"""The moving objects of the 3D view: created once, and then only given new vertices, points or colours."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from trimesh.creation import icosphere

if TYPE_CHECKING:
    import viser

    from continua.description import Robot
    from continua.rod.drawing import Drawing
    from continua.rod.surface import TriangleMesh

__all__ = ['Body', 'Cage', 'Markers', 'Tendons', 'Trail', 'shell', 'tension_color']

Color = tuple[int, int, int]

SLACK = (105, 110, 120)
TAUT = (230, 35, 45)
OPACITY = 0.7


def tension_color(tension: float, limit: float) -> Color:
    """Colour of a tendon: grey when slack, red at its limit (both in N)."""
    t = float(np.clip(tension / limit, 0.0, 1.0))
    red, green, blue = (round(a + t * (b - a)) for a, b in zip(SLACK, TAUT, strict=True))
    return red, green, blue


def shell(meshes: Iterable[TriangleMesh]) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) m and faces (f, 3) of all meshes as one, with edges that stay sharp in smooth shading.

    Round bodies get vertices of their own at their ends, and those of four corners at every triangle.
    """
    vertices, faces, begin = [], [], 0
    for mesh in meshes:
        k, last = mesh.corners, len(mesh.vertices) - 2 - mesh.corners
        if k > 4:
            points = np.concatenate([mesh.vertices, mesh.rings[0], mesh.rings[-1]])
            corners = mesh.faces.copy()
            ends = corners[-2 * k :]
            ends[:k][ends[:k] < k] += last + k + 2
            ends[k:][ends[k:] < last + k] += 2 * k + 2
        else:
            points = mesh.vertices[mesh.faces].reshape(-1, 3)
            corners = np.arange(len(points)).reshape(-1, 3)
        vertices.append(points)
        faces.append(corners + begin)
        begin += len(points)
    return np.concatenate(vertices), np.concatenate(faces).astype(np.uint32)


class Body:
    """A robot as translucent solids: one mesh of its soft links, and one of its rigid ones and its disks."""

    def __init__(self, scene: viser.SceneApi, name: str, soft: Color, rigid: Color) -> None:
        self._scene, self._name = scene, name
        self._colors = {'soft': soft, 'rigid': rigid}
        self._meshes: dict[str, viser.MeshHandle] = {}

    def show(self, drawing: Drawing) -> None:
        """Move the body to where the robot is drawn."""
        for part, meshes in (('soft', drawing.soft), ('rigid', drawing.rigid)):
            if meshes:
                self._show(part, *shell(meshes.values()))
            elif part in self._meshes:
                self._meshes.pop(part).remove()

    def paint(self, soft: Color, rigid: Color) -> None:
        """Change the colours."""
        self._colors = {'soft': soft, 'rigid': rigid}
        for part, mesh in self._meshes.items():
            mesh.color = self._colors[part]

    def _show(self, part: str, vertices: np.ndarray, faces: np.ndarray) -> None:
        mesh = self._meshes.get(part)
        if mesh is not None and len(mesh.vertices) == len(vertices):
            mesh.vertices = vertices
            return
        self._meshes[part] = self._scene.add_mesh_simple(
            f'{self._name}/{part}', vertices, faces, color=self._colors[part], opacity=OPACITY
        )


class Cage:
    """A robot as hoops and stringers, which show where it leaves a solid robot at nearly the same place."""

    HOOPS, STRINGERS = 9, 6
    SCALE = 1.03  # of the outlines, to lie on the skin of a robot at the same place and not in it

    def __init__(self, scene: viser.SceneApi, name: str, color: Color) -> None:
        self._scene, self._name, self._color = scene, name, color
        self._lines: viser.LineSegmentsHandle | None = None

    def show(self, drawing: Drawing) -> None:
        """Move the cage to where the robot is drawn."""
        solids = (drawing.soft | drawing.rigid).values()
        points = np.concatenate([self._bars(mesh.rings) for mesh in solids])
        if self._lines is not None and len(self._lines.points) == len(points):
            self._lines.points = points
            return
        self._lines = self._scene.add_line_segments(
            self._name, points, self._color, thickness=1.5, thickness_units='screen'
        )

    def show_only_if(self, is_visible: bool) -> None:
        """Hide or show the cage."""
        if self._lines is not None:
            self._lines.visible = is_visible

    def _bars(self, rings: np.ndarray) -> np.ndarray:
        """Segments (b, 2, 3) m around and along outlines (m, k, 3) m."""
        m, k, _ = rings.shape
        middle = rings.mean(axis=1, keepdims=True)
        rings = middle + self.SCALE * (rings - middle)
        around = rings[np.unique(np.linspace(0, m - 1, self.HOOPS).round().astype(int))]
        along = rings[:, :: max(1, k // self.STRINGERS)]
        hoops = np.stack([around, np.roll(around, -1, axis=1)], axis=2)
        stringers = np.stack([along[:-1], along[1:]], axis=2)
        return np.concatenate([hoops.reshape(-1, 2, 3), stringers.reshape(-1, 2, 3)])


class Tendons:
    """Tendons as lines in the colours of their tensions, in the order of the robot file."""

    def __init__(self, scene: viser.SceneApi, robot: Robot) -> None:
        self._scene = scene
        self._limits = {tendon.name: tendon.limits.tension[1] for tendon in robot.tendons}
        self._colors = dict.fromkeys(self._limits, SLACK)
        self._lines: dict[str, viser.LineSegmentsHandle] = {}

    def show(self, drawing: Drawing) -> None:
        """Route the tendons as they are drawn."""
        for name, path in drawing.tendons.items():
            points = np.stack([path[:-1], path[1:]], axis=1)
            if name in self._lines:
                self._lines[name].points = points
            else:
                self._lines[name] = self._scene.add_line_segments(
                    f'/tendons/{name}', points, self._colors[name], thickness=3.0, thickness_units='screen'
                )

    def paint(self, tension: np.ndarray) -> None:
        """Colour the tendons by their tensions (n,) [N]."""
        for (name, limit), value in zip(self._limits.items(), tension, strict=True):
            self._colors[name] = tension_color(value, limit)
            if name in self._lines:
                lines = self._lines[name]
                lines.colors = np.full(lines.points.shape, self._colors[name], dtype=np.uint8)


class Markers:
    """Spheres at markers; those not seen are not drawn.

    colors: (n, 3) 0 to 255, radius: [m].
    """

    def __init__(self, scene: viser.SceneApi, colors: np.ndarray, radius: float) -> None:
        n = len(colors)
        ball = icosphere(subdivisions=2, radius=radius)
        self._spheres = scene.add_batched_meshes_simple(
            '/markers',
            np.asarray(ball.vertices),
            np.asarray(ball.faces),
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
