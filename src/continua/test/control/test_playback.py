"""Playback: when a reference plays, and that the tendons go slack whenever it ceases to."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.control.playback import Playback, State
from continua.control.references import Step

REFERENCE = Step(np.array([1.0, 1.0]), np.array([2.0, 3.0]), time=1.0)


def playback(duration=math.inf, delay=0.0, is_enabled=True):
    return Playback(REFERENCE, duration, delay, is_enabled)


def as_list(tension):
    return None if tension is None else tension.tolist()


def test_it_waits_for_the_robot_and_starts_at_the_beginning():
    player = playback()
    assert player.step(100.0, is_ready=False) is None
    assert player.state is State.WAITING
    assert as_list(player.step(101.0, is_ready=True)) == [1.0, 1.0]
    assert player.state is State.PLAYING
    assert as_list(player.step(102.0, is_ready=True)) == [2.0, 3.0]


def test_the_delay_counts_from_the_moment_the_robot_is_there():
    player = playback(delay=2.0)
    player.step(0.0, is_ready=False)
    assert player.step(10.0, is_ready=True) is None
    assert player.step(11.0, is_ready=True) is None
    assert as_list(player.step(12.0, is_ready=True)) == [1.0, 1.0]


def test_while_the_robot_is_gone_it_stands_still_and_is_slack():
    player = playback()
    player.step(0.0, is_ready=True)
    player.step(0.5, is_ready=True)
    assert as_list(player.step(0.6, is_ready=False)) == [0.0, 0.0]
    assert player.step(0.7, is_ready=False) is None
    assert as_list(player.step(50.0, is_ready=True)) == [1.0, 1.0]
    assert player.elapsed == 0.5


def test_a_pause_makes_slack_once_and_then_leaves_the_commands_to_others():
    player = playback()
    player.step(0.0, is_ready=True)
    player.pause()
    assert as_list(player.step(0.1, is_ready=True)) == [0.0, 0.0]
    assert player.step(0.2, is_ready=True) is None
    player.enable()
    assert as_list(player.step(5.0, is_ready=True)) == [1.0, 1.0]
    assert player.elapsed == 0.0


def test_it_ends_slack_and_enable_plays_it_again():
    player = playback(duration=1.5)
    for now in (0.0, 0.75, 1.25):
        assert player.step(now, is_ready=True).any()
    assert as_list(player.step(1.5, is_ready=True)) == [0.0, 0.0]
    assert player.state is State.FINISHED
    assert player.step(1.75, is_ready=True) is None
    player.pause()
    assert player.state is State.FINISHED
    player.enable()
    assert as_list(player.step(2.0, is_ready=True)) == [1.0, 1.0]


def test_it_can_begin_paused():
    player = playback(is_enabled=False)
    assert player.step(0.0, is_ready=True) is None
    assert player.state is State.PAUSED
    player.enable()
    assert as_list(player.step(1.0, is_ready=True)) == [1.0, 1.0]


def test_enabling_twice_changes_nothing():
    player = playback()
    player.step(0.0, is_ready=True)
    player.enable()
    player.step(0.5, is_ready=True)
    assert player.elapsed == 0.5


@given(st.lists(st.tuples(st.sampled_from(['enable', 'pause', 'none']), st.floats(0.0, 1.0), st.booleans())))
def test_whatever_happens_what_pulled_is_followed_by_a_pull_or_by_slack(events):
    player, now, pulled = playback(duration=3.0, delay=0.5), 0.0, False
    for call, dt, is_ready in events:
        if call != 'none':
            getattr(player, call)()
        now += dt
        tension = player.step(now, is_ready)
        if player.state is State.PLAYING and player.elapsed >= 0.0:
            assert tension.any()
        elif pulled:
            assert as_list(tension) == [0.0, 0.0]
        else:
            assert tension is None
        pulled = tension is not None and tension.any()
        assert player.elapsed <= 3.0 + 1.0


@pytest.mark.parametrize(('duration', 'reference_end', 'ends'), [(5.0, 2.0, 2.0), (1.0, 2.0, 1.0)])
def test_the_shorter_of_duration_and_reference_ends_it(duration, reference_end, ends):
    class Short(Step):
        duration = reference_end

    player = Playback(Short(REFERENCE.low, REFERENCE.high, time=1.0), duration, 0.0, True)
    player.step(0.0, is_ready=True)
    assert player.step(ends - 0.001, is_ready=True).any()
    player.step(ends, is_ready=True)
    assert player.state is State.FINISHED
