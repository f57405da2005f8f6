"""Random robots load and read back equal; random damage to them is refused with the key it was done to."""

import copy
import math
from random import Random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import random_robot, robots, text_of

from continua.description import RobotFileError, parse_robot

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True)


def _leaves(data, where=()):
    """Every place of `data` that holds a single value."""
    if isinstance(data, dict):
        return [leaf for key, value in data.items() for leaf in _leaves(value, (*where, key))]
    if isinstance(data, list):
        return [leaf for i, value in enumerate(data) for leaf in _leaves(value, (*where, i))]
    return [where]


def _at(data, where):
    for part in where:
        data = data[part]
    return data


def _dotted(where):
    text = ''.join(f'[{part}]' if isinstance(part, int) else f'.{part}' for part in where)
    return text.removeprefix('.')


def _parse(data):
    return parse_robot(text_of(data), 'robot.yaml')


def _refusal(data):
    with pytest.raises(RobotFileError) as caught:
        _parse(data)
    return caught.value.problems


@SETTINGS
@given(robots())
def test_random_robots_read_back_equal(data):
    robot = _parse(data)
    again = parse_robot(robot.to_yaml())
    assert again == robot
    assert again.hash == robot.hash
    assert again.to_yaml() == robot.to_yaml()
    assert len(robot.tendon_names) == len(data['tendons'])


@SETTINGS
@given(
    robots(),
    st.data(),
    st.sampled_from([math.nan, math.inf, -math.inf, 1e30, {'nonsense': 1}, [[]], True, '17 mm', '']),
)
def test_damaged_value_is_refused_by_its_key(data, choice, damage):
    written = yaml.safe_load(_parse(data).to_yaml())
    where = choice.draw(st.sampled_from(_leaves(written)))
    _at(written, where[:-1])[where[-1]] = damage
    key = _dotted(where)
    problems = _refusal(written)
    # A vector may be refused as a whole, and a mapping in place of a number by its keys.
    near = [problem.key for problem in problems if problem.key]
    assert any(key.startswith(each) or each.startswith(key) for each in near)
    assert all(problem.line for problem in problems)


@SETTINGS
@given(robots(), st.data())
def test_unknown_key_is_refused_anywhere(data, choice):
    written = yaml.safe_load(_parse(data).to_yaml())
    mappings = {leaf[: n + 1] for leaf in _leaves(written) for n in range(-1, len(leaf))}
    mappings = sorted((each for each in mappings if isinstance(_at(written, each), dict)), key=repr)
    where = choice.draw(st.sampled_from(mappings))
    _at(written, where)['quite_unknown'] = 1
    (problem,) = _refusal(written)
    assert problem.key == _dotted((*where, 'quite_unknown'))
    assert problem.what == 'unknown key'


@SETTINGS
@given(st.data())
def test_any_text_gives_a_robot_or_a_sentence(robot_text, choice):
    start = choice.draw(st.integers(0, len(robot_text)))
    end = choice.draw(st.integers(start, min(len(robot_text), start + 40)))
    text = robot_text[:start] + choice.draw(st.text(max_size=20)) + robot_text[end:]
    try:
        parse_robot(text, 'robot.yaml')
    except RobotFileError as error:
        assert str(error).startswith('robot.yaml')


def test_a_seed_gives_the_same_robot():
    assert random_robot(Random(7)) == random_robot(Random(7)) != random_robot(Random(8))


def test_random_robots_are_of_every_kind():
    robots = [random_robot(Random(seed)) for seed in range(200)]
    links = [link for robot in robots for link in robot['links']]
    assert {len(robot['links']) for robot in robots} == set(range(1, 7))
    assert {link['type'] for link in links} == {'soft', 'rigid'}
    joints = {link.get('joint', {'type': 'fixed'})['type'] for link in links}
    assert len(joints) == 8
    assert len({link['section']['shape'] for link in links if 'section' in link}) == 3
    assert len({link['strain_basis']['type'] for link in links if 'strain_basis' in link}) == 6
    for part in ('loops', 'tendons', 'disk_guides', 'chambers', 'drives', 'masses', 'loads', 'contacts'):
        assert sum(bool(robot[part]) for robot in robots) > 20, part


def test_hash_is_of_the_content_only(data):
    robot = _parse(data)
    rewritten = copy.deepcopy(data)
    rewritten = dict(reversed(rewritten.items()))
    rewritten['links'][0]['reference_strain'] = [0, 0, 0, 1, 0, -0.0]
    rewritten['gravity'] = [0, -0.0, -9.81]
    assert _parse(rewritten).hash == robot.hash
    assert len(robot.hash) == 16
    rewritten['tendons'][0]['friction'] = 0.11
    assert _parse(rewritten).hash != robot.hash
