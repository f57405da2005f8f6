import numpy as np
import pytest

from continua.devices.mocap_markers import MarkerTracker, by_name

PLACES = np.array([[0.0, 0.0, -0.06], [0.0, 0.02, -0.12], [0.0, -0.02, -0.18], [0.0, 0.0, -0.25]])
RATE = 240.0


def tracker():
    return MarkerTracker(PLACES, start_reach=0.05, speed=2.0, jitter=0.005)


def moved(time: float) -> np.ndarray:
    """The markers of a pendulum of 0.25 m, up to 0.6 m/s at its tip."""
    angle = 0.6 * np.sin(4.0 * time)
    c, s = np.cos(angle), np.sin(angle)
    return PLACES @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T


def test_names_follow_moving_markers_in_any_order():
    rng, follow = np.random.default_rng(1), tracker()
    for i in range(2400):
        true = moved(i / RATE)
        points = rng.permutation(true + rng.normal(0.0, 1e-3, true.shape))
        np.testing.assert_allclose(follow.name(points, i / RATE), true, atol=6e-3)


def test_occluded_markers_are_missing_and_nobody_elses():
    rng, follow = np.random.default_rng(2), tracker()
    follow.name(PLACES, 0.0)
    for i in range(1, 4800):
        true = moved(i / RATE)
        is_seen = rng.random(4) > 0.1
        found = follow.name(rng.permutation(true[is_seen]), i / RATE)
        is_found = np.isfinite(found[:, 0])
        assert not (is_found & ~is_seen).any()
        np.testing.assert_array_equal(found[is_found], true[is_found])
    assert follow.ambiguous < 10


def test_a_marker_comes_back_after_a_long_gap():
    follow = tracker()
    for i in range(480):
        true = moved(i / RATE)
        found = follow.name(np.delete(true, 3, axis=0) if 120 < i < 360 else true, i / RATE)
        assert np.isfinite(found[3]).all() == (not 120 < i < 360)
        np.testing.assert_array_equal(found[:3], true[:3])


def test_two_lost_markers_that_could_be_swapped_stay_without_names():
    follow = tracker()
    follow.name(PLACES, 0.0)
    for i in range(1, 120):
        follow.name(PLACES[[0, 3]], i / RATE)
    between = PLACES[[1, 2]].mean(axis=0)
    found = follow.name(np.array([PLACES[0], between, PLACES[3]]), 0.5)
    assert np.isnan(found[[1, 2]]).all()
    np.testing.assert_array_equal(found[[0, 3]], PLACES[[0, 3]])
    assert follow.ambiguous == 1
    # Back at their places there is no doubt.
    np.testing.assert_array_equal(follow.name(PLACES, 0.51), PLACES)


def test_swapped_points_are_unswapped():
    follow = tracker()
    follow.name(PLACES, 0.0)
    np.testing.assert_array_equal(follow.name(PLACES[[0, 2, 1, 3]], 1 / RATE), PLACES)


def test_stray_points_get_no_name():
    follow = tracker()
    stray = np.array([[1.0, 1.0, 1.0], [0.0, 0.3, -0.1]])
    np.testing.assert_array_equal(follow.name(np.vstack([stray, PLACES]), 0.0), PLACES)
    assert np.isnan(follow.name(stray, 1 / RATE)).all()
    assert np.isnan(follow.name(stray[:1], 3600.0)).all()  # farther than the robot is large


def test_markers_far_from_their_places_are_not_taken_at_the_start():
    assert np.isnan(tracker().name(PLACES + [0.5, 0.0, 0.0], 0.0)).all()


def test_no_points():
    assert np.isnan(tracker().name(np.zeros((0, 3)), 0.0)).all()


def test_a_set_gives_its_names():
    found = by_name(['a', 'b', 'c'], ['c', 'x', 'a'], PLACES[:3])
    np.testing.assert_array_equal(found[[0, 2]], PLACES[[2, 0]])
    assert np.isnan(found[1]).all()


@pytest.mark.parametrize('given', [[], ['a', 'b', 'c']])
def test_names_that_do_not_fit_the_positions_are_not_used(given):
    assert np.isnan(by_name(['a', 'b'], given, PLACES)).all()
