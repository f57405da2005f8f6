"""Figures of an identification: fit against measurement, residuals, correlation, intervals."""

import numpy as np
from matplotlib.figure import Figure

from continua.identification.fit import Identified, Residuals
from continua.identification.observations import Motion

__all__ = ['correlation_figure', 'fit_figure', 'interval_figure', 'residual_figure']

_AXES = 'xyz'
_COLORS = ('#c0392b', '#1e8449', '#1b4f72')


def fit_figure(group: Residuals, observed) -> Figure:
    """Coordinates of each marker: dots as measured, lines as predicted; over time, or over the poses."""
    figure = Figure(figsize=(8.0, 1.2 + 1.7 * group.measured.shape[1]), layout='constrained')
    t, what = _abscissa(observed)
    axes = figure.subplots(group.measured.shape[1], 1, sharex=True, squeeze=False)[:, 0]
    for i, ax in enumerate(axes):
        rest = group.predicted[:, i].mean(axis=0)
        for axis, color, name in zip(range(3), _COLORS, _AXES, strict=True):
            ax.plot(t, 1e3 * (group.measured[:, i, axis] - rest[axis]), '.', ms=4, color=color)
            ax.plot(t, 1e3 * (group.predicted[:, i, axis] - rest[axis]), lw=1.0, color=color, label=name)
        ax.set_ylabel(f'marker {i + 1} [mm]')
    axes[0].legend(ncols=3, fontsize=8)
    axes[0].set_title(f'{group.label}: coordinates from their mean; dots measured, lines fitted', fontsize=10)
    axes[-1].set_xlabel(what)
    return figure


def residual_figure(group: Residuals, observed) -> Figure:
    """Distances from predicted to measured markers."""
    figure = Figure(figsize=(8.0, 2.6), layout='constrained')
    ax = figure.subplots()
    t, what = _abscissa(observed)
    ax.plot(t, 1e3 * group.distance, '.', ms=4)
    ax.axhline(1e3 * group.rms, color='k', lw=0.8)
    ax.set(xlabel=what, ylabel='residual [mm]', ylim=(0.0, None))
    ax.set_title(f'{group.label}: a color for each marker; line: root mean square', fontsize=10)
    return figure


def correlation_figure(found: Identified) -> Figure:
    """Correlation matrix of the parameters."""
    names = [_short(each.path) for each in found.parameters]
    side = 2.2 + 0.8 * len(names)
    figure = Figure(figsize=(side + 1.0, side), layout='constrained')
    ax = figure.subplots()
    shown = ax.imshow(found.excitation.correlation, vmin=-1.0, vmax=1.0, cmap='RdBu_r')
    ax.set_xticks(range(len(names)), names, rotation=30, ha='right')
    ax.set_yticks(range(len(names)), names)
    for (i, j), value in np.ndenumerate(found.excitation.correlation):
        ax.text(j, i, f'{value:.2f}', ha='center', va='center', color='w' if abs(value) > 0.6 else 'k')
    figure.colorbar(shown, ax=ax, label='correlation')
    return figure


def interval_figure(found: Identified) -> Figure:
    """Intervals of 95 % as shares of the identified values, and the values of the robot file."""
    names = [_short(each.path) for each in found.parameters]
    unit = np.where(found.value == 0.0, 1.0, found.value)
    figure = Figure(figsize=(8.0, 1.2 + 0.5 * len(names)), layout='constrained')
    ax, rows = figure.subplots(), np.arange(len(names))
    low, high = 1e2 * (found.interval - found.value[:, None]).T / np.abs(unit)
    ax.errorbar(np.zeros(len(names)), rows, xerr=[-low, high], fmt='o', capsize=4, color=_COLORS[2])
    ax.set_yticks(rows, names)
    ax.invert_yaxis()
    ax.set(xlabel='95 % interval, % of the identified value')
    ax.grid(axis='x', alpha=0.3)
    return figure


def _abscissa(observed) -> tuple[np.ndarray, str]:
    if isinstance(observed, Motion):
        return observed.time - observed.time[0], 'time from the release [s]'
    return np.arange(1, len(observed.label) + 1), 'pose'


def _short(path: str) -> str:
    """The last word of a path, and the first."""
    words = path.split('.')
    return words[0] if len(words) == 1 else f'{words[-1]} ({words[1]})'
