"""Identification against a robot whose numbers are known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from continua.identification import (
    Misreading,
    Motion,
    Parameter,
    Poses,
    Predictor,
    Swarm,
    Unsolved,
    identify,
    parameter,
)
from continua.rod import Rod
from continua.sensing import MarkerModel


def test_exact_data_give_the_exact_numbers(prototype):
    found = identify(prototype.robot, prototype.parameters, prototype.poses, [prototype.motion])
    np.testing.assert_allclose(found.value, prototype.values, rtol=1e-4)
    assert found.converged and found.excitation.is_complete
    link, true = found.robot.link('arm'), prototype.true.link('arm')
    assert link.material.density == pytest.approx(true.material.density, rel=1e-4)


def test_half_a_millimetre_of_noise_leaves_2_percent(prototype):
    poses, motion = prototype.noisy(5e-4, seed=1)
    many = replace(poses, marker=prototype.noisy(5e-5, seed=1)[0].marker)  # means of a hundred readings
    found = identify(prototype.robot, prototype.parameters, many, [motion])
    np.testing.assert_allclose(found.value, prototype.values, rtol=0.02)
    noise = {each.label: each.noise for each in found.residuals}
    assert noise == pytest.approx({'poses': 5e-5, 'release': 5e-4}, rel=0.25)


def test_markers_that_are_not_seen_do_not_count(prototype):
    poses, motion = prototype.noisy(0.0, seed=0)
    poses.marker[2, 1], motion.marker[5:40, 2], motion.marker[60:, 0] = np.nan, np.nan, np.nan
    found = identify(prototype.robot, prototype.parameters, poses, [motion])
    np.testing.assert_allclose(found.value, prototype.values, rtol=1e-4)
    distance = found.residuals[0].distance
    assert np.isnan(distance[2, 1]) and np.isfinite(found.residuals[0].rms)


def test_intervals_hold_the_truth_as_often_as_they_say(prototype):
    names, held = prototype.parameters[:2], 0
    for seed in range(20):
        poses, _ = prototype.noisy(5e-4, seed)
        low, high = identify(prototype.true, names, poses).interval.T
        held += np.count_nonzero((low <= prototype.values[:2]) & (prototype.values[:2] <= high))
    # 40 intervals of 95 %; fewer or more than these come once in a thousand times
    assert binom.ppf(1e-3, 40, 0.95) <= held


def test_more_noise_gives_wider_intervals(prototype):
    def width(noise):
        found = identify(prototype.robot, prototype.parameters[:3], prototype.noisy(noise, seed=0)[0])
        return np.diff(found.interval, axis=1)[:, 0]

    np.testing.assert_allclose(width(1e-3) / width(1e-4), 10.0, rtol=0.2)


def test_a_wrong_model_widens_the_intervals(prototype):
    short = [parameter(prototype.robot, 'links.arm.material.youngs_modulus')]
    right = identify(prototype.robot, prototype.parameters[:3], prototype.poses)
    wrong = identify(prototype.robot, short, prototype.poses)  # density and friction stay wrong
    assert np.diff(wrong.interval[0]) > 10.0 * np.diff(right.interval[0])


def test_the_swarm_finds_what_least_squares_from_afar_does_not(prototype):
    far = [Parameter('links.arm.material.youngs_modulus', 5e4, 5e8)]
    start = prototype.robot.model_copy(
        update={
            'links': tuple(
                link.model_copy(update={'material': link.material.model_copy(update={'youngs_modulus': 4e8})})
                for link in prototype.true.links
            ),
            'tendons': prototype.true.tendons,
        }
    )
    found = identify(start, far, prototype.poses, swarm=Swarm(12, 10))
    np.testing.assert_allclose(found.value, prototype.values[:1], rtol=1e-3)


def test_weight_and_modulus_alone_are_not_told_apart(prototype):
    slack = Poses(np.zeros((2, 1)), np.zeros(2), prototype.poses.marker[[0, 0]], ('a', 'b'))
    found = identify(prototype.robot, prototype.parameters[:2], slack)
    assert not found.excitation.is_complete
    [sentence] = [each for each in found.sentences if 'apart' in each]
    assert 'youngs_modulus' in sentence and 'density' in sentence


def test_poses_do_not_excite_damping(prototype):
    found = identify(prototype.robot, prototype.parameters, prototype.poses)
    assert not found.excitation.is_complete
    assert any('do not excite links.arm.material.damping' in each for each in found.sentences)
    low, high = found.interval[3]
    bounds = prototype.parameters[3]
    assert (low, high) == pytest.approx((bounds.low, bounds.high))


def test_a_bound_that_holds_the_value_back_is_told(prototype):
    tight = [Parameter('links.arm.material.youngs_modulus', 1.9e6, 2.5e6)]
    found = identify(prototype.robot, tight, prototype.poses)
    assert any('ended at a bound' in each for each in found.sentences)


def test_a_weight_hangs_where_its_hook_is(prototype):
    poses = replace(prototype.poses, weight=np.full(8, 0.02))
    [shown] = Predictor(prototype.robot, poses, [], hook=('arm', 0.125))(prototype.true)
    data = prototype.true.model_dump(mode='json')
    data['masses'] = [{'name': 'weight', 'link': 'arm', 'arc_length': 0.125, 'mass': 0.02}]
    rod = Rod(type(prototype.true).model_validate(data))
    for tension, marker in zip(poses.inputs, shown, strict=True):
        np.testing.assert_allclose(MarkerModel(rod).predict(rod.statics(tension).q), marker, atol=1e-7)


def test_any_number_of_a_robot_file_can_be_identified(prototype):
    length = [Parameter('markers.tip.offset.1', -0.02, 0.02)]
    moved = prototype.poses.marker.copy()
    rod = Rod(prototype.true)
    for i, tension in enumerate(prototype.poses.inputs[3:], 3):
        shape = rod.shape(rod.statics(tension).q, [0.25])
        x, y, z, w = shape.orientation_xyzw[0]
        moved[i, 2] += 0.006 * np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    poses = replace(
        prototype.poses,
        inputs=prototype.poses.inputs[3:],
        weight=np.zeros(5),
        marker=moved[3:],
        label=prototype.poses.label[3:],
    )
    found = identify(prototype.true, length, poses)
    np.testing.assert_allclose(found.value, 0.006, atol=1e-6)


def test_what_is_misread_of_a_release_is_found(prototype):
    predict = Predictor(prototype.robot, None, [prototype.motion])
    [shown] = predict(prototype.true, [Misreading(3e-3, 0.05)])
    late = replace(prototype.motion, marker=shown)
    found = identify(prototype.true, prototype.parameters[3:], None, [late])
    assert found.residuals[0].misread.delay == pytest.approx(3e-3, rel=1e-3)
    assert found.residuals[0].misread.fall == pytest.approx(0.05, rel=1e-3)
    np.testing.assert_allclose(found.value, prototype.values[3:], rtol=1e-4)


def test_progress_is_told_and_ends_it(prototype):
    told = []

    def progress(share, sentence):
        told.append(share)
        if share > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        identify(
            prototype.robot,
            prototype.parameters[:1],
            prototype.poses,
            swarm=Swarm(4, 5),
            progress=progress,
        )
    assert told == sorted(told) and told[-1] < 0.7


def test_what_cannot_be_solved_is_told(prototype):
    poses = replace(prototype.poses, weight=np.full(8, -1e4))
    with pytest.raises(Unsolved):
        Predictor(prototype.robot, poses, [])(prototype.true)


def test_a_robot_file_that_cannot_be_solved_needs_a_swarm(prototype):
    poses = replace(prototype.poses, weight=np.full(8, -1e4))
    with pytest.raises(ValueError, match='search with a swarm'):
        identify(prototype.robot, prototype.parameters[:1], poses)


def test_a_value_outside_its_bounds_starts_at_the_nearer(prototype):
    zero = [Parameter('tendons.*.friction', 0.2, 0.5)]
    found = identify(prototype.true, zero, prototype.poses)
    assert found.value[0] == pytest.approx(0.2, rel=1e-3) and found.given[0] == pytest.approx(0.17)


@pytest.mark.parametrize(
    ('poses', 'motions', 'sentence'),
    [
        (lambda p: None, [], 'no data'),
        (lambda p: replace(p, inputs=np.zeros((8, 2))), [], 'expected 1 inputs and 3 markers'),
        (lambda p: replace(p, marker=np.full((8, 3, 3), np.nan)), [], 'too few'),
    ],
)
def test_wrong_data_are_refused(prototype, poses, motions, sentence):
    with pytest.raises(ValueError, match=sentence):
        identify(prototype.robot, prototype.parameters, poses(prototype.poses), motions)


def test_observations_are_checked():
    with pytest.raises(ValueError, match='of 2 poses'):
        Poses(np.zeros((2, 1)), np.zeros(3), np.zeros((2, 1, 3)), ('a', 'b'))
    with pytest.raises(ValueError, match='must be finite'):
        Poses(np.array([[np.nan]]), np.zeros(1), np.zeros((1, 1, 3)), ('a',))
    with pytest.raises(ValueError, match='increasing'):
        Motion(np.zeros(3), np.zeros((3, 1)), np.zeros((3, 1, 3)), 'm')
    with pytest.raises(ValueError, match='at 3 times'):
        Motion(np.arange(3.0), np.zeros((2, 1)), np.zeros((3, 1, 3)), 'm')
