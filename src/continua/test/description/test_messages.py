"""What is wrong with a robot file is said with its key, what was expected, what was found, and the remedy."""

import pytest
import yaml

from continua.description import RobotFileError, parse_robot


def _refusal(data):
    with pytest.raises(RobotFileError) as caught:
        parse_robot(yaml.safe_dump(data, sort_keys=False), 'robot.yaml')
    return caught.value


def _set(data, where, value):
    """Set the value at `where`, a sequence of keys and indices."""
    for part in where[:-1]:
        data = data[part]
    data[where[-1]] = value


MATERIAL = ('links', 0, 'material')

WRONG = [
    # where, value, key in the message, phrases of the message
    (('version',), 2, 'version', ['not known', 'expected 1, got 2']),
    (('version',), True, 'version', ['valid integer', 'got True']),
    (('name',), '2nd arm', 'name', ['pattern', "'2nd arm'"]),
    (('gravity',), [0, 0, -9810], 'gravity', ['not plausible', '100 m/s2', '9810', '[0, 0, -9.81]']),
    (('base', 'orientation_xyzw'), [1, 0, 0, 1], 'base.orientation_xyzw', ['norm 1.41421', 'x, y, z, w']),
    (('base', 'position'), [0, 0, 400], 'base.position[2]', ['400', 'metres']),
    (('links',), [], 'links', ['expected 1 to 1000 items', 'got 0']),
    (('links', 0, 'type'), 'sofd', 'links[0].type', ['expected soft or rigid', "mean 'soft'?"]),
    (('links', 0, 'length'), 200, 'links[0].length', ['1e-05 to 10 m', 'got 200', '250 mm is 0.25']),
    (('links', 0, 'length'), '0.2 m', 'links[0].length', ['valid number', "'0.2 m'", '[m]']),
    (('links', 0, 'section'), 0.01, 'links[0].section', ['mapping with the keys shape, radius', '0.01']),
    (('links', 0, 'section', 'radius'), 0.1, 'links[0].section.radius', ['too thick', '0.04 m', '0.1 m']),
    (('links', 0, 'section', 'radius'), [0.01, 0.0], 'links[0].section.radius[1]', ['got 0', 'metres']),
    ((*MATERIAL, 'density'), 1.07, 'links[0].material.density', ['10 to 25000 kg/m3', '1.07 g/cm3 is 1070']),
    ((*MATERIAL, 'youngs_modulus'), 0.8, 'links[0].material.youngs_modulus', ['got 0.8', '1 MPa is 1.0e6']),
    ((*MATERIAL, 'youngs_modulus'), 2e15, 'links[0].material.youngs_modulus', ['got 2e+15', 'Pa']),
    (
        (*MATERIAL, 'poisson_ratio'),
        0.51,
        'links[0].material.poisson_ratio',
        ['-1 < ratio <= 0.5', 'got 0.51'],
    ),
    ((*MATERIAL, 'poisson_ratio'), -1.0, 'links[0].material.poisson_ratio', ['got -1']),
    ((*MATERIAL, 'damping'), -1.0, 'links[0].material.damping', ['got -1']),
    (('links', 0, 'strain_basis', 'type'), 'legendary', 'links[0].strain_basis.type', ["mean 'legendre'?"]),
    (('links', 0, 'strain_basis', 'order'), {}, 'links[0].strain_basis.order', ['no strain is allowed']),
    (
        ('links', 0, 'strain_basis', 'order', 'torsion'),
        2.5,
        'links[0].strain_basis.order.torsion',
        ['integer'],
    ),
    (
        ('links', 0, 'strain_basis', 'order', 'torsion'),
        21,
        'links[0].strain_basis.order.torsion',
        ['0 to 20'],
    ),
    (('links', 0, 'quadrature_points'), 1, 'links[0].quadrature_points', ['2 to 200', 'got 1']),
    (
        ('links', 0, 'reference_strain'),
        [1, 0, 0, 0, 0, 0],
        'links[0].reference_strain',
        ['lx > 0', 'straight'],
    ),
    (('links', 0, 'reference_strain'), [0, 0, 90, 1, 0, 0], 'links[0].reference_strain', ['folds', '90 1/m']),
    (('tendons', 0, 'range'), [0.2, 0.0], 'tendons[0].range', ['do not increase', '0 after 0.2']),
    (('tendons', 0, 'range'), [0.0, 0.25], 'tendons[0].range', ['beyond the tip', 'ends at 0.2 m']),
    (('tendons', 0, 'path'), {'start': [0, 0]}, 'tendons[0].path.type', ['missing', 'linear or helical']),
    (('tendons', 0, 'path', 'type'), 'lin', 'tendons[0].path.type', ["got 'lin'", "'linear'?"]),
    (('tendons', 0, 'path', 'start'), [0.008], 'tendons[0].path.start', ['too short', '[y, z]', '[0.008]']),
    (('tendons', 0, 'path', 'end'), [0.0, 0.0, 0.008], 'tendons[0].path.end', ['too long', '2 items']),
    (('base', 'position'), [], 'base.position', ['too short', 'got []']),
    (('tendons', 0, 'path', 'end'), [8.0, 0], 'tendons[0].path', ['leaves the section', '8 m', 'metres']),
    (('tendons', 1, 'path', 'phase'), 90, 'tendons[1].path.phase', ['90 degrees is 1.5708']),
    (('tendons', 2, 'path', 'arc_length'), [0, 0.04, 0.09], 'tendons[2].path', ['do not cover', '0.1']),
    (
        ('tendons', 2, 'path', 'arc_length'),
        [0, 0.04, 0.04],
        'tendons[2].path.arc_length',
        ['do not increase'],
    ),
    (('tendons', 2, 'path', 'arc_length'), [0, 0.1], 'tendons[2].path.points', ['differ in length', 'got 3']),
    (('tendons', 0, 'link'), 'arn', 'tendons[0].link', ['unknown link', "did you mean 'arm'?"]),
    (('tendons', 1, 'name'), 'straight', 'tendons[1].name', ['taken', 'name of item 0']),
    (('tendons', 0, 'limits', 'tension'), [5, 0], 'tendons[0].limits.tension', ['empty', '[5.0, 0.0]']),
    (('tendons', 0, 'limits', 'tension'), [-1, 5], 'tendons[0].limits.tension[0]', ['got -1', 'pulls']),
    (('tendons', 0, 'limits', 'tension_rate'), 0, 'tendons[0].limits.tension_rate', ['null for no limit']),
    (('tendons', 0, 'friction'), -0.1, 'tendons[0].friction', ['Capstan']),
    (('tendons', 0, 'time_constant'), 300, 'tendons[0].time_constant', ['30 ms is 0.03']),
    (('tendons', 3, 'guides'), 'disk', 'tendons[3].guides', ['unknown disk guides', "'disks'?"]),
    (('tendons', 3, 'guides'), None, 'tendons[3].path', ['leaves the section']),
    (('tendons', 3, 'range'), [0.0, 0.15], 'tendons[3].range', ['end at a disk', '0.05, 0.1, 0.2']),
    (
        ('disk_guides', 0, 'link'),
        'arn',
        'tendons[3].guides',
        ["disks on link 'arm'", "got disks on link 'arn'"],
    ),
    (('disk_guides', 0, 'radius_margin'), 0.001, 'tendons[3].path', ["leaves the disks 'disks'"]),
    (('disk_guides', 0, 'arc_length'), [], 'disk_guides[0].arc_length', ['1 to 1000', 'got 0']),
    (('disk_guides', 0, 'arc_length'), [0.2, 0.3], 'disk_guides[0].arc_length', ['beyond the tip', '0.3 m']),
    (('chambers', 0, 'limits', 'pressure'), [0, 75], 'chambers[0].limits.pressure', ['75 kPa is 75.0e3']),
    (('chambers', 0, 'area'), 30.0, 'chambers[0].area', ['80 mm2 is 80.0e-6']),
    (('chambers', 0, 'area'), 500.0e-6, 'chambers[0].area', ['larger than the section', '0.0005 m2']),
    (('chambers', 0, 'path', 'start'), [0.02, 0], 'chambers[0].path', ['leaves the section']),
    (('markers', 0, 'arc_length'), 0.21, 'markers[0].arc_length', ['beyond the tip', '0.21 m']),
    (('markers', 0, 'offset'), [0, 2.5], 'markers[0].offset', ['too far off', '25 mm is 0.025']),
    (('markers', 0, 'role'), 'tracking', 'markers[0].role', ["mean 'tracked'?"]),
    (('markers', 1, 'name'), 'middle', 'markers[1].name', ['taken']),
]


@pytest.mark.parametrize(('where', 'value', 'key', 'phrases'), WRONG)
def test_wrong_value_is_explained(data, where, value, key, phrases):
    _set(data, where, value)
    error = _refusal(data)
    (problem,) = [each for each in error.problems if each.key == key]
    for phrase in phrases:
        assert phrase in str(problem)
    assert str(problem) in str(error)


@pytest.mark.parametrize(
    ('where', 'key', 'near'),
    [
        (('tendon',), 'tendon', 'tendons'),
        (('links', 0, 'lenght'), 'links[0].lenght', 'length'),
        (('links', 0, 'material', 'young_modulus'), 'links[0].material.young_modulus', 'youngs_modulus'),
        (('tendons', 1, 'path', 'turn'), 'tendons[1].path.turn', 'turns'),
        (('tendons', 2, 'path', 'point'), 'tendons[2].path.point', 'points'),
        (('tendons', 0, 'limits', 'tension_max'), 'tendons[0].limits.tension_max', 'tension'),
    ],
)
def test_unknown_key_names_the_near_one(data, where, key, near):
    _set(data, where, 1)
    (problem,) = _refusal(data).problems
    assert problem.key == key
    assert problem.what == 'unknown key'
    assert f"'{near}'" in problem.fix


def test_unknown_key_without_near_one_lists_the_known(data):
    data['base']['colour'] = 'red'
    (problem,) = _refusal(data).problems
    assert problem.fix == 'known: position, orientation_xyzw'


@pytest.mark.parametrize(
    'where', [('version',), ('links',), ('links', 0, 'section'), ('tendons', 0, 'path', 'start')]
)
def test_missing_key_says_what_it_means(data, where):
    parent = data
    for part in where[:-1]:
        parent = parent[part]
    del parent[where[-1]]
    (problem,) = _refusal(data).problems
    assert problem.key.endswith(where[-1])
    assert problem.what == 'this key is missing'
    assert problem.expected
    assert problem.fix == f'add `{where[-1]}: ...`'


def test_all_problems_are_reported_at_once(data):
    data['links'][0]['length'] = -1
    data['tendons'][0]['frictoin'] = 0.1
    data['markers'][0]['role'] = 'none'
    keys = {problem.key for problem in _refusal(data).problems}
    assert keys == {'links[0].length', 'tendons[0].frictoin', 'markers[0].role'}


def test_a_file_of_another_version_is_refused_for_that_alone(data):
    data['version'] = 3
    data['segments'] = data.pop('links')
    (problem,) = _refusal(data).problems
    assert problem.key == 'version'


def test_long_lists_of_problems_are_cut_in_the_message(data):
    data['markers'] = [{'name': f'm{i}'} for i in range(50)]
    error = _refusal(data)
    assert len(error.problems) == 150
    assert str(error).endswith('... and 130 more')


def test_problem_names_file_and_line():
    text = 'version: 1\nname: arm\nlinks:\n  - name: arm\n    type: soft\n    lenght: 0.2\n'
    with pytest.raises(RobotFileError) as caught:
        parse_robot(text, 'my_arm.yaml')
    (problem,) = [each for each in caught.value.problems if each.what == 'unknown key']
    assert str(problem) == "my_arm.yaml:6: links[0].lenght: unknown key; did you mean 'length'?"
