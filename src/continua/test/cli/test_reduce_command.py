"""`continua reduce`: from a robot file to a reduced model beside it."""

import json

import numpy as np
import pytest

from continua.description import load_robot
from continua.reduction import ReducedModel, Snapshots, reduced_file
from continua.rod import Rod


def test_a_sweep_makes_a_model_that_has_the_tip_of_the_full_one(command, beam_file, tmp_path):
    out, folder = reduced_file(beam_file), tmp_path / 'figures'
    result = command(
        'reduce', beam_file, '--out', out, '--sweep', 4, '--span', '0,8', '--json', '--plot', folder
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    robot = load_robot(beam_file)
    assert report['robot_hash'] == robot.hash and report['snapshots'] == 16
    assert report['modes'] == report['recommended'] < report['full_coordinates'] == 6
    assert report['tip_error_mm'] < 1.0
    full, small = Rod(robot), ReducedModel.load(out).rod(robot)
    assert small.dof == report['modes']
    tips = [rod.shape(rod.statics([3.0, 7.0]).q, [0.4]).position[0] for rod in (full, small)]
    assert np.linalg.norm(tips[1] - tips[0]) < 5e-3
    assert sorted(path.name for path in folder.iterdir()) == ['errors.png', 'modes.png', 'spectrum.png']
    assert all(path.read_bytes().startswith(b'\x89PNG') for path in folder.iterdir())
    assert not out.with_name(f'{out.name}.parts').exists()


def test_babbling_can_be_kept_and_reduced_again_with_fewer_points(command, beam_file, tmp_path):
    kept, out = tmp_path / 'babbling.npz', tmp_path / 'model.npz'
    common = ('--out', out, '--span', '0,5', '--snapshots', kept)
    first = command('reduce', beam_file, *common, '--babble', 2, '--modes', 3)
    assert first.exit_code == 0, first.output
    assert 'beam: 201 snapshots, 0 cases left out' in first.stdout
    assert '3 of 6 coordinates hold 9' in first.stdout
    snapshots = Snapshots.load(kept)
    assert snapshots.seed == 0 and snapshots.time[-1] == 2.0
    assert np.all((snapshots.u >= 0.0) & (snapshots.u <= 5.0))
    again = command('reduce', beam_file, *common, '--modes', 3, '--metric', 'energy', '--rule-error', 10)
    assert again.exit_code == 0, again.output
    assert 'quadrature points are enough' in again.stdout
    model = ReducedModel.load(out)
    assert len(model.rules['beam'][0]) < Rod(load_robot(beam_file)).arc_length.size - 1
    assert np.allclose(model.modes.T @ Rod(load_robot(beam_file)).stiffness @ model.modes, np.eye(3))


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        ((), 'expected one of --sweep, --babble and --from-bag'),
        (('--sweep', 3, '--babble', 1), 'expected one of --sweep, --babble and --from-bag'),
        (('--sweep', 3, '--span', '5'), '--span 5: expected two numbers'),
        (
            ('--sweep', 3, '--metric', 'best'),
            'metric: expected one of sections, points',
        ),
    ],
)
def test_options_that_do_not_fit_are_refused_with_a_sentence(
    command, beam_file, tmp_path, arguments, sentence
):
    result = command('reduce', beam_file, '--out', tmp_path / 'model.npz', *arguments)
    assert isinstance(result.exception, ValueError)
    assert sentence in str(result.exception)


def test_snapshots_of_a_robot_that_has_changed_are_refused(command, beam_file, tmp_path):
    kept, out = tmp_path / 'sweep.npz', tmp_path / 'model.npz'
    assert command('reduce', beam_file, '--out', out, '--sweep', 2, '--snapshots', kept).exit_code == 0
    beam_file.write_text(beam_file.read_text().replace('1100.0', '1200.0'))
    result = command('reduce', beam_file, '--out', out, '--snapshots', kept)
    assert 'made of another beam' in str(result.exception)
