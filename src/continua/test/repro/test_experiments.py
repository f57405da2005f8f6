"""Each study at its quick size: it ends, writes its file and figures, and says what the paper says."""

import json

import pytest
from rich.console import Console

from continua.repro.registry import EXPERIMENTS, find_experiment
from continua.repro.runner import run_experiment

REPORT = {'id', 'title', 'source', 'paper', 'goal', 'met', 'quick', 'seed', 'wall_time_s', 'machine'}
NUMBER = {'name', 'ours', 'unit', 'paper', 'goal', 'met'}


@pytest.fixture(scope='module')
def reports(tmp_path_factory):
    """reports(id) -> what the quick study wrote; each is run once."""
    out, found = tmp_path_factory.mktemp('repro'), {}

    def report(name):
        if name not in found:
            run_experiment(find_experiment(name), out, True, Console(quiet=True))
            found[name] = json.loads((out / f'{name}.json').read_text())
            for figure in found[name]['figures']:
                assert (out / figure).read_bytes().startswith(b'\x89PNG')
        return found[name]

    return report


def values(report):
    return {number['name']: number['ours'] for number in report['numbers']}


def series(report, what):
    """Numbers by modes, of those whose name begins with `what`."""
    named = {name: ours for name, ours in values(report).items() if name.startswith(what)}
    return {int(name.removeprefix(what).split()[0]): ours for name, ours in named.items()}


@pytest.mark.parametrize('name', [experiment.id for experiment in EXPERIMENTS])
def test_a_quick_study_writes_all_its_numbers(reports, name):
    report = reports(name)
    assert report.keys() > REPORT
    assert report['quick'] and report['wall_time_s'] > 0.0 and 'cores' in report['machine']
    assert report['id'] == name and report['numbers']
    for number in report['numbers']:
        assert number.keys() == NUMBER
        assert isinstance(number['ours'], int | float)
        assert (number['goal'] == '') == (number['met'] is None)
    assert len({number['name'] for number in report['numbers']}) == len(report['numbers'])


def test_one_mode_holds_all_of_a_plane_arm_at_rest(reports):
    numbers = values(reports('pod-single-static'))
    assert numbers['energy of mode 1'] > 1.0 - 1e-8
    assert 0.0 < numbers['tip error at -2 N'] < numbers['tip error at -5 N'] < numbers['tip error at -10 N']
    assert numbers['tip error at -10 N'] < 44.21
    # what the mode was made of comes back
    assert numbers['tip error at -5 N, one snapshot, at -5 N'] < 1e-3


def test_modes_of_a_step_follow_other_inputs(reports):
    errors = series(reports('pod-single-dynamic'), 'mean tip error, ')
    assert errors[1] > 10.0 * errors[2] and errors[2] > 3.0 * errors[3] and errors[4] < 0.2


def test_three_actuators_need_three_modes(reports):
    errors = series(reports('pod-three-static'), 'mean tip error, ')
    assert errors[1] > 1e4 and errors[2] > 1e4 and errors[3] < 1e3


def test_more_snapshots_reach_further(reports):
    report = reports('pod-extrapolation')
    assert report['met']
    numbers = values(report)
    assert numbers['rms tip error beyond the data, 1 snapshot'] > 10.0
    assert numbers['rms tip error beyond the data, 5 snapshots'] < 0.1


def test_six_tendons_need_eighteen_modes(reports):
    errors = series(reports('pod-six-dynamic'), 'mean tip error, ')
    assert errors[10] > 20.0 * errors[18]
    assert errors[16] > 5.0 * errors[18]
    assert errors[28] < 0.01


def test_sixteen_synergies_bend_twenty_four_bodies(reports):
    errors = series(reports('pod-hyperredundant'), 'total tip error at five levels, ')
    assert errors[16] < 30.0 < errors[4]


def test_a_closed_chain_moves_in_its_modes(reports):
    errors = series(reports('pod-legged-platform'), 'mean total error of six points, ')
    assert errors[17] > errors[25] > errors[57]
    assert errors[25] < 6.0 and errors[57] < 0.1


def test_reduced_models_at_five_percent_error(reports):
    numbers = values(reports('pod-speedup-table'))
    scenarios = {name.partition(':')[0] for name in numbers}
    assert len(scenarios) == 5
    for scenario in scenarios:
        assert numbers[f'{scenario}: mean error in body lengths'] < 0.055
    assert numbers['IV-B, statics: modes'] == 3


def test_two_markers_give_the_shape_within_the_bounds_of_six_modes(reports):
    numbers = values(reports('shape-lsq'))
    assert numbers['mean error, held-out marker, as measured'] < 5.8
    tracked = 'mean true error, tracked markers'
    assert numbers[tracked] < numbers[f"{tracked}, modes in the paper's inner product"] < 10.0
    held_out = 'mean true error, held-out marker'
    assert numbers[f'{held_out}, eq 33 alone'] < 0.5 * numbers[f'{held_out}, eq 33 alone, without bounds']
    wrong = f'{held_out}, 2 % of readings 5 cm off'
    assert numbers[f"{wrong}, Cauchy's loss"] < numbers[f'{wrong}, least squares']


def test_observers_with_the_model_of_the_arm_converge(reports):
    assert reports('sdre-one-tendon')['met']
    numbers = values(reports('sdre-one-tendon'))
    for n in (1, 2, 3, 4):
        took = {name.split(', ')[-1]: time for name, time in numbers.items() if f'1 mm, {n} coord' in name}
        assert took['R of 1 mm'] < took["the paper's R"] < took['no readings'] + 0.1


def test_observers_with_fewer_coordinates_err_as_in_the_paper(reports):
    numbers = values(reports('sdre-model-gap'))
    error = [numbers[f'mean tip error, {n} coordinates'] for n in (1, 2, 3, 4)]
    assert error == sorted(error, reverse=True)
    assert error[0] == pytest.approx(5.16, rel=0.2) and error[3] == pytest.approx(1.07, rel=0.2)
    assert numbers['mean tip error, 4 modes'] < 0.05 * error[3]


def test_three_tendons_see_seven_coordinates(reports):
    numbers = values(reports('sdre-three-tendon'))
    for case in ('gravity', 'force'):
        for name in ("the paper's R", 'R of 1 mm'):
            assert numbers[f'tip error below 2 mm, {case}, {name}'] < 2.0
            assert numbers[f'tip error below 2 mm after the disturbance, {case}, {name}'] < 1.0
            assert numbers[f'largest tip error by the disturbance, {case}, {name}'] > 10.0


def test_observers_converge_from_far_and_say_what_they_cannot_see(reports):
    numbers = values(reports('sdre-convergence'))
    for case in ('three tendons, 7 coordinates', 'one tendon, 4 coordinates'):
        assert numbers[f'tip error of the guesses, mean, {case}'] > 50.0
        assert numbers[f'share of guesses that converge to 2 mm, {case}'] == 1.0
    assert numbers['one tendon, two planes: said to be not observable'] == 1.0
    left = 'one tendon, two planes: share of the error left after 1 s'
    assert numbers[f'{left}, in the plane'] < 0.1
    assert numbers[f'{left}, across'] == pytest.approx(numbers[f'{left}, across, without readings'], rel=0.2)
    assert numbers['random robots: share with P sound and all finite at each step'] == 1.0
    assert numbers['hours of wrong readings: steps with P positive definite'] == 1.0


def test_a_prototype_is_identified_from_its_markers(reports):
    numbers = values(reports('identify-tendon'))
    names = ("Young's modulus", 'density', 'friction', 'damping')
    for name in names:
        assert numbers[f'worst error of {name}'] < 2.0
        assert numbers[f'mean half interval of {name}, poor data'] > numbers[f'mean half interval of {name}']
        # the model that is used must be able to bend as the prototype does
        ten, three = (numbers[f'error of {name}, {n} coordinates fitted to 10'] for n in (10, 3))
        assert ten < 2.0 < three
    assert numbers['modulus and density said not to be told apart by one slack pose'] == 1.0


def test_a_prototype_with_friction_is_followed(reports):
    numbers = values(reports('sdre-friction'))
    coarse, finer = numbers['mean tip error, 3 coordinates'], numbers['mean tip error, 4 coordinates']
    assert numbers['mean tip error, 3 modes'] < 0.5 * finer < 0.3 * coarse < 0.9
