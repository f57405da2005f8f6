"""The page of `continua show`: skins and tendons of a robot in its equilibrium, and sliders for its inputs.

viser calls back in threads of its own, and a rod serves one thread: a callback only says that something
changed, and `serve` solves and draws.
"""

from __future__ import annotations

import threading
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from continua.rod import Rod
from continua.rod.surface import skins
from continua.rod.tendon_paths import tendon_paths
from continua_bringup.console.objects import SLACK, tension_color

if TYPE_CHECKING:
    import viser

    from continua.description import Robot

__all__ = ['Page']

SOFT, RIGID = (40, 120, 210), (120, 125, 135)


class Page:
    """What the browser shows of one robot."""

    def __init__(
        self, server: viser.ViserServer, robot: Robot, u: np.ndarray, target: np.ndarray, gravity: bool
    ) -> None:
        """u: (K,) inputs and target: (P,) of position drives to begin with, put within their limits."""
        self._server, self._robot, self._rod = server, robot, Rod(robot)
        self._changed = threading.Event()
        self._skins: dict[str, viser.MeshHandle] = {}
        self._lines: dict[str, viser.SplineCatmullRomHandle] = {}
        gui = server.gui
        gui.configure_theme(control_width='medium', show_logo=False, show_share_button=False)
        self._status = gui.add_html('')
        self._gravity = gui.add_checkbox('Gravity', gravity)
        self._gravity.on_update(self._on_change)
        with gui.add_folder('Inputs'):
            begin = np.concatenate([u, target])
            self._sliders = [self._slider(*each) for each in zip(_inputs(robot), begin, strict=True)]
        self.q = np.zeros(self._rod.dof)
        self.update()
        self._stage()

    def serve(self) -> None:
        """Follow the sliders for ever."""
        while True:
            self._changed.wait()
            self._changed.clear()
            self.update()

    def update(self) -> None:
        """Find the equilibrium for what the sliders say, from the last one, and draw it."""
        values = np.array([slider.value for slider in self._sliders], dtype=float)
        u, target = np.split(values, [len(self._rod.input_names)])
        result = self._rod.statics(u, q0=self.q, target=target, gravity=self._gravity.value)
        if result.converged:
            self.q = result.q
        tip = self._rod.shape(self.q, np.array([self._rod.length])).position[0]
        place = ', '.join(f'{1e3 * value:.1f}' for value in tip)
        color = '#2b9348' if result.converged and result.stable else '#c81020'
        self._status.content = (
            f'<p style="margin: 0.6em 1em; color: {color}">{escape(result.message)}</p>'
            f'<p style="margin: 0.6em 1em">tip at ({place}) mm</p>'
        )
        with self._server.atomic():
            self._draw_skins()
            self._draw_tendons(u)

    def _draw_skins(self) -> None:
        soft = {link.name for link in self._robot.links if link.type == 'soft'}
        for name, mesh in skins(self._rod, self.q).items():
            if name in self._skins:
                self._skins[name].vertices = mesh.vertices
                continue
            color, opacity = (SOFT, 0.7) if name in soft else (RIGID, 1.0)
            self._skins[name] = self._server.scene.add_mesh_simple(
                f'/links/{name}', mesh.vertices, mesh.faces, color=color, opacity=opacity
            )

    def _draw_tendons(self, u: np.ndarray) -> None:
        paths = tendon_paths(self._rod, self.q)
        for tendon, tension in zip(self._robot.tendons, u, strict=False):
            points = paths[tendon.name]
            if tendon.name not in self._lines:
                self._lines[tendon.name] = self._server.scene.add_spline_catmull_rom(
                    f'/tendons/{tendon.name}', points, thickness=3.0, thickness_units='screen', color=SLACK
                )
            self._lines[tendon.name].points = points
            self._lines[tendon.name].color = tension_color(tension, tendon.limits.tension[1])

    def _slider(self, entry: tuple[str, float, float], value: float) -> viser.GuiSliderHandle:
        label, low, high = entry
        slider = self._server.gui.add_slider(
            label, low, high, step=(high - low) / 500.0, initial_value=float(np.clip(value, low, high))
        )
        slider.on_update(self._on_change)
        return slider

    def _on_change(self, event) -> None:
        self._changed.set()

    def _stage(self) -> None:
        """Light, base frame, floor and first point of view."""
        scene, base = self._server.scene, self._robot.base
        points = np.concatenate([handle.vertices for handle in self._skins.values()])
        low, high = points.min(axis=0), points.max(axis=0)
        size = float(np.linalg.norm(high - low))
        x, y, z, w = base.orientation_xyzw
        scene.configure_default_lights(cast_shadow=False)
        scene.add_frame(
            '/base',
            wxyz=(w, x, y, z),
            position=base.position,
            axes_length=0.2 * size,
            axes_radius=0.006 * size,
        )
        scene.add_grid(
            '/floor',
            width=4 * size,
            height=4 * size,
            cell_size=0.05,
            section_size=0.25,
            position=(base.position[0], base.position[1], low[2] - 0.05 * size),
        )
        middle = 0.5 * (low + high)
        camera = self._server.initial_camera
        camera.fov = 0.6
        camera.position = tuple(middle + size * np.array([1.7, -2.0, 0.8]))
        camera.look_at = tuple(middle)
        camera.up = (0.0, 0.0, 1.0)


def _inputs(robot: Robot) -> list[tuple[str, float, float]]:
    """Label with unit, least and largest value of each input, then of each target, in the engine's order."""
    entries = [(f'{tendon.name} [N]', *tendon.limits.tension) for tendon in robot.tendons]
    entries += [(f'{chamber.name} [Pa]', *chamber.limits.pressure) for chamber in robot.chambers]
    for kind, unit in (('force', '[N m, N]'), ('position', '[rad, m]')):
        for drive in robot.drives:
            if drive.type == kind:
                limits = drive.limits.effort if kind == 'force' else drive.limits.position
                entries.append((f'{drive.name} {unit}', *limits))
    return entries
