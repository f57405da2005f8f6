"""`continua statics` against bending by a couple, and its sentences."""

import json

import numpy as np
import pytest

EI = 2.0e6 * np.pi * 0.008**4 / 4.0
# A tendon parallel to the centre line of an inextensible rod bends it into a circle of curvature T d / EI.
CURVATURE = 1.5 * 0.005 / EI


def test_one_tendon_bends_the_beam_into_an_arc(command, beam_file):
    result = command('statics', beam_file, '--tension', '1.5,0', '--gravity', 'off', '--json')
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report['converged'] and report['stable'] and report['iterations'] >= 1
    assert report['status'].startswith('converged') and report['wall_time_s'] > 0
    angle = 0.4 * CURVATURE
    tip = [np.sin(angle) / CURVATURE, (1 - np.cos(angle)) / CURVATURE, 0.5]
    np.testing.assert_allclose(report['tip_position_m'], tip, atol=1e-9)
    np.testing.assert_allclose(
        report['tip_quaternion_xyzw'], [0, 0, np.sin(angle / 2), np.cos(angle / 2)], atol=1e-9
    )
    np.testing.assert_allclose(report['backbone']['arc_length_m'], np.linspace(0.0, 0.4, 21))
    s = np.array(report['backbone']['arc_length_m'])
    np.testing.assert_allclose(
        np.array(report['backbone']['position_m'])[:, 0], np.sin(CURVATURE * s) / CURVATURE, atol=1e-9
    )
    np.testing.assert_allclose(report['q'], [0, 0, 0, CURVATURE, 0, 0], atol=1e-8)


def test_without_gravity_and_tension_it_stays_straight(command, beam_file):
    result = command('statics', beam_file, '--gravity', 'off')
    assert result.exit_code == 0
    assert 'tip at (400.00, 0.00, 500.00) mm' in result.stdout


def test_gravity_bends_it_down(command, beam_file):
    report = json.loads(command('statics', beam_file, '--json').stdout)
    assert report['tip_position_m'][2] < 0.49
    assert report['tip_position_m'][1] == pytest.approx(0.0, abs=1e-9)


def test_the_picture_is_a_png(command, beam_file, tmp_path):
    picture = tmp_path / 'shape.png'
    assert command('statics', beam_file, '--plot', picture).exit_code == 0
    assert picture.read_bytes().startswith(b'\x89PNG')


def test_a_robot_that_comes_along_goes_by_its_name(command):
    report = json.loads(command('statics', 'tendon_arm', '--json').stdout)
    # the demo's arm hangs straight down from 0.4 m, and its weight stretches it by less than 1 mm
    np.testing.assert_allclose(report['tip_position_m'], [0.0, 0.0, 0.15], atol=1e-3)


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['tendon_arn'], "neither a file nor a robot that comes along; did you mean 'tendon_arm'"),
        (['missing.yaml'], 'there is no such file'),
        (['BEAM', '--tension', '5'], 'expected 2 finite numbers, for side, top, got 1'),
        (['BEAM', '--tension', '5,x'], 'expected numbers separated by commas'),
        (['BEAM', '--tension', '5,nan'], 'expected 2 finite numbers'),
        (['BEAM', '--pressure', '1e5'], 'expected none, the robot has none, got 1'),
        (['BEAM', '--plot', 'shape.docx'], 'shape.docx: the figure cannot be written'),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(command, beam_file, arguments, sentence):
    result = command('statics', *[str(beam_file) if each == 'BEAM' else each for each in arguments])
    assert isinstance(result.exception, ValueError)
    assert sentence in str(result.exception)


def test_no_equilibrium_is_exit_status_1(command, beam_file):
    result = command('statics', beam_file, '--tension', '1e6,0', '--json')
    report = json.loads(result.stdout)
    assert result.exit_code == 1 and not report['converged']
    assert 'no equilibrium found' in report['status']
