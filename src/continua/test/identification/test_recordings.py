"""Poses and motions out of recorded signals."""

from dataclasses import replace

import numpy as np
import pytest

from continua.identification.recordings import Recording, poses_of, release_of

RATE = 100.0


def recording(holds, noise=0.0, seed=0):
    """Of one tendon that holds each of (tension N, time s), with a drive that lags by 30 ms, and of two
    markers, the first with an x of a centimetre a newton."""
    random = np.random.default_rng(seed)
    command = np.concatenate([np.full(round(RATE * time), tension) for tension, time in holds])
    tension = [command[0]]
    for each in command[1:]:
        tension.append(each + (tension[-1] - each) * np.exp(-1.0 / RATE / 0.03))
    time, tension = np.arange(command.size) / RATE, np.array(tension)
    marker = np.zeros((time.size, 2, 3))
    marker[:, 0, 0] = 0.01 * tension
    marker += noise * random.normal(size=marker.shape)
    measured = tension + 0.02 * (noise > 0.0) * random.normal(size=tension.shape)
    return Recording('run', time, marker, time, measured[:, None], command[:, None])


def test_each_hold_is_a_pose():
    poses, sentences = poses_of([(recording([(0.0, 2.0), (3.0, 2.0), (1.0, 0.5), (2.0, 2.0)], 5e-4), 0.02)])
    assert not sentences
    np.testing.assert_allclose(poses.inputs[:, 0], [0.0, 3.0, 2.0], atol=0.01)
    np.testing.assert_allclose(poses.marker[:, 0, 0], [0.0, 0.03, 0.02], atol=3e-4)
    np.testing.assert_array_equal(poses.weight, 0.02)


def test_a_robot_that_still_moves_gives_no_pose():
    moving = recording([(0.0, 2.0), (3.0, 2.0)], 5e-4)
    moving.marker[200:, 0, 0] += 0.005 * np.cos(20.0 * moving.time[200:])
    poses, sentences = poses_of([(moving, 0.0)])
    assert len(poses.label) == 1
    assert '1 of 2 poses' in sentences[0] and 'hold each tension longer' in sentences[0]


def test_a_marker_that_was_never_seen_is_nan():
    blind = recording([(1.0, 2.0)])
    blind.marker[:, 1] = np.nan
    blind.marker[::2, 0] = np.nan
    poses, _ = poses_of([(blind, 0.0)])
    assert np.isnan(poses.marker[0, 1]).all()
    np.testing.assert_allclose(poses.marker[0, 0], [0.01, 0.0, 0.0], atol=1e-12)


def test_a_release_begins_with_the_last_sample_of_the_hold():
    motion = release_of(recording([(0.0, 1.5), (4.0, 2.0), (0.5, 3.0)], 5e-4))
    assert motion.time[0] == pytest.approx(3.49)
    assert motion.inputs[0, 0] == pytest.approx(4.0, abs=0.01)
    np.testing.assert_allclose(motion.inputs[1:4, 0] - 0.5, 3.5 * np.exp(-np.arange(1, 4) / 3.0), atol=0.1)
    assert np.ptp(motion.inputs[100:]) == 0.0
    np.testing.assert_allclose(motion.inputs[-1, 0], 0.5, atol=0.01)


def test_a_motion_ends_before_the_next_change():
    motion = release_of(recording([(4.0, 2.0), (0.0, 2.0), (3.0, 2.0)]))
    assert motion.time[-1] == pytest.approx(3.99)


def test_a_tension_that_goes_on_changing_is_kept():
    swaying = recording([(4.0, 2.0), (0.0, 3.0)])
    tension = swaying.tension.copy()
    tension[200:, 0] += 0.3 * np.sin(10.0 * swaying.time[200:])
    motion = release_of(replace(swaying, tension=tension))
    np.testing.assert_allclose(motion.inputs[1:, 0], tension[200:, 0])


def test_a_run_without_release_is_refused():
    with pytest.raises(ValueError, match='record a release'):
        release_of(recording([(0.0, 2.0), (4.0, 2.0)]))
