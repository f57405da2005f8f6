"""The paper's kinds of figures, drawn from our data."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from continua.reduction import Truncation
from continua.rod import Rod

__all__ = ['BLUE', 'ORANGE', 'backbones', 'errors_and_times', 'new_figure']

BLUE, ORANGE = '#1b4f72', '#e67e22'
_STATIONS = 101


def new_figure(width: float, height: float) -> Figure:
    """A figure in inches that no window ever shows."""
    return Figure(figsize=(width, height), layout='constrained')


def errors_and_times(found: Truncation, what: str = 'tip error [mm]') -> Figure:
    """Mean and standard deviation of the error, summed over the points, and the normalised time by number of
    modes (figs 8 and 14)."""
    total = 1e3 * found.error.sum(axis=2)
    solved = np.isfinite(total).all(axis=1)
    n, mean, spread = found.counts[solved], total[solved].mean(axis=1), total[solved].std(axis=1)
    figure = new_figure(6.5, 3.6)
    left = figure.subplots()
    left.plot(n, mean, 'o-', color=BLUE)
    left.fill_between(n, np.maximum(mean - spread, 0.0), mean + spread, color=BLUE, alpha=0.2)
    left.set(xlabel='coordinates of the reduced model', ylim=(0.0, None))
    left.set_ylabel(what, color=BLUE)
    right = left.twinx()
    right.plot(n, 1.0 / found.speed_up[solved], 's--', color=ORANGE)
    right.set_ylabel('time of the reduced in that of the full model', color=ORANGE)
    right.set_ylim(0.0, None)
    return figure


def backbones(ax: Axes, rod: Rod, q: np.ndarray, color: str, style: str = '-', **line: float | str) -> None:
    """Draw a model's backbone in the world's x-z plane, mm."""
    position = 1e3 * rod.shape(q, np.linspace(0.0, rod.length, _STATIONS)).position
    ax.plot(position[:, 0], position[:, 2], style, color=color, **line)
