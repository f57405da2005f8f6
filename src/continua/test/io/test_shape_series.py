"""Points between stations and between times."""

import numpy as np
import pytest

from continua.io.shape_series import ShapeSeries, resample

CURVATURE = 8.0
LENGTH = 0.3


def arc(stations):
    """Two equal circular arcs in the x-y plane, rotated about x by 0 and by 90 degrees."""
    s = np.linspace(0.0, LENGTH, stations)
    angle = CURVATURE * s
    flat = np.stack([np.sin(angle), 1 - np.cos(angle), 0 * s], axis=1) / CURVATURE
    turned = np.stack([flat[:, 0], 0 * s, flat[:, 1]], axis=1)
    zero = 0 * s
    q_flat = np.stack([zero, zero, np.sin(angle / 2), np.cos(angle / 2)], axis=1)
    half = np.sqrt(0.5)
    q_turned = half * np.stack([q_flat[:, 3], -q_flat[:, 2], q_flat[:, 2], q_flat[:, 3]], axis=1)
    signs = np.where(np.arange(stations) % 2, 1, -1)[:, None]
    return ShapeSeries(
        stamp=np.array([0.0, 1.0]),
        arc_length=np.stack([s, s]),
        position=np.stack([flat, turned]),
        orientation_xyzw=np.stack([q_flat, q_turned * signs]),
        strain=np.tile([0.0, 0.0, CURVATURE, 1.0, 0.0, 0.0], (2, stations, 1)),
    )


def expected(s, y, z):
    angle = CURVATURE * s
    centre = np.array([np.sin(angle), 1 - np.cos(angle), 0.0]) / CURVATURE
    flat = centre + y * np.array([-np.sin(angle), np.cos(angle), 0.0]) + [0.0, 0.0, z]
    return np.array([flat, [flat[0], -flat[2], flat[1]]])


@pytest.mark.parametrize('s', [0.0, 0.011, 0.1, 0.15, 0.2999, LENGTH])
@pytest.mark.parametrize('offset', [(0.0, 0.0), (0.02, -0.01)])
def test_points_of_an_arc_are_as_good_as_a_cubic_is(s, offset):
    """The error of a Hermite cubic is at most h^4 / 384 times the fourth derivative, which for an arc is k^3.
    Orientations between are exact. Signs of neighbouring quaternions alternate, which must not matter.
    """
    for stations in (6, 11, 21):
        bound = CURVATURE**3 * (LENGTH / (stations - 1)) ** 4 / 384
        error = np.linalg.norm(arc(stations).point(s, offset) - expected(s, *offset), axis=1)
        assert error.max() <= bound + 1e-15


def test_every_shape_may_have_its_own_stations():
    series = arc(11)
    longer = ShapeSeries(
        series.stamp,
        series.arc_length * [[1.0], [2.0]],
        series.position * [[[1.0]], [[2.0]]],
        series.orientation_xyzw,
        series.strain,
    )
    tip = longer.point(LENGTH)
    np.testing.assert_allclose(tip[0], series.tip[0], atol=1e-12)
    np.testing.assert_allclose(tip[1], 2.0 * series.position[1, 5], atol=1e-12)


@pytest.mark.parametrize('s', [-0.01, LENGTH + 0.01])
def test_arc_length_off_the_rod_is_refused(s):
    with pytest.raises(ValueError, match='not on the rod of 0.3 m'):
        arc(11).point(s)


def test_resampling_is_linear_and_says_where_it_is_unknown():
    stamp = np.array([0.0, 0.1, 0.2, 0.5])
    values = np.stack([stamp * 10, -stamp], axis=1)
    result, known = resample(stamp, values, np.array([-0.1, 0.0, 0.05, 0.2, 0.3, 0.5, 0.6]), 0.15)
    np.testing.assert_array_equal(known, [False, True, True, True, False, False, False])
    np.testing.assert_allclose(result[known, 0], [0.0, 0.5, 2.0])
    np.testing.assert_allclose(result[known, 1], [0.0, -0.05, -0.2])


def test_one_sample_is_not_enough_to_resample():
    _, known = resample(np.array([0.0]), np.array([[1.0]]), np.array([0.0]), 1.0)
    assert not known.any()
