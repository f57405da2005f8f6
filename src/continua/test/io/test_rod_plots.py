"""Figures of rods and animation files: what is drawn, units on the axes, sentences."""

from types import SimpleNamespace

import matplotlib.animation
import numpy as np
import pytest
from PIL import Image

from continua.io import rod_plots
from continua.io.animation import animate_run

X = np.linspace(0.0, 0.3, 7)


def shape(curvature=0.0):
    strain = np.tile([0.0, curvature, 0.0, 1.02, 0.0, 0.0], (7, 1))
    return SimpleNamespace(arc_length=X, position=np.stack([X, 0 * X, 0 * X], axis=1), strain=strain)


def test_strains_are_drawn_from_straight_with_units():
    upper, lower = rod_plots.strain_figure(shape(2.0), shape()).axes
    curves = {line.get_label(): line.get_ydata() for line in upper.lines + lower.lines}
    np.testing.assert_allclose(curves['bending ky'], 2.0)
    np.testing.assert_allclose(curves['stretch lx - 1'], 0.02)
    assert (upper.get_ylabel(), lower.get_ylabel()) == ('curvature [rad/m]', 'strain [-]')
    assert lower.get_xlabel() == 'arc length [m]'


def test_shapes_and_tendons_are_in_one_box_of_one_scale():
    tendon = np.array([[0.0, 0.1, 0.0], [0.3, 0.1, 0.0]])
    (ax,) = rod_plots.shape_figure([shape(), shape()], {'t': tendon}).axes
    assert len(ax.lines) == 3
    assert [np.ptp(limits) for limits in (ax.get_xlim(), ax.get_ylim(), ax.get_zlim())] == pytest.approx(
        [np.ptp(ax.get_xlim())] * 3
    )
    assert ax.get_xlim()[0] <= 0.0 and ax.get_xlim()[1] >= 0.3 and ax.get_ylim()[1] >= 0.1
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ('x [m]', 'y [m]', 'z [m]')


def test_the_tip_is_in_millimetres_and_inputs_have_their_labels():
    time = np.linspace(0.0, 1.0, 5)
    axes = rod_plots.tip_figure(time, np.outer(time, [1e-3, 2e-3, 3e-3])).axes
    assert [ax.lines[0].get_ydata()[-1] for ax in axes] == pytest.approx([1.0, 2.0, 3.0])
    assert [ax.get_ylabel() for ax in axes] == ['tip x [mm]', 'tip y [mm]', 'tip z [mm]']
    (ax,) = rod_plots.input_figure(time, np.ones((5, 2)), ['pull [N]', 'bellow [Pa]']).axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ['pull [N]', 'bellow [Pa]']


def test_energies_are_in_millijoules_and_the_potential_counts_from_the_start():
    time = np.array([0.0, 1.0])
    parts = ('kinetic', 'elastic', 'input_work', 'load_work', 'dissipated')
    balance = SimpleNamespace(
        time=time, potential=np.array([5.0, 5.5]), imbalance=1e-6 * time, **dict.fromkeys(parts, 0.25 * time)
    )
    upper, lower = rod_plots.energy_figure(balance).axes
    curves = {line.get_label(): line.get_ydata() for line in upper.lines}
    np.testing.assert_allclose(curves['potential'], [0.0, 500.0])
    np.testing.assert_allclose(curves['input work'], [0.0, 250.0])
    np.testing.assert_allclose(lower.lines[0].get_ydata(), [0.0, 1.0])


@pytest.fixture
def motion():
    time = np.linspace(0.0, 0.2, 11)
    return SimpleNamespace(
        time=time, q=time[:, None], tip_position=np.array([skeleton([t])[0][-1] for t in time])
    )


def skeleton(q):
    """A line that rises with q[0], and a post that stands."""
    line = shape().position.copy()
    line[:, 2] += q[0] * X
    return [line, np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -0.1]])]


def test_an_animation_runs_at_real_speed(motion, tmp_path):
    shares = []
    animate_run(motion, skeleton, tmp_path / 'run.gif', rate=10.0, progress=shares.append)
    with Image.open(tmp_path / 'run.gif') as pictures:
        assert (pictures.n_frames, pictures.info['duration']) == (3, 100)
        first = np.asarray(pictures.convert('L'), dtype=float)
        pictures.seek(2)
        assert np.abs(np.asarray(pictures.convert('L'), dtype=float) - first).max() > 50
    assert shares == pytest.approx([1 / 3, 2 / 3, 1.0])


def test_mp4_without_ffmpeg_is_refused(motion, tmp_path, monkeypatch):
    monkeypatch.setattr(matplotlib.animation.FFMpegWriter, 'isAvailable', classmethod(lambda cls: False))
    with pytest.raises(ValueError, match='ffmpeg is not installed; write a .gif instead'):
        animate_run(motion, skeleton, tmp_path / 'run.mp4')


def test_a_figure_that_cannot_be_written_is_a_sentence(tmp_path):
    with pytest.raises(ValueError, match='the figure cannot be written'):
        rod_plots.save(rod_plots.strain_figure(shape()), tmp_path / 'no_folder' / 'x.png')
