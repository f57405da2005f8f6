"""Random robots load and read back equal; random damage to them is refused with the key it was done to."""

import copy
import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from continua.description import RobotFileError, parse_robot

FRACTIONS = st.floats(0.0, 1.0)
ORDERS = st.none() | st.integers(0, 8)


def _between(low, high):
    return st.floats(low, high, allow_subnormal=False)


@st.composite
def _links(draw):
    length = draw(_between(0.05, 5.0))
    radius = st.floats(0.01, 0.2).map(lambda ratio: ratio * length * 0.999)
    order = {name: draw(ORDERS) for name in ('torsion', 'bending_z', 'elongation', 'shear_y', 'shear_z')}
    return {
        'name': draw(st.sampled_from(['arm', 'Trunk_2', 'null', 'yes'])),
        'type': 'soft',
        'length': length,
        'section': {'shape': 'circular', 'radius': draw(radius | st.tuples(radius, radius).map(list))},
        'material': {
            'density': draw(_between(10.0, 25e3)),
            'youngs_modulus': draw(_between(1e3, 1e12)),
            'poisson_ratio': draw(_between(-0.99, 0.5)),
            'damping': draw(_between(0.0, 1e9)),
        },
        'strain_basis': {'type': 'legendre', 'order': order | {'bending_y': draw(st.integers(0, 20))}},
        'quadrature_points': draw(st.none() | st.integers(2, 200)),
    }


@st.composite
def _paths(draw, start, end, reach):
    """A path over [start, end] that stays within the radius `reach`."""

    def point():
        radius, angle = 0.99 * reach * draw(FRACTIONS), draw(_between(-math.pi, math.pi))
        return [radius * math.cos(angle), radius * math.sin(angle)]

    match draw(st.sampled_from(['linear', 'parallel', 'helical', 'points'])):
        case 'linear':
            return {'type': 'linear', 'start': point(), 'end': point()}
        case 'parallel':
            return {'type': 'linear', 'start': point()}
        case 'helical':
            radius = 0.1 * reach + 0.89 * reach * draw(FRACTIONS)
            return {'type': 'helical', 'radius': radius, 'turns': draw(_between(-5.0, 5.0))}
        case _:
            # A parabola through three points on a line overshoots nowhere: the middle is its middle.
            first, last = point(), point()
            middle = [0.5 * (a + b) for a, b in zip(first, last, strict=True)]
            arc_length = [start, 0.5 * (start + end), end]
            return {'type': 'points', 'arc_length': arc_length, 'points': [first, middle, last]}


@st.composite
def _robots(draw):
    """The data of a valid robot file."""
    link = draw(_links())
    length, radius = link['length'], link['section']['radius']
    reach = min(radius) if isinstance(radius, list) else radius
    where = st.tuples(_between(0.0, 0.4), _between(0.6, 1.0)).map(lambda ends: [end * length for end in ends])
    tendons = []
    for i in range(draw(st.integers(0, 4))):
        start, end = draw(where)
        high = draw(_between(1.0, 1e3))
        tendons.append(
            {
                'name': f'tendon_{i}',
                'link': link['name'],
                'range': [start, end],
                'path': draw(_paths(start, end, reach)),
                'friction': draw(_between(0.0, 2.0)),
                'limits': {'tension': [0.5 * high * draw(FRACTIONS), high]},
                'time_constant': draw(_between(0.0, 1.0)),
            }
        )
    markers = [
        {
            'name': f'm{i}',
            'link': link['name'],
            'arc_length': length * draw(FRACTIONS),
            'offset': [0.0, reach],
        }
        for i in range(draw(st.integers(0, 3)))
    ]
    angle = draw(_between(-math.pi, math.pi))
    return {
        'version': 1,
        'name': 'robot',
        'base': {'orientation_xyzw': [0.0, math.sin(angle / 2.0), 0.0, math.cos(angle / 2.0)]},
        'gravity': draw(st.lists(_between(-50.0, 50.0), min_size=3, max_size=3)),
        'links': [link],
        'tendons': tendons,
        'markers': markers,
    }


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
    return parse_robot(yaml.safe_dump(data, sort_keys=False), 'robot.yaml')


def _refusal(data):
    with pytest.raises(RobotFileError) as caught:
        _parse(data)
    return caught.value.problems


@settings(max_examples=40, deadline=None)
@given(_robots())
def test_random_robots_read_back_equal(data):
    robot = _parse(data)
    again = parse_robot(robot.to_yaml())
    assert again == robot
    assert again.hash == robot.hash
    assert again.to_yaml() == robot.to_yaml()
    assert len(robot.tendon_names) == len(data['tendons'])


@settings(max_examples=40, deadline=None)
@given(
    _robots(),
    st.data(),
    st.sampled_from([math.nan, math.inf, -math.inf, 1e30, {'nonsense': 1}, [[]], True, '17 mm', '']),
)
def test_damaged_value_is_refused_by_its_key(data, choice, damage):
    written = yaml.safe_load(_parse(data).to_yaml())
    where = choice.draw(st.sampled_from(_leaves(written)))
    _at(written, where[:-1])[where[-1]] = damage
    key = _dotted(where)
    problems = _refusal(written)
    # A vector may be refused as a whole, and `path.type` by what is then wrong with the path.
    assert any(problem.key and (key.startswith(problem.key)) for problem in problems)
    assert all(problem.line for problem in problems)


@settings(max_examples=40, deadline=None)
@given(_robots(), st.data())
def test_unknown_key_is_refused_anywhere(data, choice):
    written = yaml.safe_load(_parse(data).to_yaml())
    mappings = {leaf[: n + 1] for leaf in _leaves(written) for n in range(-1, len(leaf))}
    mappings = sorted((each for each in mappings if isinstance(_at(written, each), dict)), key=repr)
    where = choice.draw(st.sampled_from(mappings))
    _at(written, where)['quite_unknown'] = 1
    (problem,) = _refusal(written)
    assert problem.key == _dotted((*where, 'quite_unknown'))
    assert problem.what == 'unknown key'


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_text_gives_a_robot_or_a_sentence(robot_text, choice):
    start = choice.draw(st.integers(0, len(robot_text)))
    end = choice.draw(st.integers(start, min(len(robot_text), start + 40)))
    text = robot_text[:start] + choice.draw(st.text(max_size=20)) + robot_text[end:]
    try:
        parse_robot(text, 'robot.yaml')
    except RobotFileError as error:
        assert str(error).startswith('robot.yaml')


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
