"""Errors of reduced models by number of modes, and how many are recommended."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.reduction import (
    Equilibria,
    Excitation,
    Truncation,
    decompose,
    dynamic_snapshots,
    hold_signal,
    hypercube,
    static_snapshots,
    truncation,
)
from continua.reduction.truncation import knee
from continua.rod import Rod

INPUTS = np.random.default_rng(0).uniform(-4.0, 4.0, (6, 3))
TIP = [(None, 0.25)]


@pytest.fixture(scope='module')
def static_modes(arm, arm_rod):
    return decompose(arm_rod, static_snapshots(arm, hypercube([-5.0] * 3, [5.0] * 3, 4)).q).modes


@given(st.integers(2, 19))
def test_the_knee_of_a_curve_of_two_straight_parts_is_where_they_meet(at):
    x = np.arange(1, 21)
    y = np.where(x <= at, -3.0 * (x - at), -0.01 * (x - at))
    assert knee(x, y) == at


def test_a_curve_that_rises_again_counts_as_its_least_so_far():
    x = np.arange(1, 8)
    y = np.array([0.0, -3.0, -1.0, -3.1, -2.0, -3.2, -3.3])
    assert knee(x, y) == 2
    assert knee(x, np.zeros(7)) == 1


def test_all_modes_reproduce_the_equilibria_of_the_full_model(arm, static_modes):
    found = truncation(arm, static_modes, Equilibria(INPUTS), [*TIP, ('arm', 0.1)], [1, 3, 6, 22])
    assert found.error.shape == (4, 6, 2)
    assert found.error[-1].max() < 1e-9
    # one and two modes fail, and the error falls by orders of magnitude
    assert found.mean[0] > 20e-3
    assert found.mean[2] < 1e-2 * found.mean[0]


def test_all_modes_reproduce_the_motion_of_the_full_model(arm, arm_rod):
    random = np.random.default_rng(3)
    run = Excitation(hold_signal([0.0] * 3, [5.0] * 3, (0.05, 0.1), 0.3, 200.0, random), 200.0)
    modes = decompose(arm_rod, dynamic_snapshots(arm, run.inputs, 200.0).q).modes
    found = truncation(arm, modes, run, TIP, [2, 8, 22])
    # the implicit steps are solved to 1e-5 rad
    assert found.error[-1].max() < 1e-5
    assert found.mean[0] > found.mean[1] > found.mean[2]


def test_a_pushed_linkage_with_loops_is_compared_at_points_of_its_links(platform):
    force = np.tile([0.0, 0.0, 0.0, 0.5, 0.3, -0.5], (30, 1))
    run = Excitation(np.zeros((30, 0)), 100.0, wrench=force, place=('platform', 0.115))
    snapshots = dynamic_snapshots(platform, run.inputs, 100.0, wrench=force, place=run.place)
    modes = decompose(Rod(platform), snapshots.q).modes
    places = [('leg_1', 0.15), ('platform', 0.0)]
    found = truncation(platform, modes, run, places, [12, 57])
    assert found.error[-1].max() < 1e-5
    assert found.mean[0] < 2e-3
    assert found.recommended == 12
    assert found.message.endswith('the knee is there')


def _of(mean, counts=None, actuators=3):
    counts = np.arange(1, len(mean) + 1) if counts is None else np.array(counts)
    error = np.array(mean)[:, None, None] * np.ones((1, 2, 1))
    return Truncation(counts, error, actuators, 1.0, np.ones(len(mean)), 2.0)


def test_as_many_modes_as_inputs_are_the_least_that_is_recommended():
    found = _of([1e-1, 1e-3, 1e-3, 9e-4, 9e-4])
    assert found.knee == 2 and found.recommended == 3
    assert 'the 3 inputs need at least 3 modes' in found.message
    assert found.message.startswith('3 modes recommended, mean error 1 mm')
    few = _of([1e-1, 1e-3, 1e-3], actuators=6)
    assert few.recommended == 2 and 'none of the counts with a solution has as many' in few.message


def test_errors_that_nobody_sees_do_not_move_the_knee():
    visible = [1e-1, 1e-2, 1e-3, 1e-4]
    assert _of([*visible, 1e-5, 1e-7, 1e-9]).knee == _of([*visible, 9e-5, 9e-5, 9e-5]).knee == 4


def test_counts_without_a_solution_are_not_recommended():
    found = _of([np.inf, np.inf, np.inf, 1e-2, 1e-3, 1e-3])
    assert found.knee == 5 and found.recommended == 5
    assert found.fewest(2e-3) == 5


def test_the_fewest_modes_for_an_error_stay_below_it_from_there_on():
    found = _of([1e-1, 1e-3, 1e-2, 1e-3, 1e-4], counts=[2, 4, 6, 8, 10])
    assert found.fewest(5e-3) == 8
    assert found.fewest(0.2) == 2
    assert found.fewest(1e-9) is None
    assert np.array_equal(found.speed_up, np.full(5, 2.0))


def test_what_cannot_be_compared_is_refused_with_a_sentence(arm, static_modes, without_solution):
    with pytest.raises(ValueError, match='counts: expected numbers of modes from 1 to 22, got'):
        truncation(arm, static_modes, Equilibria(INPUTS), TIP, [3, 23])
    with pytest.raises(ValueError, match='its full model has a solution in none of the cases'):
        truncation(arm, static_modes, without_solution, TIP, [3])
    with pytest.raises(ValueError, match='none of the models with 1, 2 modes has a solution in all cases'):
        _ = _of([np.inf, np.inf]).message
