"""Figures of rods: shapes, strains, motions, energies. Each returns a matplotlib figure that no window shows.

A shape has arc_length (m,) m, position (m, 3) m and strain (m, 6), as `continua.rod.Shape`; tendons are
polylines (k, 3) m by name, as of `tendon_paths`; meshes have vertices (v, 3) m and faces (f, 3), as `skins`.
"""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = [
    'energy_figure',
    'input_figure',
    'save',
    'shape_figure',
    'static_figure',
    'strain_figure',
    'tip_figure',
]

BODY, TENDON = '#1b4f72', '#c0392b'
CURVATURES = ('torsion kx', 'bending ky', 'bending kz')
STRETCHES = ('stretch lx - 1', 'shear ly', 'shear lz')


def shape_figure(shapes: list, tendons: dict[str, np.ndarray]) -> Figure:
    """Backbones in space, the last one dark, and tendons."""
    figure = Figure(figsize=(6.0, 6.0), layout='constrained')
    _draw_shapes(figure.add_subplot(projection='3d'), shapes, tendons)
    return figure


def strain_figure(shape, reference=None) -> Figure:
    """Strains along the body; dashed those of the reference shape."""
    figure = Figure(figsize=(7.0, 5.0), layout='constrained')
    _draw_strains(figure.subplots(2, 1, sharex=True), shape, reference)
    return figure


def static_figure(shape, reference, tendons: dict[str, np.ndarray], meshes: list) -> Figure:
    """A robot in space beside the strains along its backbone; dashed those of the reference shape."""
    figure = Figure(figsize=(11.0, 5.0), layout='constrained')
    left, right = figure.subfigures(1, 2)
    ax = left.add_subplot(projection='3d')
    _draw_shapes(ax, [shape], tendons)
    for mesh in meshes:
        ax.plot_trisurf(*mesh.vertices.T, triangles=mesh.faces, color=BODY, alpha=0.15)
    equal_box(ax, np.concatenate([mesh.vertices for mesh in meshes]))
    _draw_strains(right.subplots(2, 1, sharex=True), shape, reference)
    return figure


def tip_figure(time: np.ndarray, tip: np.ndarray) -> Figure:
    """Coordinates of the tip (m, 3) m in the world against time (m,) s."""
    figure = Figure(figsize=(8.0, 4.5), layout='constrained')
    axes = figure.subplots(3, 1, sharex=True)
    for ax, name, values in zip(axes, 'xyz', tip.T, strict=True):
        ax.plot(time, 1e3 * values, color=BODY, lw=1.2)
        ax.set_ylabel(f'tip {name} [mm]')
        if np.ptp(1e3 * values) < 0.1:  # what does not move shall not look as if it did
            ax.set_ylim(1e3 * values.mean() - 0.5, 1e3 * values.mean() + 0.5)
    axes[-1].set_xlabel('time [s]')
    return figure


def input_figure(time: np.ndarray, inputs: np.ndarray, labels: list[str]) -> Figure:
    """Inputs (m, K) against time (m,) s; labels: name and unit of each."""
    figure = Figure(figsize=(8.0, 3.0), layout='constrained')
    ax = figure.subplots()
    for values, label in zip(inputs.T, labels, strict=True):
        ax.plot(time, values, lw=1.2, label=label)
    ax.set(xlabel='time [s]', ylabel='input')
    ax.legend(loc='best')
    return figure


def energy_figure(balance) -> Figure:
    """The parts of an energy balance, and below what they are off the first law."""
    figure = Figure(figsize=(8.0, 5.0), layout='constrained')
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    for name in ('kinetic', 'elastic', 'potential', 'input_work', 'load_work', 'dissipated'):
        values = getattr(balance, name)
        # Only changes of the potential mean anything.
        upper.plot(
            balance.time, 1e3 * (values - values[0] * (name == 'potential')), label=name.replace('_', ' ')
        )
    upper.set_ylabel('energy [mJ]')
    upper.legend(loc='best', ncols=2)
    lower.plot(balance.time, 1e6 * balance.imbalance, color='0.3')
    lower.set(xlabel='time [s]', ylabel='imbalance [µJ]')
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the suffix says how. Raises ValueError where it cannot be."""
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise ValueError(f'{path}: the figure cannot be written: {error}') from None


def _draw_shapes(ax: Axes, shapes: list, tendons: dict[str, np.ndarray]) -> None:
    for i, shape in enumerate(shapes):
        is_last = i == len(shapes) - 1
        ax.plot(*shape.position.T, color=BODY, lw=3.0 if is_last else 1.0, alpha=1.0 if is_last else 0.4)
    for line in tendons.values():
        ax.plot(*line.T, color=TENDON, lw=0.8)
    ax.set(xlabel='x [m]', ylabel='y [m]', zlabel='z [m]')
    equal_box(ax, np.concatenate([shape.position for shape in shapes] + list(tendons.values())))
    ax.locator_params(nbins=5)


def equal_box(ax: Axes, points: np.ndarray) -> None:
    """Limits of 3-D axes that hold the points (m, 3), with one scale for all directions."""
    low, high = points.min(axis=0), points.max(axis=0)
    half = 0.5 * max((high - low).max(), 1e-6)
    middle = 0.5 * (low + high)
    ax.set(**{f'{name}lim': (c - half, c + half) for name, c in zip('xyz', middle, strict=True)})
    ax.set_box_aspect((1.0, 1.0, 1.0))


def _draw_strains(axes: list[Axes], shape, reference) -> None:
    straight = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    for ax, names, rows in ((axes[0], CURVATURES, range(3)), (axes[1], STRETCHES, range(3, 6))):
        for name, row in zip(names, rows, strict=True):
            (line,) = ax.plot(shape.arc_length, (shape.strain - straight)[:, row], label=name)
            if reference is not None:
                values = (reference.strain - straight)[:, row]
                ax.plot(reference.arc_length, values, color=line.get_color(), lw=0.8, ls='--')
        ax.legend(loc='best')
    axes[0].set_ylabel('curvature [rad/m]')
    axes[1].set(xlabel='arc length [m]', ylabel='strain [-]')
