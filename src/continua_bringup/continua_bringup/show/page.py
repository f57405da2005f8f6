"""The page of `continua show`: a robot in its equilibrium, and sliders for its inputs.

viser calls back in threads of its own, and a rod serves one thread: a callback only says that something
changed, and `serve` solves and draws.
"""

from __future__ import annotations

import threading
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from continua.rod import Rod
from continua.rod.drawing import draw
from continua_bringup.console.objects import Body, Markers, Tendons
from continua_bringup.console.scene import ESTIMATE, RIGID, marker_colors
from continua_bringup.console.stage import set_stage

if TYPE_CHECKING:
    import viser

    from continua.description import Robot

__all__ = ['Page']


class Page:
    """What the browser shows of one robot."""

    def __init__(
        self, server: viser.ViserServer, robot: Robot, u: np.ndarray, target: np.ndarray, gravity: bool
    ) -> None:
        """u: (K,) inputs and target: (P,) of position drives to begin with, put within their limits."""
        self._server, self._rod = server, Rod(robot)
        self._changed = threading.Event()
        self.q = np.zeros(self._rod.dof)
        scene, size = server.scene, set_stage(server, robot, draw(self._rod, self.q))
        self._body = Body(scene, '/links', ESTIMATE, RIGID)
        self._tendons = Tendons(scene, robot)
        self._markers = Markers(scene, marker_colors(robot), radius=0.01 * size)
        gui = server.gui
        gui.configure_theme(control_width='medium', show_logo=False, show_share_button=False)
        self._status = gui.add_html('')
        self._gravity = gui.add_checkbox('Gravity', gravity)
        self._gravity.on_update(self._on_change)
        begin = np.concatenate([u, target])
        with gui.add_folder('Inputs', visible=begin.size > 0):
            self._sliders = [self._slider(*each) for each in zip(_inputs(robot), begin, strict=True)]
        self.update()

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
        drawing = draw(self._rod, self.q)
        with self._server.atomic():
            self._body.show(drawing)
            self._tendons.show(drawing)
            self._tendons.paint(u[: self._rod.n_tendons])
            self._markers.show(drawing.markers, np.ones(len(drawing.markers), dtype=bool))

    def _slider(self, entry: tuple[str, float, float], value: float) -> viser.GuiSliderHandle:
        label, low, high = entry
        slider = self._server.gui.add_slider(
            label, low, high, step=(high - low) / 500.0, initial_value=float(np.clip(value, low, high))
        )
        slider.on_update(self._on_change)
        return slider

    def _on_change(self, event) -> None:
        self._changed.set()


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
