"""The 3D view: estimated and true arm, tendons, markers, tip trail, base frame and floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from continua_bringup.console import mesh
from continua_bringup.console.objects import Cage, Markers, Skin, TendonLine, Trail

if TYPE_CHECKING:
    import viser

    from continua.description import Robot

__all__ = ['ESTIMATE', 'HELD_OUT', 'STALE', 'TRACKED', 'TRUTH', 'Scene']

ESTIMATE = (40, 120, 210)
STALE = (150, 155, 160)
TRUTH = (250, 150, 40)
TRACKED = (250, 215, 60)
HELD_OUT = (200, 80, 220)
BACKGROUND = (255, 255, 255)


class Scene:
    """What the page draws of one robot."""

    def __init__(self, server: viser.ViserServer, robot: Robot) -> None:
        self._server = server
        scene = server.scene
        starts, profile = link_layout(robot)
        thickness = 0.12 * profile[-1, 1]
        _stage(server, robot, length=profile[-1, 0], radius=profile[0, 1])
        self._estimate = Skin(scene, '/estimate', profile, ESTIMATE)
        self._truth = Cage(scene, '/truth', profile, TRUTH)
        self._tendons = [TendonLine(scene, t, starts[t.link], thickness) for t in robot.tendons]
        colors = [HELD_OUT if marker.role == 'held_out' else TRACKED for marker in robot.markers]
        self._markers = Markers(scene, colors, radius=0.015 * profile[-1, 0])
        self._trail = Trail(scene, ESTIMATE, BACKGROUND)

    def show_estimate(self, shape) -> None:
        """Move the estimated arm, its tendons and the tip trail to a shape."""
        with self._server.atomic():
            self._estimate.show(shape)
            for tendon in self._tendons:
                tendon.show(shape)
            self._trail.add(shape.position[-1])

    def clear_trail(self) -> None:
        """Begin a new tip trail."""
        self._trail.clear()

    def show_truth(self, shape) -> None:
        """Move the true arm."""
        self._truth.show(shape)

    def show_freshness(self, estimate: bool, truth: bool) -> None:
        """An estimate that is no longer fresh turns grey; a truth that is no longer fresh disappears."""
        self._estimate.paint(ESTIMATE if estimate else STALE)
        self._truth.show_only_if(truth)

    def show_tension(self, tension: np.ndarray) -> None:
        """Colour the tendons by their tensions (n,) [N], in the order of the robot file."""
        for tendon, value in zip(self._tendons, tension, strict=True):
            tendon.paint(value)

    def show_markers(self, position: np.ndarray, valid: np.ndarray) -> None:
        """Place the markers: position (n, 3) [m] in the world, valid (n,), in the order of the robot file."""
        self._markers.show(position, valid)


def link_layout(robot: Robot) -> tuple[dict[str, float], np.ndarray]:
    """Arc length [m] at which each link starts; arc length and radius [m] (2 links, 2) at the links' ends."""
    starts, ends, s = {}, [], 0.0
    for link in robot.links:
        starts[link.name] = s
        ends += [(s, link.section.radius[0]), (s + link.length, link.section.radius[1])]
        s += link.length
    return starts, np.array(ends)


def _stage(server: viser.ViserServer, robot: Robot, length: float, radius: float) -> None:
    """Base frame, clamp, floor and first point of view."""
    base = np.array(robot.base.position)
    x, y, z, w = robot.base.orientation_xyzw
    tangent = mesh.section_axes(np.array([robot.base.orientation_xyzw]))[0, :, 0]
    scene = server.scene
    scene.configure_default_lights(cast_shadow=False)  # half the picture rate where there is no GPU
    scene.add_frame(
        '/base', wxyz=(w, x, y, z), position=base, axes_length=0.2 * length, axes_radius=0.006 * length
    )

    plate = np.array([base - 0.04 * length * tangent, base])
    orientation = np.tile(robot.base.orientation_xyzw, (2, 1))
    vertices = mesh.tube_vertices(plate, orientation, np.full(2, 1.8 * radius), sides=48)
    scene.add_mesh_simple('/clamp', vertices, mesh.tube_faces(2, sides=48), color=(120, 125, 135))

    # Under the arm wherever it hangs: at the base when it stands, one length below when it lies or hangs.
    floor = base[2] - 1.05 * length * np.clip(1.0 - tangent[2], 0.0, 1.0)
    scene.add_grid(
        '/floor',
        width=4 * length,
        height=4 * length,
        cell_size=0.05,
        section_size=0.25,
        position=(base[0], base[1], floor),
    )
    middle = base + 0.5 * length * tangent
    server.initial_camera.fov = 0.6
    server.initial_camera.position = tuple(middle + length * np.array([1.9, -2.2, 0.9]))
    server.initial_camera.look_at = tuple(middle)
    server.initial_camera.up = (0.0, 0.0, 1.0)
