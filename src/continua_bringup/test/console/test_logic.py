"""Decisions of the console that need neither a page nor a robot."""

import math

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticStatus

from continua_bringup.console import status
from continua_bringup.console.manual import ManualControl, State
from continua_bringup.console.objects import tension_color
from continua_bringup.console.plots import TipError
from continua_msgs.msg import TendonState


def test_manual_control_begins_only_once_the_player_is_out_of_the_way():
    manual = ManualControl(release_after=1.0)
    manual.ask()
    assert manual.state is State.ASKED
    manual.begin(has_paused_player=True)
    assert manual.state is State.ON
    manual.end()
    assert manual.state is State.OFF
    assert manual.resume_player() and not manual.resume_player()


def test_a_late_answer_of_the_player_does_not_begin_manual_control():
    manual = ManualControl(release_after=1.0)
    manual.ask()
    manual.end()
    manual.begin(has_paused_player=True)
    assert manual.state is State.OFF
    assert manual.has_paused_player


def test_manual_control_ends_when_nobody_looks_and_leaves_the_player_paused():
    manual = ManualControl(release_after=1.0)
    manual.ask()
    manual.begin(has_paused_player=True)
    assert not manual.watch(absence=0.2)
    assert not manual.watch(absence=1.0)
    assert manual.state is State.ON
    assert manual.watch(absence=1.1)
    assert manual.state is State.OFF
    assert not manual.watch(absence=30.0)
    assert manual.has_paused_player


def test_tip_error_compares_the_tips_of_the_same_instant():
    error = TipError()
    assert math.isnan(error.of(1.0, np.zeros(3)))
    error.add_truth(1.0, np.array([0.0, 0.0, 0.0]))
    error.add_truth(1.1, np.array([0.1, 0.0, 0.0]))
    assert error.of(1.05, np.array([0.05, 0.0, 0.002])) == pytest.approx(0.002)
    assert math.isnan(error.of(1.2, np.zeros(3)))
    error.add_truth(0.5, np.array([0.0, 0.0, 0.0]))
    assert math.isnan(error.of(1.05, np.zeros(3)))


def test_faults_are_told_by_tendon():
    names = ['north', 'east']
    none, watchdog = TendonState.FAULT_NONE, TendonState.FAULT_WATCHDOG
    assert status.fault_row(names, np.array([none, none], dtype=np.uint16)).level == 'ok'
    waits = status.fault_row(names, np.array([watchdog, watchdog], dtype=np.uint16))
    assert (waits.level, waits.text) == ('warn', 'slack, no fresh command')
    blocked = status.fault_row(names, np.array([none, TendonState.FAULT_BLOCKED | watchdog], dtype=np.uint16))
    assert (blocked.level, blocked.text) == ('error', 'blocked (east); slack, no fresh command (east)')


def test_a_latched_emergency_stop_is_seen_on_any_tendon():
    assert not status.is_latched(np.array([0, TendonState.FAULT_WATCHDOG], dtype=np.uint16))
    assert status.is_latched(np.array([0, TendonState.FAULT_EMERGENCY_STOP], dtype=np.uint16))


def test_a_silent_node_is_stale_whatever_it_said():
    said = DiagnosticStatus(level=DiagnosticStatus.ERROR, name='/arm/tendon_driver', message='no board')
    assert status.node_row(said, age=0.5) == status.Row('error', 'tendon_driver', 'no board')
    assert status.node_row(said, age=5.0) == status.Row('stale', 'tendon_driver', 'silent for 5 s')


def test_tendon_colour_runs_from_grey_to_red():
    slack, taut = tension_color(0.0, 6.0), tension_color(6.0, 6.0)
    assert max(slack) - min(slack) < 20
    assert taut[0] > 200 and max(taut[1:]) < 60
    assert tension_color(9.0, 6.0) == taut and tension_color(-1.0, 6.0) == slack
