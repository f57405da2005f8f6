"""Figures of a run's report, each a matplotlib figure that no window ever shows."""

import itertools

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from continua.io.estimation_error import START_UP, ErrorSeries
from continua.io.run import Run
from continua.io.shape_series import ShapeSeries
from continua.io.summary import Summary

__all__ = ['arm_snapshots', 'error_over_time', 'latencies', 'pressures', 'tensions', 'tip_trajectory']

TRUTH, ESTIMATES = '#1b4f72', ('#e67e22', '#27ae60', '#8e44ad', '#c0392b')
_WIDTH = 9.0  # [inch]
_SNAPSHOTS = 8
_FINEST = 4000  # more points than a figure's pixels show nothing more


def tensions(run: Run) -> Figure:
    """Commanded and measured tension of every tendon."""
    series = run.tendons
    return _followed(series.stamp, series.names, series.command, series.tension, 'N')


def pressures(run: Run) -> Figure:
    """Measured pressure of every chamber, and its setpoint where it is known."""
    series = run.chambers
    command = None if series.command is None else 1e-3 * series.command
    return _followed(series.stamp, series.names, command, 1e-3 * series.pressure, 'kPa')


def _followed(
    stamp: np.ndarray, names: tuple[str, ...], command: np.ndarray | None, measured: np.ndarray, unit: str
) -> Figure:
    figure, axes = _stack(len(names), height=1.1)
    every = slice(None, None, max(1, len(stamp) // _FINEST))
    for i, (ax, name) in enumerate(zip(axes, names, strict=True)):
        ax.plot(stamp[every], measured[every, i], color=ESTIMATES[0], lw=1.0, label='measured')
        if command is not None:
            ax.plot(stamp[every], command[every, i], color=TRUTH, lw=1.0, label='applied command')
        ax.set_ylabel(f'{name}\n[{unit}]')
    axes[0].legend(loc='upper right', ncols=2)
    axes[-1].set_xlabel('time [s]')
    return figure


def tip_trajectory(run: Run) -> Figure:
    """Coordinates of the tip, true and estimated."""
    figure, axes = _stack(3, height=1.5)
    for i, (ax, name) in enumerate(zip(axes, 'xyz', strict=True)):
        for shape, color, width, label in _shapes(run):
            ax.plot(shape.stamp, 1e3 * shape.tip[:, i], color=color, lw=width, label=label)
        ax.set_ylabel(f'tip {name} [mm]')
    axes[0].legend(loc='upper right', ncols=2)
    axes[-1].set_xlabel('time [s]')
    return figure


def error_over_time(errors: dict[str, ErrorSeries]) -> Figure:
    """Errors over time, and their distribution after the start-up, which is shaded and may be cut off."""
    figure = _figure(2.8)
    left, right = figure.subplots(1, 2, width_ratios=(3, 1))
    counted = {name: 1e3 * error.after_start_up() for name, error in errors.items()}
    everything = np.concatenate(list(counted.values()))
    bins = np.linspace(0.0, np.percentile(everything, 99.5) if everything.size else 1.0, 40)
    for name, error in errors.items():
        (line,) = left.plot(error.stamp, 1e3 * error.distance, lw=0.8, label=name)
        right.hist(counted[name], bins, color=line.get_color(), alpha=0.6)
    begin = min(error.stamp[0] for error in errors.values())
    left.axvspan(begin, begin + START_UP, color='0.9', zorder=0)
    left.set(xlabel='time [s]', ylabel='error [mm]')
    left.set_ylim(0.0, 1.1 * everything.max() if everything.any() else None)
    left.legend(loc='upper right')
    right.set(xlabel='error [mm], 99.5 % of all', ylabel='estimates')
    return figure


def latencies(summary: Summary) -> Figure:
    """Median and 99th percentile of the time from measurement to reception, by topic."""
    rows = {name: topic.latency_ms for name, topic in summary.topics.items() if topic.latency_ms}
    figure = _figure(0.8 + 0.28 * len(rows))
    ax = figure.subplots()
    places = np.arange(len(rows))
    ax.barh(places, [latency.p99 for latency in rows.values()], color='#aed6f1', label='99 % within')
    ax.barh(places, [latency.median for latency in rows.values()], color=TRUTH, height=0.4, label='median')
    ax.set_yticks(places, rows, fontsize=8)
    ax.invert_yaxis()
    ax.set_xlabel('latency [ms]')
    ax.legend(loc='lower right')
    return figure


def arm_snapshots(run: Run) -> Figure:
    """The arm in space at some times spread over the run, and the way of its tip."""
    figure = _figure(5.0)
    ax = figure.add_subplot(projection='3d')
    shapes = _shapes(run)
    begin = max(shape.stamp[0] for shape, *_ in shapes) + START_UP
    times = np.linspace(begin, min(shape.stamp[-1] for shape, *_ in shapes), _SNAPSHOTS)
    for shape, color, width, label in shapes:
        ax.plot(*shape.tip.T, color=color, lw=0.4, alpha=0.4)
        for k, i in enumerate(np.clip(np.searchsorted(shape.stamp, times), 0, len(shape.stamp) - 1)):
            ax.plot(*shape.position[i].T, color=color, lw=width, label=label if k == 0 else None)
    ax.set(xlabel='x [m]', ylabel='y [m]', zlabel='z [m]')
    ax.set_aspect('equal')
    ax.locator_params(nbins=5)
    ax.legend(loc='upper left')
    return figure


def _shapes(run: Run) -> list[tuple[ShapeSeries, str, float, str]]:
    """(shape, colour, line width, label) of those that were recorded; the truth, below, is the wider line."""
    estimates = zip(run.estimates.items(), itertools.cycle(ESTIMATES), strict=False)
    shapes = [(shape, color, 1.0, name) for (name, shape), color in estimates]
    return shapes if run.truth is None else [(run.truth, TRUTH, 2.6, 'truth'), *shapes]


def _figure(height: float) -> Figure:
    return Figure(figsize=(_WIDTH, height), layout='constrained')


def _stack(n: int, height: float) -> tuple[Figure, list[Axes]]:
    """n axes over each other with a common time axis; height: [inch] of one."""
    figure = _figure(0.4 + n * height)
    return figure, list(np.atleast_1d(figure.subplots(n, 1, sharex=True)))
