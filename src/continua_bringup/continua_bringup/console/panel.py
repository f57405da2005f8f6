"""The operator's panel: state, emergency stop, enabling, manual tensions, plots and what each node says.

viser calls back in threads of its own. A callback here only puts a `Request` into `requests`; the node takes
them out in its thread and acts. Everything shown comes back through the methods.
"""

from __future__ import annotations

import queue
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np

from continua_bringup.console.plots import Plots
from continua_bringup.console.scene import ESTIMATE, HELD_OUT, TRACKED, TRUTH
from continua_bringup.console.status import Row

if TYPE_CHECKING:
    import viser

    from continua.description import Robot

__all__ = ['EMERGENCY_STOP', 'Panel', 'Request']

Request = Literal['emergency_stop', 'reset', 'enable', 'disable', 'manual_on', 'manual_off']

EMERGENCY_STOP = 'EMERGENCY STOP'
STOP_COLOR = (200, 16, 32)
DOT = {'ok': '#2b9348', 'warn': '#e69f00', 'error': '#c81020', 'stale': '#8d99ae'}
# viser has one size of button; this one must not be missed. Its colour names it.
STYLE = """<style>
button[style*="#c81020"] {height: 3.6em !important; font-size: 1.25em; letter-spacing: 0.06em}
</style>"""


class Panel:
    """GUI elements of the page."""

    def __init__(self, server: viser.ViserServer, robot: Robot, window: float) -> None:
        self.requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        gui = server.gui
        gui.configure_theme(control_width='medium', show_logo=False, show_share_button=False)
        gui.main_panel.dock_right()
        gui.add_html(STYLE)
        self._banner = gui.add_html('')
        self._button(gui, EMERGENCY_STOP, 'emergency_stop', STOP_COLOR)
        self._state = gui.add_html('')
        drive = gui.add_button_group('Drive', ('Enable', 'Disable', 'Reset'))
        drive.on_click(lambda event: self._ask(event.target.value.lower()))
        self._result = gui.add_html('')
        self._limits = np.reshape([tendon.limits.tension for tendon in robot.tendons], (-1, 2))
        with gui.add_folder('Manual control', visible=bool(robot.tendons)):
            self._manual = gui.add_checkbox('Manual', False, hint='Pause the reference player, pull by hand')
            self._sliders = [self._slider(gui, tendon) for tendon in robot.tendons]
        self._manual.on_update(self._on_manual)
        with gui.add_folder('Nodes'):
            self._nodes = gui.add_html('')
        with gui.add_folder('Legend', expand_by_default=False):
            gui.add_html(_legend())
        plots = gui.add_panel()
        with plots.add_tab('Plots'):
            self.plots = Plots(gui, [t.name for t in robot.tendons], window)
        plots.dock_left()

    def tension(self) -> np.ndarray:
        """What the sliders say (n,) [N], within the limits and in the order of the robot file."""
        return self._within_limits(np.array([slider.value for slider in self._sliders], dtype=float))

    def set_tension(self, tension: np.ndarray) -> None:
        """Put the sliders to (n,) [N]."""
        for slider, value in zip(self._sliders, self._within_limits(tension), strict=True):
            slider.value = float(value)

    def show_manual(self, is_on: bool) -> None:
        """Show manual control on or off."""
        for slider in self._sliders:
            slider.disabled = not is_on
        self._manual.value = is_on

    def show_alarm(self, sentence: str) -> None:
        """A red sentence on top of the panel; an empty one takes it away."""
        self._banner.content = _box(sentence, DOT['error']) if sentence else ''

    def show_state(self, rows: list[Row]) -> None:
        """Lines about the robot and the data that arrive."""
        self._state.content = _table(rows)

    def show_nodes(self, rows: list[Row]) -> None:
        """One line a node."""
        self._nodes.content = _table(rows)

    def show_result(self, succeeded: bool, text: str) -> None:
        """What came of the last request."""
        self._result.content = _table([Row('ok' if succeeded else 'error', '', text)])

    def _button(self, gui: viser.GuiApi, label: str, kind: str, color) -> None:
        gui.add_button(label, color=color).on_click(lambda _: self._ask(kind))

    def _slider(self, gui: viser.GuiApi, tendon) -> viser.GuiSliderHandle[float]:
        low, high = map(float, tendon.limits.tension)
        return gui.add_slider(f'{tendon.name} [N]', low, high, (high - low) / 200, low, disabled=True)

    def _within_limits(self, tension: np.ndarray) -> np.ndarray:
        """The number field beside a slider takes any number while one types, even beside a disabled one."""
        return np.clip(tension, self._limits[:, 0], self._limits[:, 1])

    def _on_manual(self, event) -> None:
        if event.client_id is not None:  # a click in the page, not `show_manual`
            self._ask('manual_on' if event.target.value else 'manual_off')

    def _ask(self, request: Request) -> None:
        self.requests.put(request)


def _table(rows: list[Row]) -> str:
    lines = [
        f'<div style="display:flex;gap:0.5em"><span style="color:{DOT[row.level]}">&#9679;</span>'
        f'<span><b>{escape(row.name)}</b> {escape(row.text)}</span></div>'
        for row in rows
    ]
    return f'<div style="font-size:0.8em;line-height:1.45;padding:0 0.8em 0.5em">{"".join(lines)}</div>'


def _box(text: str, color: str) -> str:
    style = (
        f'background:{color};color:white;font-weight:bold;text-align:center;padding:0.5em;margin:0.5em 0.8em'
    )
    return f'<div style="{style}">{escape(text)}</div>'


def _legend() -> str:
    entries = [
        (ESTIMATE, 'estimated arm and trail of its tip (grey: no fresh estimate)'),
        (TRUTH, 'true arm, where the simulator tells it'),
        (TRACKED, 'marker that the estimator uses'),
        (HELD_OUT, 'marker held out for checking'),
    ]
    lines = [f'<span style="color:rgb{color}">&#9632;</span> {escape(text)}' for color, text in entries]
    lines.append('Tendons: grey when slack, red at their limit')
    return f'<div style="font-size:0.8em;padding:0 0.8em">{"<br>".join(lines)}</div>'
