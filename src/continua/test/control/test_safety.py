"""CommandSafety: single transitions as examples, and its promises for any sequence of calls."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.control.safety import (
    FAULT_EMERGENCY_STOP,
    FAULT_NONE,
    FAULT_WATCHDOG,
    PRESSURE,
    TENSION,
    CommandSafety,
    State,
    valve_safety,
)

WATCHDOG = 0.1


def tendon(name, tension=(0.0, 10.0), rate=100.0):
    return SimpleNamespace(name=name, limits=SimpleNamespace(tension=tension, tension_rate=rate))


def make_safety():
    return CommandSafety.of(TENSION, [tendon('north'), tendon('south', (0.5, 20.0), 50.0)], WATCHDOG)


@pytest.fixture
def enabled():
    safety = make_safety()
    assert safety.enable(0.0)
    return safety


def test_is_disabled_and_slack_at_first():
    safety = make_safety()
    safety.command({'north': 5.0}, 0.0)
    tension, is_saturated, fault = safety.setpoint(0.0, 1.0)
    assert safety.state is State.DISABLED
    assert tension.tolist() == [0.0, 0.0]
    assert not is_saturated.any()
    assert (fault == FAULT_NONE).all()


def test_a_command_before_enable_is_not_remembered():
    safety = make_safety()
    safety.command({'north': 5.0}, 0.0)
    safety.enable(0.0)
    assert safety.setpoint(0.0, 1.0).value[0] == 0.0


def test_rising_tension_is_limited_in_rate_and_says_so(enabled):
    enabled.command({'north': 5.0, 'south': 5.0}, 0.0)
    tension, is_saturated, _ = enabled.setpoint(0.0, 0.02)
    assert tension == pytest.approx([2.0, 1.0])
    assert is_saturated.all()
    tension, is_saturated, _ = enabled.setpoint(0.0, 0.05)
    assert tension == pytest.approx([5.0, 3.5])
    assert is_saturated.tolist() == [False, True]


def test_without_rate_limit_tension_rises_at_once():
    safety = CommandSafety.of(TENSION, [tendon('north', rate=None)], WATCHDOG)
    safety.enable(0.0)
    safety.command({'north': 5.0}, 0.0)
    tension, is_saturated, _ = safety.setpoint(0.0, 0.0)
    assert tension.tolist() == [5.0]
    assert is_saturated.tolist() == [False]


@pytest.mark.parametrize('now', [math.nan, math.inf, -math.inf, -1.0])
def test_a_clock_that_fails_or_runs_backwards_is_too_late(enabled, now):
    enabled.command({'north': 5.0}, 0.0)
    assert enabled.setpoint(now, 1.0).value.tolist() == [0.0, 0.0]
    assert enabled.state is State.WATCHDOG


def test_falling_tension_is_not_limited_in_rate(enabled):
    enabled.command({'north': 10.0}, 0.0)
    enabled.setpoint(0.0, 1.0)
    enabled.command({'north': 1.0}, 0.0)
    assert enabled.setpoint(0.0, 0.001).value[0] == 1.0


def test_values_stay_between_the_limits(enabled):
    enabled.command({'north': 1e6, 'south': -3.0}, 0.0)
    tension, is_saturated, _ = enabled.setpoint(0.0, 1.0)
    assert tension.tolist() == [10.0, 0.5]
    assert is_saturated.all()


def test_a_tendon_that_is_not_named_keeps_its_request(enabled):
    enabled.command({'north': 5.0, 'south': 6.0}, 0.0)
    enabled.command({'south': 7.0}, 0.0)
    assert enabled.setpoint(0.0, 1.0).value.tolist() == [5.0, 7.0]


def test_without_command_all_go_slack_and_a_command_resumes_from_zero(enabled):
    enabled.command({'north': 10.0, 'south': 10.0}, 1.0)
    enabled.setpoint(1.0, 1.0)
    tension, _, fault = enabled.setpoint(1.0 + 1.1 * WATCHDOG, 0.001)
    assert enabled.state is State.WATCHDOG
    assert tension.tolist() == [0.0, 0.0]
    assert (fault == FAULT_WATCHDOG).all()

    enabled.command({'north': 10.0}, 2.0)
    tension, _, fault = enabled.setpoint(2.0, 0.01)
    assert enabled.state is State.ENABLED
    assert tension == pytest.approx([1.0, 0.5])
    assert (fault == FAULT_NONE).all()


def test_a_late_command_does_not_hide_that_the_watchdog_ran_out(enabled):
    enabled.command({'north': 10.0, 'south': 10.0}, 0.0)
    enabled.setpoint(0.0, 1.0)
    enabled.command({'north': 10.0}, 5.0)
    assert enabled.setpoint(5.0, 0.01).value == pytest.approx([1.0, 0.5])


def test_emergency_stop_is_latched(enabled):
    enabled.command({'north': 10.0}, 0.0)
    enabled.setpoint(0.0, 1.0)
    enabled.emergency_stop()
    assert not enabled.enable(0.0)
    enabled.disable()
    enabled.command({'north': 10.0}, 0.0)
    tension, _, fault = enabled.setpoint(0.0, 1.0)
    assert enabled.state is State.STOPPED
    assert tension.tolist() == [0.0, 0.0]
    assert (fault == FAULT_EMERGENCY_STOP).all()

    enabled.reset()
    assert enabled.state is State.DISABLED
    assert (enabled.setpoint(0.0, 1.0).fault == FAULT_NONE).all()
    assert enabled.enable(0.0)


def test_enabling_again_keeps_what_was_requested(enabled):
    enabled.command({'north': 5.0}, 0.0)
    assert enabled.enable(0.05)
    assert enabled.setpoint(0.05, 1.0).value[0] == 5.0


@pytest.mark.parametrize(
    ('request_', 'sentence'),
    [({'north': math.nan}, 'north is not finite'), ({'north': 1.0, 'nord': 1.0}, 'no tendon is called nord')],
)
def test_a_wrong_command_is_refused_whole(enabled, request_, sentence):
    with pytest.raises(ValueError, match=sentence):
        enabled.command(request_, 0.0)
    assert enabled.setpoint(0.0, 1.0).value[0] == 0.0


@pytest.mark.parametrize(
    ('tendons', 'watchdog', 'sentence'),
    [
        ([tendon('a', (5.0, 1.0))], 0.1, r"'a': tension limits are \[5.0, 1.0\] N"),
        ([tendon('a', (0.0, math.nan))], 0.1, 'tension limits'),
        ([tendon('a', rate=0.0)], 0.1, 'tension_rate is 0.0 N/s'),
        ([tendon('a')], 0.0, 'watchdog is 0.0 s'),
        ([tendon('a')], math.nan, 'watchdog is nan s'),
    ],
)
def test_wrong_limits_are_refused(tendons, watchdog, sentence):
    with pytest.raises(ValueError, match=sentence):
        CommandSafety.of(TENSION, tendons, watchdog)


def chamber(name, pressure=(-20e3, 75e3), rate=1e5):
    return SimpleNamespace(name=name, limits=SimpleNamespace(pressure=pressure, pressure_rate=rate))


def test_a_vacuum_is_drawn_and_a_pressure_made_at_the_rate_and_both_are_let_go_at_once():
    safety = CommandSafety.of(PRESSURE, [chamber('a'), chamber('b')], WATCHDOG)
    safety.enable(0.0)
    safety.command({'a': -50e3, 'b': 50e3}, 0.0)
    assert safety.setpoint(0.0, 0.1).value.tolist() == [-10e3, 10e3]
    assert safety.setpoint(0.0, 1.0).value.tolist() == [-20e3, 50e3]
    safety.command({'a': 10e3, 'b': -10e3}, 0.0)
    assert safety.setpoint(0.0, 0.02).value.tolist() == [2e3, -2e3]


@pytest.mark.parametrize('limits', [(75e3, 0.0), (-math.inf, 75e3), (0.0, math.nan)])
def test_wrong_limits_of_chambers_are_refused(limits):
    with pytest.raises(ValueError, match="chamber 'a': pressure limits"):
        CommandSafety.of(PRESSURE, [chamber('a', limits)], WATCHDOG)


def test_valves_at_rest_are_open_to_the_exhaust():
    safety = valve_safety([chamber('a')], WATCHDOG)
    safety.enable(0.0)
    assert safety.setpoint(0.0, 0.01).value.tolist() == [-1.0]
    safety.command({'a': 3.0}, 0.0)
    opening, is_saturated, _ = safety.setpoint(0.0, 0.01)
    assert opening.tolist() == [1.0] and is_saturated.all()
    opening, _, fault = safety.setpoint(1.1 * WATCHDOG, 0.01)
    assert opening.tolist() == [-1.0] and fault.tolist() == [FAULT_WATCHDOG]


numbers = st.floats(-1.0, 30.0) | st.sampled_from([math.nan, math.inf, -math.inf, 1e300])
calls = st.one_of(
    st.tuples(st.just('command'), st.dictionaries(st.sampled_from(['north', 'south', 'nord']), numbers)),
    st.tuples(st.sampled_from(['enable', 'disable', 'emergency_stop', 'reset', 'setpoint']), st.none()),
)


@given(st.lists(st.tuples(calls, numbers, numbers), max_size=40))
def test_whatever_is_called_the_setpoint_is_safe(sequence):
    """`now` and `dt` are arbitrary too: clocks that jump or fail must not pull."""
    safety = make_safety()
    is_stopped = False
    for (name, argument), now, dt in sequence:
        before = safety.setpoint(now, 0.0).value
        if name == 'command':
            try:
                safety.command(argument, now)
            except ValueError:
                assert 'nord' in argument or not all(map(math.isfinite, argument.values()))
        elif name == 'enable':
            safety.enable(now)
        elif name != 'setpoint':
            getattr(safety, name)()
        is_stopped = name == 'emergency_stop' or (is_stopped and name != 'reset')

        tension, _, fault = safety.setpoint(now, dt)
        assert np.isfinite(tension).all()
        assert (tension >= 0.0).all()
        assert (tension <= [10.0, 20.0]).all()
        rise = np.array([100.0, 50.0]) * (dt if 0.0 < dt < math.inf else 0.0)
        assert (tension <= before + rise).all()
        assert is_stopped == (safety.state is State.STOPPED)
        if safety.state is not State.ENABLED:
            assert not tension.any()
        assert fault.tolist() == [{State.WATCHDOG: 8, State.STOPPED: 16}.get(safety.state, 0)] * 2
