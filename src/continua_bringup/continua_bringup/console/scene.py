"""The 3D view: estimated and true robot, tendons, markers, tip trail, base frame and floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from continua_bringup.console.objects import Body, Cage, Markers, Tendons, Trail
from continua_bringup.console.stage import set_stage

if TYPE_CHECKING:
    import viser

    from continua.description import Robot
    from continua.rod.drawing import Drawing

__all__ = ['ESTIMATE', 'HELD_OUT', 'RIGID', 'STALE', 'TRACKED', 'TRUTH', 'Scene', 'marker_colors']

ESTIMATE = (40, 120, 210)
RIGID = (120, 125, 135)
STALE = (150, 155, 160)
TRUTH = (250, 150, 40)
TRACKED = (250, 215, 60)
HELD_OUT = (200, 80, 220)
BACKGROUND = (255, 255, 255)


class Scene:
    """What the page draws of one robot."""

    def __init__(self, server: viser.ViserServer, robot: Robot, reference: Drawing) -> None:
        """reference: the robot in its reference shape, for which the stage is set."""
        self._server = server
        scene, size = server.scene, set_stage(server, robot, reference)
        self._estimate = Body(scene, '/estimate', ESTIMATE, RIGID)
        self._truth = Cage(scene, '/truth', TRUTH)
        self._tendons = Tendons(scene, robot)
        self._markers = Markers(scene, marker_colors(robot), radius=0.015 * size)
        self._trail = Trail(scene, ESTIMATE, BACKGROUND)

    def show_estimate(self, drawing: Drawing, tip: np.ndarray) -> None:
        """Move the estimated robot and its tendons, and the tip trail to the tip (3,) [m]."""
        with self._server.atomic():
            self._estimate.show(drawing)
            self.show_tendons(drawing)
            self._trail.add(tip)

    def show_tendons(self, drawing: Drawing) -> None:
        """Route the tendons through a robot, the estimated one where there is one."""
        self._tendons.show(drawing)

    def clear_trail(self) -> None:
        """Begin a new tip trail."""
        self._trail.clear()

    def show_truth(self, drawing: Drawing) -> None:
        """Move the true robot."""
        self._truth.show(drawing)

    def show_freshness(self, estimate: bool, truth: bool) -> None:
        """An estimate that is no longer fresh turns grey; a truth that is no longer fresh disappears."""
        self._estimate.paint(*((ESTIMATE, RIGID) if estimate else (STALE, STALE)))
        self._truth.show_only_if(truth)

    def show_tension(self, tension: np.ndarray) -> None:
        """Colour the tendons by their tensions (n,) [N], in the order of the robot file."""
        self._tendons.paint(tension)

    def show_markers(self, position: np.ndarray, valid: np.ndarray) -> None:
        """Place the markers: position (n, 3) [m] in the world, valid (n,), in the order of the robot file."""
        self._markers.show(position, valid)


def marker_colors(robot: Robot) -> np.ndarray:
    """Colours (n, 3) of the robot's markers, 0 to 255."""
    colors = [HELD_OUT if marker.role == 'held_out' else TRACKED for marker in robot.markers]
    return np.reshape(colors, (-1, 3))
