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


def crane(command, crane_file, *arguments):
    result = command('statics', crane_file, '--gravity', 'off', '--json', *arguments)
    assert result.exit_code == 0, (result.output, result.exception)
    return json.loads(result.stdout)


def test_an_effort_turns_a_sprung_joint(command, crane_file):
    report = crane(command, crane_file, '--effort', '8')
    # q: joint of the boom, joint of the turret, strains of the finger
    np.testing.assert_allclose(report['q'], [8.0 / 40.0, 0, 0, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(
        report['tip_position_m'], [0.8 * np.cos(0.2), 0, -0.8 * np.sin(0.2)], atol=1e-9
    )
    np.testing.assert_allclose(report['backbone']['arc_length_m'][-1], 0.8)


def test_a_position_turns_the_turret_and_with_it_the_plane_of_the_finger(command, crane_file):
    curvature = 0.5 * 0.004 / (1.0e6 * 0.02 * 0.01**3 / 12)
    up = np.array([(1 - np.cos(0.2 * curvature)) / curvature, np.sin(0.2 * curvature) / curvature + 0.6])
    straight = crane(command, crane_file, '--tension', '0.5')['tip_position_m']
    turned = crane(command, crane_file, '--tension', '0.5', '--position', '1.2')['tip_position_m']
    # bending pulls towards the tendon, local +z; a quarter turn and less about x takes z towards -y
    np.testing.assert_allclose(straight, [up[1], 0, up[0]], atol=1e-9)
    np.testing.assert_allclose(turned, [up[1], -np.sin(1.2) * up[0], np.cos(1.2) * up[0]], atol=1e-9)


def test_a_chamber_is_a_pushing_tendon(command, crane_file):
    pushed = crane(command, crane_file, '--pressure', '3e4')
    # 3e4 Pa on 2e-5 m2 at z = -2 mm: the moment of 0.3 N of tendon at +4 mm
    pulled = crane(command, crane_file, '--tension', '0.3')
    np.testing.assert_allclose(pushed['tip_position_m'], pulled['tip_position_m'], atol=1e-9)


def test_loads_hang_where_they_are_put(command, crane_file):
    # the moment of -F z at X turns the joint by F X cos(angle) = 40 angle, about y downwards
    report = crane(command, crane_file, '--load', 'boom:0.5:0,0,-4', '--load', 'boom:0.25:0,0,-8')
    angle = report['q'][0]
    assert 40.0 * angle == pytest.approx((4.0 * 0.5 + 8.0 * 0.25) * np.cos(angle), rel=1e-9)


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['--load', 'boom:0.5'], '--load boom:0.5: expected LINK:X:FX,FY,FZ'),
        (['--load', 'boom:0.5:1,2,x'], 'expected LINK:X:FX,FY,FZ'),
        (['--load', 'bom:0.5:1,2,3'], "no link is named 'bom'; did you mean 'boom'"),
        (['--load', 'boom:0.6:1,2,3'], 'expected an arc length in [0, 0.5] m on boom, got 0.6'),
        (['--effort', '1,2'], 'expected 1 finite numbers, for lift, got 2'),
        (['--position', '1,2'], 'expected 1 finite numbers, for turn, got 2'),
    ],
)
def test_wrong_conditions_are_refused_with_a_sentence(command, crane_file, arguments, sentence):
    result = command('statics', crane_file, *arguments)
    assert isinstance(result.exception, ValueError)
    assert sentence in str(result.exception)
