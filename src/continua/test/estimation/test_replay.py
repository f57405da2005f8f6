"""Measurements out of order, twice, late, early and after gaps; the observer's steps do not commute."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.estimation import Replay


@dataclass(frozen=True)
class Info:
    status: str
    rejected: int = 0
    message: str = 'fine'


def step(belief, measurement, u, dt):
    """A leaky integral of u that readings pull; what it gives depends on the order of all its steps."""
    belief = belief * math.exp(-dt) + u[0] * dt
    if measurement is None:
        return belief, Info('predicted')
    if abs(measurement) > 100.0:
        return belief, Info('predicted', 1)
    return belief + 0.3 * (measurement - belief), Info('corrected')


def make(**settings):
    return Replay(step, lambda u: float(u[0]), **settings)


def feed(replay, events):
    """Arrivals of (kind, stamp, measurement, u or None), all at the time of the newest."""
    now = max(stamp for _, stamp, _, _ in events)
    return [replay.add(kind, stamp, now, measurement, u) for kind, stamp, measurement, u in events]


def tendons(stamp, measurement=0.5, u=1.0):
    return 'tendons', stamp, measurement, np.array([u])


def markers(stamp, measurement=0.7):
    return 'markers', stamp, measurement, None


@given(
    inputs=st.sets(st.integers(1, 19), min_size=1),
    others=st.sets(st.integers(1, 19), min_size=1),
    data=st.data(),
)
def test_the_order_of_arrival_does_not_matter(inputs, others, data):
    events = [tendons(0.01 * k, 0.1 * k, math.sin(k)) for k in sorted(inputs)]
    events += [markers(0.01 * k, -0.2 * k) for k in sorted(others)]
    start = tendons(0.0)
    in_order, shuffled = make(), make()
    feed(in_order, [start, *sorted(events, key=lambda event: (event[1], event[3] is None))])
    arrivals = feed(shuffled, [start, *data.draw(st.permutations(events))])
    assert all(arrival.is_taken for arrival in arrivals)
    assert (shuffled.stamp, shuffled.belief) == (in_order.stamp, in_order.belief)


def test_a_long_run_with_late_markers_is_that_without_delays():
    events = [tendons(0.01 * k, math.cos(k), math.sin(k)) for k in range(300)]
    seen = [markers(0.01 * k + 0.004, math.sin(3 * k)) for k in range(300)]
    punctual, delayed = make(), make()
    for k in range(300):
        for kind, stamp, measurement, u in (events[k], seen[k]):
            punctual.add(kind, stamp, 0.01 * k + 0.005, measurement, u)
    for k in range(315):
        for kind, stamp, measurement, u in (*events[k : k + 1], *seen[max(k - 15, 0) : max(k - 14, 0)]):
            arrival = delayed.add(kind, stamp, 0.01 * k, measurement, u)
            assert arrival.is_taken
    assert (delayed.stamp, delayed.belief) == (punctual.stamp, punctual.belief)


def test_inputs_change_linearly_between_their_stamps_and_stay_after_the_last():
    def integral(belief, measurement, u, dt):
        return belief + u[0] * dt, Info('corrected')

    replay = Replay(integral, lambda u: 0.0)
    feed(replay, [tendons(0.0, u=1.0), tendons(0.1, u=3.0)])
    assert replay.belief == pytest.approx(0.2)
    feed(replay, [markers(0.15), markers(0.04)])
    assert replay.belief == pytest.approx(0.2 + 3.0 * 0.05)
    feed(replay, [tendons(0.2, u=1.0)])
    assert replay.belief == pytest.approx(0.2 + 0.2)


def test_what_cannot_be_used_is_refused_and_changes_nothing():
    replay = make(window=0.2, lead=0.01)
    assert replay.add('markers', 1.0, 1.0, 0.0).status == 'no_input'
    assert replay.add('tendons', 1.0, 1.3, 0.0, np.ones(1)).status == 'stale'
    assert replay.stamp is None and replay.belief is None
    assert replay.add('tendons', 1.0, 1.0, 0.0, np.ones(1)).status == 'started'
    assert replay.add('tendons', 1.1, 1.1, 0.5, np.ones(1)).status == 'newest'
    before = replay.belief
    for kind, stamp, u, status in (
        ('tendons', 1.1, np.ones(1), 'repeated'),
        ('tendons', 1.12, np.ones(1), 'future'),
        ('tendons', math.nan, np.ones(1), 'future'),
        ('tendons', 0.95, np.ones(1), 'stale'),
        ('markers', 0.8, None, 'stale'),
    ):
        arrival = replay.add(kind, stamp, 1.1, 0.5, u)
        assert (arrival.status, arrival.is_taken, arrival.steps) == (status, False, 0)
        assert arrival.message
    assert (replay.stamp, replay.belief) == (1.1, before)


def test_a_gap_within_the_window_is_stepped_over_in_pieces_and_a_longer_one_starts_again():
    durations = []

    def noting(belief, measurement, u, dt):
        durations.append(dt)
        return step(belief, measurement, u, dt)

    replay = Replay(noting, lambda u: 0.0, window=0.2, longest_step=0.02)
    feed(replay, [tendons(0.0)])
    arrival = replay.add('tendons', 0.15, 0.15, 0.0, np.ones(1))
    assert arrival.status == 'newest' and arrival.steps == len(durations) == 8
    assert durations == pytest.approx([0.15 / 8] * 8)
    assert replay.add('markers', 0.4, 0.4, 0.0).status == 'no_input'
    assert replay.add('tendons', 0.4, 0.4, 0.0, np.ones(1)).status == 'started'
    assert (replay.stamp, replay.belief) == (0.4, 0.0)


def test_markers_are_not_used_where_inputs_have_stopped():
    replay = make(window=0.1)
    feed(replay, [tendons(0.0)])
    statuses = [replay.add('markers', 0.02 * k, 0.02 * k, 0.0).status for k in range(1, 9)]
    assert statuses[:5] == ['newest'] * 5
    assert statuses[-1] == 'no_input'


def test_only_readings_that_cannot_be_used_for_a_whole_window_start_it_again():
    replay = make(window=0.1)
    feed(replay, [tendons(0.0)])
    statuses = [replay.add('tendons', 0.02 * k, 0.02 * k, 1e6, np.full(1, 7.0)).status for k in range(1, 7)]
    assert statuses == ['newest'] * 4 + ['restarted', 'newest']
    healthy = make(window=0.1)
    feed(healthy, [tendons(0.0)])
    for k in range(1, 50):
        measurement = 1e6 if k % 4 else 1.0
        assert healthy.add('tendons', 0.02 * k, 0.02 * k, measurement, np.ones(1)).status == 'newest'


def test_a_clock_that_goes_back_starts_it_again():
    replay = make()
    feed(replay, [tendons(5.0), tendons(5.1)])
    assert replay.add('tendons', 1.0, 1.0, 0.0, np.ones(1)).status == 'started'
    assert replay.stamp == 1.0


def test_restart_forgets():
    replay = make()
    feed(replay, [tendons(0.0), tendons(0.1)])
    replay.restart()
    assert replay.belief is None
    assert replay.add('tendons', 0.1, 0.1, 0.0, np.ones(1)).status == 'started'


@pytest.mark.parametrize('name', ['window', 'lead', 'longest_step'])
def test_times_that_are_not_positive_are_refused(name):
    with pytest.raises(ValueError, match=f'^{name}: expected'):
        make(**{name: 0.0})
