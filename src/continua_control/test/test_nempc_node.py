"""The predictive controller as a process, with an arm that is always at rest."""

import numpy as np
import pytest

from continua_msgs.action import TrackTrajectory
from continua_msgs.msg import ControllerStatus, PressureState


@pytest.fixture
def arm(start_arm):
    return start_arm('nempc', particles=100)


@pytest.fixture
def tip(model):
    """Function that gives the tip's position (3,) m at rest under pressures."""
    return lambda pressure: model.position(
        model.equilibrium(np.array(pressure))[None], model.parameters[None]
    )[0]


def test_the_tip_is_brought_to_its_goal_and_the_chambers_to_rest(arm, tip, reference):
    assert not arm.commands
    goal = tip([20e3, 5e3, 0.0])
    before = np.linalg.norm(tip([0.0, 0.0, 0.0]) - goal)
    handle = arm.send(reference(time=[4.0], tip_position=goal))
    result = arm.result(handle)
    assert result.code == TrackTrajectory.Result.CODE_OK
    assert np.median([each.error for each in arm.feedback[-50:]]) < 0.3 * before
    assert 0.0 < result.mean_error < before
    assert arm.feedback[-1].progress == pytest.approx(1.0)
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    given = np.array([list(message.pressure) for message in arm.commands])
    assert np.all((given >= 0.0) & (given <= 75e3))
    solved = [m for m in arm.status if m.status == ControllerStatus.STATUS_OK]
    assert solved[-1].solve_time > 0.0


def test_pressures_stand_for_the_states_they_lead_to(arm, tip, reference):
    pressures = np.linspace(0.0, 1.0, 5)[:, None] * np.array([20e3, 0.0, 5e3])
    handle = arm.send(reference(time=np.linspace(0.0, 2.0, 5), pressure=pressures))
    result = arm.result(handle)
    assert result.code == TrackTrajectory.Result.CODE_OK
    assert result.mean_error < 0.5 * np.linalg.norm(tip(pressures[-1]) - tip([0.0, 0.0, 0.0]))


def test_references_that_cannot_be_followed_are_refused_with_a_sentence(arm, reference):
    wrong = [
        ({'time': [1.0]}, 'fills nothing'),
        ({'time': [1.0], 'tension': [1.0]}, 'fills tension'),
        ({'time': [1.0, 2.0], 'tip_position': np.zeros(3)}, 'for each of 2 instants'),
        ({'time': [1.0], 'tip_position': [0.0, np.nan, 0.0]}, 'not finite'),
        ({'time': [1e6], 'tip_position': np.zeros(3)}, '0 to 3600 s'),
        ({'time': [1.0], 'q': np.zeros(72), 'model_id': 'another'}, "model 'another'"),
    ]
    for fields, words in wrong:
        result = arm.result(arm.send(reference(**fields)))
        assert result.code == TrackTrajectory.Result.CODE_REJECTED
        assert words in result.message
    assert not arm.commands


def test_trouble_brings_the_chambers_to_rest(arm, tip, reference):
    """A late estimate, a cancelled goal, one that replaces another, and the emergency stop."""
    goal = reference(time=[600.0], tip_position=tip([20e3, 5e3, 0.0]))
    handle = arm.send(goal)
    arm.bench.wait_until(lambda: arm.command.any(), 'pressure')
    arm.is_seen = False
    assert 'estimate/state is late' in arm.wait_status(ControllerStatus.STATUS_INPUT_STALE)
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    arm.is_seen = True
    arm.wait_status(ControllerStatus.STATUS_OK)

    cancelled = handle.cancel_goal_async()
    arm.bench.wait_until(cancelled.done, 'the cancellation')
    assert arm.result(handle).code == TrackTrajectory.Result.CODE_STOPPED
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')

    first, second = arm.send(goal), arm.send(goal)
    assert 'another goal' in arm.result(first).message
    arm.bench.wait_until(lambda: arm.command.any(), 'pressure')
    arm.fault = PressureState.FAULT_EMERGENCY_STOP
    assert 'emergency stop' in arm.result(second).message
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    assert 'emergency stop' in arm.result(arm.send(goal)).message
