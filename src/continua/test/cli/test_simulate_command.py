"""`continua simulate`: run files, inputs from expressions and CSV files, and motions that end early."""

import json

import numpy as np
import pytest
from PIL import Image

from continua.io.run_file import load_run


def test_an_expression_moves_the_beam_and_the_run_is_kept(command, beam_file, tmp_path):
    out = tmp_path / 'run.npz'
    result = command(
        'simulate', beam_file, '--input', '2*step(t-0.1); 0', '--t-end', '0.5', '--out', out, '--json'
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report['complete'] and report['inputs'] == ['side', 'top'] and report['real_time_factor'] > 0
    run = load_run(out)
    assert run.information['robot'] == 'beam' and run.information['gravity'] is True
    np.testing.assert_allclose(run.time, 0.005 * np.arange(101))
    np.testing.assert_array_equal(run.u, np.stack([2.0 * (run.time >= 0.1), 0 * run.time], axis=1))
    assert run.q.shape == run.qd.shape == (101, 6)
    assert run.backbone.shape == (101, 51, 3)
    np.testing.assert_allclose(run.backbone[:, -1], run.tip_position)
    np.testing.assert_allclose(run.tip_position[-1], report['tip_position_m'])
    np.testing.assert_allclose(np.linalg.norm(run.tip_quaternion_xyzw, axis=1), 1.0)
    # at rest in the equilibrium until the tendon pulls towards +y
    np.testing.assert_allclose(run.tip_position[:20, 1], 0.0, atol=1e-6)
    assert run.tip_position[-1, 1] > 0.02


def test_a_csv_file_in_other_order_is_the_same_motion(command, beam_file, tmp_path):
    table = tmp_path / 'pull.csv'
    table.write_text('time,top,side\n0,0,1.0\n0.1,0.5,1.0\n')
    tips = []
    for i, text in enumerate((table, '1; 5*t')):
        out = tmp_path / f'{i}.npz'
        result = command('simulate', beam_file, '--input', text, '--t-end', '0.1', '--out', out)
        assert result.exit_code == 0, result.output
        tips.append(load_run(out).tip_position)
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-10)


def test_from_the_reference_shape_it_falls(command, beam_file, tmp_path):
    out = tmp_path / 'run.npz'
    arguments = ('simulate', beam_file, '--input', '0;0', '--t-end', '0.02', '--dt', '1e-3', '--out', out)
    assert command(*arguments, '--start', 'reference').exit_code == 0
    run = load_run(out)
    np.testing.assert_allclose(run.tip_position[0], [0.4, 0.0, 0.5], atol=1e-12)
    # a cantilever that is let go: far from the clamp the first thing is free fall
    assert run.tip_position[-1, 2] - 0.5 == pytest.approx(-0.5 * 9.81 * 0.02**2, rel=0.2)


def test_pictures(command, beam_file, tmp_path):
    plot, animation = tmp_path / 'tip.png', tmp_path / 'motion.gif'
    result = command(
        'simulate', beam_file, '--input', 't;0', '--t-end', '0.2', '--out', tmp_path / 'run.npz',
        '--plot', plot, '--animate', animation,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert plot.read_bytes().startswith(b'\x89PNG')
    with Image.open(animation) as pictures:
        assert pictures.n_frames == 6  # 25 Hz from 0 to 0.2 s, both included
        assert pictures.info['duration'] == 40


def test_what_cannot_be_integrated_is_kept_as_far_as_it_went(command, beam_file, tmp_path):
    out = tmp_path / 'run.npz'
    result = command('simulate', beam_file, '--input', '1e12*step(t-0.02); 0', '--t-end', '0.1', '--out', out)
    assert result.exit_code == 1
    assert 'could not be integrated beyond' in result.stdout
    run = load_run(out)
    assert run.information['complete'] is False
    assert 0.0 < run.time[-1] < 0.1
    assert np.isfinite(run.q).all() and len(run.q) == len(run.time)


def test_all_kinds_of_inputs_move_a_hybrid_robot(command, crane_file, tmp_path):
    out = tmp_path / 'run.npz'
    result = command(
        'simulate', crane_file, '--input', '0; 0; 8; t', '--t-end', '1.5', '--out', out, '--gravity', 'off',
        '--start', 'reference', '--json',
    )  # fmt: skip
    assert result.exit_code == 0, (result.output, result.exception)
    assert json.loads(result.stdout)['inputs'] == ['pull', 'bellow', 'lift', 'turn']
    run = load_run(out)
    # the turret follows its target, the boom swings about where its spring holds the motor's moment
    np.testing.assert_allclose(run.q[-1, 1], 1.5, atol=0.02)
    assert run.q[:, 0].min() > -1e-9
    assert 0.25 < run.q[:, 0].max() < 0.45


@pytest.mark.parametrize(
    ('changed', 'sentence'),
    [
        ({'--input': '1'}, 'expected 2 separated by semicolons, one for each of side, top'),
        ({'--input': 'missing.csv'}, 'cannot be read as a CSV file'),
        ({'--t-end': '-1'}, 't_end: expected a positive time'),
        ({'--dt': '0'}, 'dt: expected a positive time'),
        ({'--out': '/nowhere/run.npz'}, 'the run cannot be written'),
        ({'--animate': 'run.avi'}, 'expected a file that ends in .gif or .mp4'),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(command, beam_file, tmp_path, changed, sentence):
    options = {'--input': '0;0', '--t-end': '0.01', '--out': str(tmp_path / 'run.npz')} | changed
    result = command('simulate', beam_file, *[word for pair in options.items() for word in pair])
    assert isinstance(result.exception, ValueError)
    assert sentence in str(result.exception)
