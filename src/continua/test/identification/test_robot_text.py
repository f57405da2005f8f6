"""New numbers in robot files: they change, and nothing else does."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.description import load_robot, parse_robot
from continua.identification import ParameterSet, parameter
from continua.identification.robot_text import with_values

ROBOTS = Path(__file__).parents[4] / 'config/robots'
TEXT = (ROBOTS / 'sdre_prototype.yaml').read_text()
DENSITY = ('links', 0, 'material', 'density')


def changes(robot, **values):
    asked = [parameter(robot, f'{path}=-1e9,1e9') for path in values]
    return ParameterSet(robot, asked).changes(np.array(list(values.values())))


@given(st.floats(10.0, 25e3))
def test_a_number_is_written_to_six_digits_and_the_rest_stays(value):
    new = with_values(TEXT, {DENSITY: value})
    assert parse_robot(new).link('arm').material.density == pytest.approx(value, rel=1e-5)
    old_lines, new_lines = TEXT.splitlines(), new.splitlines()
    [changed] = [i for i, pair in enumerate(zip(old_lines, new_lines, strict=True)) if pair[0] != pair[1]]
    assert 'density' in new_lines[changed] and 'youngs_modulus: 2.0e6' in new_lines[changed]


def test_lines_are_put_in_front():
    new = with_values(TEXT, {}, 'From a bag.\n\nYes')
    assert new == '# From a bag.\n#\n# Yes\n' + TEXT


@pytest.mark.parametrize('file', sorted(ROBOTS.glob('*tendon*.yaml')), ids=lambda file: file.stem)
def test_a_key_that_was_left_to_its_default_is_added(file):
    text, robot = file.read_text(), load_robot(file)
    found = parse_robot(with_values(text, changes(robot, **{'tendons.*.friction': 0.25})))
    assert all(tendon.friction == 0.25 for tendon in found.tendons)
    back = ParameterSet(found, [parameter(found, 'tendons.*.friction')]).robot(np.zeros(1))
    assert back == robot


def test_what_an_alias_shares_cannot_differ():
    text = (ROBOTS / 'tendon_arm.yaml').read_text()
    place = ('tendons', 1, 'limits', 'tension_rate')
    with pytest.raises(ValueError, match='write them out'):
        with_values(text, {place: 50.0, ('tendons', 0, 'limits', 'tension_rate'): 40.0})
    same = {('tendons', i, 'limits', 'tension_rate'): 50.0 for i in range(6)}
    assert parse_robot(with_values(text, same)).tendon('short_3').limits.tension_rate == 50.0


def test_what_the_file_says_in_another_way_is_refused():
    text = TEXT.replace('radius: [0.0125, 0.003]', 'radius: 0.0125')
    with pytest.raises(ValueError, match='in another way'):
        with_values(text, {('links', 0, 'section', 'radius', 0): 0.01})
    with pytest.raises(ValueError, match='in another way'):
        with_values(TEXT, {('base', 'position', 2): 0.1})
