"""Tension references: their shape in time, their bounds, and that they can be repeated."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.control.references import Babble, Circle, Release, Sine, Step, Sweep, check_limits
from continua.control.safety import TENSION

LOW = np.array([0.0, 1.0, 0.5])
HIGH = np.array([2.0, 4.0, 0.5])


def make_all():
    return [
        Step(LOW, HIGH, time=1.0),
        Release(LOW, HIGH, time=1.0),
        Sine(LOW, HIGH, frequency=0.5),
        Circle(LOW, HIGH, frequency=0.5, angle=np.array([0.0, 2.0, 4.0])),
        Babble(LOW, HIGH, hold_min=0.2, hold_max=1.0, seed=3),
    ]


@given(st.floats(-10.0, 100.0))
def test_all_have_the_common_form_and_stay_between_low_and_high(t):
    for reference in make_all():
        tension = reference(t)
        assert tension.shape == (3,)
        assert (tension >= LOW - 1e-12).all()
        assert (tension <= HIGH + 1e-12).all()
        assert reference.duration == math.inf
        np.testing.assert_array_equal(reference(min(t, 0.0)), reference(0.0))


def test_a_step_rises_at_its_time():
    step = Step(LOW, HIGH, time=1.0)
    np.testing.assert_array_equal(step(0.999), LOW)
    np.testing.assert_array_equal(step(1.0), HIGH)


def test_a_release_falls_at_its_time():
    release = Release(LOW, HIGH, time=1.0)
    np.testing.assert_array_equal(release(0.999), HIGH)
    np.testing.assert_array_equal(release(1.0), LOW)


def test_a_sweep_raises_one_tendon_after_the_other():
    sweep = Sweep(np.array([0.0, 1.0]), np.array([4.0, 2.0]), levels=3, hold=0.5)
    played = [sweep(0.25 + 0.5 * i) for i in range(6)]
    np.testing.assert_allclose(played, [[0, 1], [2, 1], [4, 1], [0, 1], [0, 1.5], [0, 2]])
    assert sweep.duration == 3.0
    np.testing.assert_array_equal(sweep(100.0), sweep(2.9))
    np.testing.assert_array_equal(sweep(-1.0), sweep(0.0))


def test_a_sine_starts_low_and_is_high_after_half_a_period():
    sine = Sine(LOW, HIGH, frequency=0.5)
    np.testing.assert_allclose(sine(0.0), LOW)
    np.testing.assert_allclose(sine(0.5), (LOW + HIGH) / 2)
    np.testing.assert_allclose(sine(1.0), HIGH)
    np.testing.assert_allclose(sine(2.0), LOW)


def test_a_circle_pulls_each_tendon_most_in_its_own_direction():
    angle = np.array([0.0, 2 * np.pi / 3, 4 * np.pi / 3])
    circle = Circle(np.zeros(3), np.ones(3), frequency=1.0, angle=angle)
    for i, time in enumerate([0.0, 1 / 3, 2 / 3]):
        np.testing.assert_allclose(circle(time), np.where(np.arange(3) == i, 1.0, 0.25))


def test_a_circle_of_tendons_evenly_around_pulls_equally_hard_in_all_directions():
    angle = 2 * np.pi * np.arange(3) / 3
    circle = Circle(np.zeros(3), np.ones(3), frequency=1.0, angle=angle)
    pulls = [np.abs(circle(t) @ np.exp(1j * angle)) for t in np.linspace(0.0, 1.0, 20)]
    np.testing.assert_allclose(pulls, pulls[0])


def test_babble_is_the_same_for_the_same_seed_in_whatever_order():
    times = np.linspace(0.0, 20.0, 301)
    forwards, backwards = (Babble(LOW, HIGH, 0.2, 1.0, seed=7) for _ in range(2))
    ahead = np.array([forwards(t) for t in times])
    back = np.array([backwards(t) for t in times[::-1]])[::-1]
    np.testing.assert_array_equal(ahead, back)
    other = Babble(LOW, HIGH, 0.2, 1.0, seed=8)
    assert not np.array_equal(ahead, [other(t) for t in times])


def test_babble_holds_each_tendon_for_a_time_of_its_own_within_bounds():
    babble = Babble(np.zeros(2), np.ones(2), hold_min=0.2, hold_max=1.0, seed=1)
    times = np.arange(0.0, 60.0, 0.001)
    values = np.array([babble(t) for t in times])
    changes = [times[1:][np.diff(values[:, i]) != 0.0] for i in range(2)]
    for change in changes:
        holds = np.diff(change)
        assert holds.min() >= 0.2 - 0.0011
        assert holds.max() <= 1.0 + 0.0011
        assert holds.max() - holds.min() > 0.5
    assert not set(changes[0]) & set(changes[1])


@pytest.mark.parametrize('hold', [(0.0, 1.0), (2.0, 1.0), (math.nan, 1.0), (1.0, math.inf)])
def test_wrong_holding_times_are_refused(hold):
    with pytest.raises(ValueError, match='expected 0 < hold_min <= hold_max'):
        Babble(LOW, HIGH, *hold, seed=1)


def test_a_reference_beyond_the_limits_of_a_tendon_is_refused():
    tendons = [SimpleNamespace(name=n, limits=SimpleNamespace(tension=(0.0, 4.0))) for n in 'abc']
    check_limits(Step(LOW, HIGH, 1.0), tendons, TENSION)
    with pytest.raises(ValueError, match=r"tendon 'b': the reference goes from 1 to 5 N.*0 to 4 N"):
        check_limits(Step(LOW, np.array([2.0, 5.0, 0.5]), 1.0), tendons, TENSION)
    tendons[0].limits.tension = (0.5, 4.0)
    with pytest.raises(ValueError, match="tendon 'a'"):
        check_limits(Step(LOW, HIGH, 1.0), tendons, TENSION)
