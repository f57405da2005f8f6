"""Live plots of the last seconds: tensions, tip error and latency."""

from __future__ import annotations

from collections import deque
from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import viser

__all__ = ['Plots', 'TipError']

# Line colours that are told apart without red and green; tendons beyond these begin again.
COLORS = ('#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00')


class TipError:
    """Distance between estimated and true tip at the same instant; the truth is interpolated."""

    def __init__(self, samples: int = 200) -> None:
        self._truth: deque[np.ndarray] = deque(maxlen=samples)  # rows stamp, x, y, z

    def add_truth(self, stamp: float, tip: np.ndarray) -> None:
        """True tip (3,) [m] at a stamp [s]; one that runs backwards (a restarted simulator) begins anew."""
        if self._truth and stamp < self._truth[-1][0]:
            self._truth.clear()
        self._truth.append(np.array([stamp, *tip]))

    def of(self, stamp: float, tip: np.ndarray) -> float:
        """Error [m] of the estimated tip (3,) [m] at a stamp [s]; NaN where the truth then is not known."""
        truth = np.array(self._truth)
        if len(truth) == 0 or not truth[0, 0] <= stamp <= truth[-1, 0]:
            return np.nan
        there = [np.interp(stamp, truth[:, 0], truth[:, i]) for i in (1, 2, 3)]
        return float(np.linalg.norm(tip - there))


class Plot:
    """One chart: curves of one unit over the last `window` s, with their names in their colours above it."""

    def __init__(
        self, gui: viser.GuiApi, title: str, curves: list[tuple[str, str, bool]], window: float, height: int
    ) -> None:
        """curves: (name, colour, dashed); a curve without name gets no entry above the chart."""
        self._window = window
        self._rows: deque[np.ndarray] = deque()
        legend = ' '.join(
            f'<span style="white-space:nowrap"><b style="color:{color}">&#9632;</b> {escape(name)}</span>'
            for name, color, _ in curves
            if name
        )
        gui.add_html(f'<div style="font-size:0.8em;padding:0 0.8em"><b>{title}</b><br>{legend}</div>')
        lines = [
            {'label': name, 'stroke': color, 'width': 1.0 if dashed else 1.5, 'points': {'show': False}}
            | ({'dash': (4, 4)} if dashed else {})
            for name, color, dashed in curves
        ]
        self._chart = gui.add_uplot(
            data=tuple(np.array([0.0]) for _ in range(1 + len(curves))),
            series=({'label': 'time [s]'}, *lines),
            scales={'x': {'time': False}},
            legend={'show': False},
            height=height,
        )

    def add(self, time: float, *values: float) -> None:
        """One sample of every curve at a time [s]; one that is not finite is left out."""
        row = np.array([time, *values])
        if np.isfinite(row).all():
            self._rows.append(row)
        while self._rows and self._rows[0][0] < time - self._window:
            self._rows.popleft()

    def draw(self) -> None:
        """Send the samples to the page."""
        if self._rows:
            self._chart.data = tuple(np.array(self._rows).T)


class Plots:
    """The plots of the page, over the same `window` [s]; that of tensions where there are tendons."""

    def __init__(self, gui: viser.GuiApi, tendons: list[str], window: float) -> None:
        color = [COLORS[i % len(COLORS)] for i in range(len(tendons))]
        measured = [(name, c, False) for name, c in zip(tendons, color, strict=True)]
        applied = [('', c, True) for c in color]
        if tendons:
            self.tension = Plot(
                gui, 'Tension [N], dashed: applied setpoint', measured + applied, window, height=240
            )
        self.tip_error = Plot(
            gui, 'Tip error, estimate against truth [mm]', [('', COLORS[5], False)], window, height=150
        )
        self.latency = Plot(
            gui,
            'Latency of the estimate, stamp to arrival [ms]',
            [('', COLORS[0], False)],
            window,
            height=150,
        )

    def draw(self) -> None:
        """Bring all up to date."""
        for plot in vars(self).values():
            plot.draw()
