"""Figures of reduced models: spectra, modes with their families of shapes, errors by number of modes.

Each returns a matplotlib figure that no window shows.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from continua.io.rod_plots import BODY, CURVATURES, STRETCHES, TENDON, equal_box

__all__ = ['modes_figure', 'spectrum_figure', 'truncation_figure']

_COLUMNS = 5


def spectrum_figure(singular_values: np.ndarray, relative_energy: np.ndarray) -> Figure:
    """Singular values (r,), as shares of the largest, and the energy that the first modes (r,) leave out."""
    figure = Figure(figsize=(7.0, 3.5), layout='constrained')
    left, right = figure.subplots(1, 2)
    number = np.arange(1, len(singular_values) + 1)
    left.semilogy(number, np.maximum(singular_values / singular_values[0], 1e-16), 'o-', color=BODY, ms=3)
    left.set(xlabel='mode', ylabel='singular value / largest')
    right.semilogy(number, np.maximum(1.0 - relative_energy, 1e-16), 'o-', color=BODY, ms=3)
    right.set(xlabel='modes', ylabel='energy left out')
    return figure


def modes_figure(modes: Sequence) -> Figure:
    """Strains of modes along the backbone above, their families of shapes below; see `ModeShape`."""
    columns = min(len(modes), _COLUMNS)
    rows = -(-len(modes) // _COLUMNS)
    figure = Figure(figsize=(2.6 * columns + 1.4, 4.6 * rows), layout='constrained')
    for i, mode in enumerate(modes):
        place = 2 * (i // _COLUMNS) * columns + i % _COLUMNS + 1
        ax = figure.add_subplot(2 * rows, columns, place)
        for name, values in zip((*CURVATURES, *STRETCHES), mode.strain.T, strict=True):
            ax.plot(1e3 * mode.arc_length, values, lw=1.2, label=name.removesuffix(' - 1'))
        ax.set_title(f'mode {i + 1}: {100.0 * mode.share:.3g} %', fontsize=9)
        ax.set_xlabel('arc length [mm]')
        space = figure.add_subplot(2 * rows, columns, place + columns, projection='3d')
        for line in mode.family:
            space.plot(*(1e3 * line).T, color=BODY, lw=1.0)
        equal_box(space, 1e3 * mode.family.reshape(-1, 3))
        space.locator_params(nbins=3)
        space.tick_params(labelsize=6)
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc='outside upper center', ncols=6, fontsize=8
    )
    return figure


def truncation_figure(counts: np.ndarray, error: np.ndarray, recommended: int) -> Figure:
    """Errors (c, k) m of c numbers of modes in k cases: their mean, and the range that nine of ten are in."""
    figure = Figure(figsize=(6.0, 3.5), layout='constrained')
    ax = figure.subplots()
    solved = np.isfinite(error).all(axis=1)
    n, error = counts[solved], np.maximum(1e3 * error[solved], 1e-6)
    ax.semilogy(n, error.mean(axis=1), 'o-', color=BODY, ms=3)
    ax.fill_between(n, *np.quantile(error, (0.05, 0.95), axis=1), color=BODY, alpha=0.15)
    ax.axvline(recommended, color=TENDON, lw=1.0, ls='--', label=f'recommended: {recommended}')
    ax.set(xlabel='modes', ylabel='error [mm]')
    ax.legend(loc='best')
    return figure
