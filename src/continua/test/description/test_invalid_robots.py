"""500 random robots with one defect each: every one is refused, with a message that names the field."""

import math
from random import Random

import pytest
from robots import DOF, random_robot, text_of

from continua.description import RobotFileError, parse_robot

SEEDS = range(500)


class NotApplicable(Exception):
    """This robot has no part that could have the defect."""


def _pick(random, robot, part, fits=lambda item: True):
    """Key and data of a random item of a list that the defect fits."""
    found = [(f'{part}[{i}]', item) for i, item in enumerate(robot[part]) if fits(item)]
    if not found:
        raise NotApplicable
    return random.choice(found)


def _soft(link):
    return link['type'] == 'soft'


def _moves(link):
    return 'joint' in link


def _set(part, path, value, fits=lambda item: True, named=None):
    """A defect that sets the value at `path` of an item of the list `part`; `named`: the key refused."""

    def damage(random, robot):
        key, data = _pick(random, robot, part, lambda item: fits(item) and _has(item, path[:-1], path[-1]))
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value(data) if callable(value) else value
        return key + (named or ''.join(f'[{step}]' if isinstance(step, int) else f'.{step}' for step in path))

    return damage


def _has(item, path, last=None):
    """Whether the item has something at `path`, and that can hold the key or index `last`."""
    for step in path:
        if not (isinstance(item, dict) and step in item or isinstance(item, list) and isinstance(step, int)):
            return False
        item = item[step]
    return last is None or isinstance(item, dict if isinstance(last, str) else list)


def _delete(part, path, fits=lambda item: True):
    """A defect that leaves a key out."""

    def damage(random, robot):
        key, data = _pick(random, robot, part, lambda item: fits(item) and _has(item, path))
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]
        return key + ''.join(f'.{step}' for step in path)

    return damage


def _cycle(random, robot):
    key, link = _pick(random, robot, 'links', lambda link: 'parent' in link)
    above = next(each for each in robot['links'] if each['name'] == link['parent'])
    above['parent'] = link['name']
    above.get('attach', {}).pop('arc_length', None)
    return key + '.parent'


def _late_parent(random, robot):
    if len(robot['links']) < 2:
        raise NotApplicable
    robot['links'][0]['parent'] = robot['links'][1]['name']
    robot['links'][1].pop('parent', None)
    robot['links'][1].get('attach', {}).pop('arc_length', None)
    return 'links[0].parent'


def _same_name(random, robot):
    if len(robot['links']) < 2:
        raise NotApplicable
    robot['links'][-1]['name'] = robot['links'][0]['name']
    return f'links[{len(robot["links"]) - 1}].name'


def _two_drives(random, robot):
    _, drive = _pick(random, robot, 'drives')
    robot['drives'].append(drive | {'name': 'another'})
    return f'drives[{len(robot["drives"]) - 1}].coordinate'


def _missing_coordinate(random, robot):
    key, drive = _pick(random, robot, 'drives')
    joint = next(link['joint'] for link in robot['links'] if link['name'] == drive['joint'])
    drive['coordinate'] = DOF[joint['type']]
    return key + '.coordinate'


def _top(key, value, named=None):
    def damage(random, robot):
        robot[key] = value
        return named or key

    return damage


def _table(joint):
    return {'type': 'table', 'coordinate': [0.0, 0.3, 0.3], 'force': [0.0, 1.0, 2.0]}


def _of_type(*kinds):
    return lambda item: item.get('type', 'routed') in kinds


def _has_formula(tendon):
    return 'path' in tendon and tendon['path']['type'] != 'points'


def _jointed(*kinds):
    return lambda link: _moves(link) and link['joint']['type'] in kinds


AXES = ('revolute', 'prismatic', 'cylindrical')
NAN, INF = math.nan, math.inf

DEFECTS = {
    'gravity is not a number': _top('gravity', [0.0, 0.0, NAN], 'gravity[2]'),
    'gravity in mm/s2': _top('gravity', [0.0, 0.0, -9810.0]),
    'version': _top('version', 2),
    'no links': _top('links', []),
    'unknown part': _top('tendon', []),
    'length is not a number': _set('links', ['length'], NAN),
    'length is infinite': _set('links', ['length'], INF),
    'length in millimetres': _set('links', ['length'], 250.0),
    'length as text': _set('links', ['length'], '0.25 m'),
    'length left out': _delete('links', ['length']),
    'kind of link': _set('links', ['type'], 'sofd'),
    'unknown key of a link': _set('links', ['lenght'], 0.2),
    'name twice': _same_name,
    'name with a blank': _set('links', ['name'], 'my link'),
    'parent unknown': _set('links', ['parent'], 'nobody'),
    'parents in a circle': _cycle,
    'parent comes later': _late_parent,
    'attached beyond the tip': _set('links', ['attach'], {'arc_length': 9.0}, named='.attach.arc_length'),
    'quaternion': _set(
        'links', ['attach'], {'orientation_xyzw': [1, 0, 0, 1]}, named='.attach.orientation_xyzw'
    ),
    'modulus in megapascals': _set('links', ['material', 'youngs_modulus'], 0.8, _soft),
    'density in g/cm3': _set('links', ['material', 'density'], 1.07, _soft),
    'poisson ratio': _set('links', ['material', 'poisson_ratio'], 0.6, _soft),
    'damping negative': _set('links', ['material', 'damping'], -1.0, _soft),
    'material left out': _delete('links', ['material'], _soft),
    'shape of the section': _set('links', ['section', 'shape'], 'round', _soft),
    'section too thick': _set(
        'links',
        ['section'],
        lambda link: {'shape': 'circular', 'radius': link['length']},
        _soft,
        '.section.radius',
    ),
    'no strain basis': _delete('links', ['strain_basis'], _soft),
    'family of the basis': _set('links', ['strain_basis', 'type'], 'fourier', _soft),
    'order negative': _set('links', ['strain_basis', 'order', 'bending_y'], -1, _soft),
    'order not whole': _set('links', ['strain_basis', 'order', 'bending_y'], 1.5, _soft),
    'no elements': _set('links', ['strain_basis', 'elements', 'bending_y'], 0, _soft),
    'divisions short of the tip': _set('links', ['divisions', 1, 'end'], lambda it: 0.99 * it['end'], _soft),
    'factors of the wrong length': _set('links', ['stiffness_factor'], [1.0, 2.0], _soft),
    'reference strain backwards': _set('links', ['reference_strain'], [0, 0, 0, -1, 0, 0], _soft),
    'reference strain table': _set(
        'links', ['reference_strain', 'arc_length'], lambda it: [0.0, 1e-3, 2e-3], _soft
    ),
    'mass negative': _set('links', ['body', 'mass'], -1.0, _of_type('rigid')),
    'inertia of no body': _set('links', ['body', 'inertia'], [1, 1, 3, 0, 0, 0], _of_type('rigid')),
    'kind of joint': _set('links', ['joint', 'type'], 'hinge', _moves),
    'axis not a unit vector': _set('links', ['joint', 'axis'], [0, 2, 0], _jointed(*AXES)),
    'axis of two numbers': _set('links', ['joint', 'axis'], [0, 1], _jointed(*AXES)),
    'axes parallel': _set('links', ['joint', 'axes'], [[0, 1, 0], [0, 1, 0]], _jointed('universal')),
    'normal of zero': _set('links', ['joint', 'normal'], [0, 0, 0], _jointed('planar')),
    'joint stiffness negative': _set('links', ['joint', 'stiffness'], -1.0, _moves),
    'stiffness table not increasing': _set(
        'links', ['joint', 'stiffness'], _table, _moves, '.joint.stiffness.coordinate'
    ),
    'rest of the wrong length': _set('links', ['joint', 'rest'], [0.0] * 7, _moves),
    'limits the wrong way round': _set(
        'links', ['joint', 'limits'], {'range': [1, -1], 'stiffness': 1.0}, _moves, '.joint.limits.range'
    ),
    'tendon on an unknown link': _set('tendons', ['link'], 'nobody', _of_type('routed')),
    'tendon range backwards': _set('tendons', ['range'], lambda it: it['range'][::-1], _of_type('routed')),
    'tendon range too long': _set('tendons', ['range', 1], 9.0, _has_formula, '.range'),
    'tendon leaves the body': _set(
        'tendons', ['path'], {'type': 'linear', 'start': [5.0, 0.0]}, _of_type('routed')
    ),
    'tension negative': _set('tendons', ['limits', 'tension', 0], -1.0),
    'guides unknown': _set('tendons', ['guides'], 'nothing', _of_type('routed')),
    'cable of one point': _set('tendons', ['points'], lambda it: it['points'][:1], _of_type('points')),
    'cable point beyond the tip': _set('tendons', ['points', 1, 'arc_length'], 9.0, _of_type('points')),
    'cable point far off': _set('tendons', ['points', 1, 'offset'], [9.0, 0.0], _of_type('points')),
    'disks beyond the tip': _set('disk_guides', ['arc_length'], [0.01, 9.0]),
    'pressure in kPa': _set('chambers', ['limits', 'pressure'], [0.0, 75.0]),
    'chamber in mm2': _set('chambers', ['area'], 80.0),
    'drive of no joint': _set('drives', ['joint'], 'nobody'),
    'drive of a missing coordinate': _missing_coordinate,
    'two drives of one coordinate': _two_drives,
    'drive limits of the other kind': _set(
        'drives', ['limits'], {'tension': [0, 1]}, named='.limits.tension'
    ),
    'loop to itself': _set('loops', ['to'], lambda it: it['link']),
    'loop joint': _set('loops', ['joint'], {'type': 'free'}, named='.joint.type'),
    'loop on the base with arc length': _set(
        'loops', ['to_attach', 'arc_length'], 0.1, lambda loop: 'to' not in loop
    ),
    'mass of nothing': _set('masses', ['mass'], 0.0),
    'mass off its link': _set('masses', ['arc_length'], 9.0),
    'load in no frame': _set('loads', ['frame'], 'local'),
    'force is not a number': _set('loads', ['force', 1], NAN),
    'contact normal': _set('contacts', ['normal'], [0.0, 0.0, 1.2], _of_type('plane')),
    'contact stiffness': _set('contacts', ['stiffness'], 0.0),
    'marker far off': _set('markers', ['offset'], [0.0, 9.0]),
    'role of a marker': _set('markers', ['role'], 'seen'),
}


def _damaged(seed):
    """A robot with the defect of this seed, the name of the defect, and the key that must be named."""
    random = Random(seed)
    name = list(DEFECTS)[seed % len(DEFECTS)]
    while True:
        robot = random_robot(random, most_links=3)
        try:
            return robot, name, DEFECTS[name](random, robot)
        except NotApplicable:
            continue


@pytest.mark.parametrize('first', range(0, len(SEEDS), 100))
def test_every_defect_is_refused_by_the_field_that_has_it(first):
    for seed in SEEDS[first : first + 100]:
        robot, name, key = _damaged(seed)
        with pytest.raises(RobotFileError) as caught:
            parse_robot(text_of(robot), 'robot.yaml')
        problems = [problem for problem in caught.value.problems if problem.key == key]
        assert problems, f'seed {seed}, {name}: {key} is not named in\n{caught.value}'
        assert all(key in str(problem) and problem.line for problem in problems)
        assert all(problem.what and (problem.expected or problem.fix) for problem in problems), str(problems)
