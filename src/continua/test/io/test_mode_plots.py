"""Figures of reduced models show what they were given."""

from types import SimpleNamespace

import numpy as np

from continua.io.mode_plots import modes_figure, spectrum_figure, truncation_figure


def test_the_spectrum_is_relative_to_the_first_singular_value():
    left, right = spectrum_figure(np.array([4.0, 2.0, 0.0]), np.array([0.8, 1.0, 1.0])).axes
    assert np.allclose(left.lines[0].get_ydata(), [1.0, 0.5, 1e-16])
    assert np.allclose(right.lines[0].get_ydata(), [0.2, 1e-16, 1e-16])


def test_each_mode_has_its_strains_and_its_family():
    X = np.linspace(0.0, 0.5, 11)
    strain = np.arange(6.0) * np.ones((11, 1))
    family = np.arange(3.0)[:, None, None] * np.stack([X, X**2, 0 * X], axis=1)
    modes = [SimpleNamespace(arc_length=X, strain=strain, family=family, share=0.7 / n) for n in range(1, 8)]
    figure = modes_figure(modes)
    assert len(figure.axes) == 14
    for i, title in ((0, 'mode 1: 70 %'), (12, 'mode 7: 10 %')):
        flat, space = figure.axes[i : i + 2]
        assert flat.get_title() == title
        assert [line.get_ydata()[0] for line in flat.lines] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
        assert flat.lines[0].get_xdata()[-1] == 500.0
        assert len(space.lines) == 3


def test_errors_are_drawn_where_there_is_a_solution():
    error = np.array([[np.inf, 1.0], [0.02, 0.04], [0.001, 0.001]])
    (ax,) = truncation_figure(np.array([1, 2, 3]), error, 2).axes
    mean, recommended = ax.lines
    assert np.array_equal(mean.get_xdata(), [2, 3])
    assert np.allclose(mean.get_ydata(), [30.0, 1.0])
    assert list(recommended.get_xdata()) == [2, 2]
