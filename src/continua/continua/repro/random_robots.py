"""Random robots of every kind, as the data of robot files: for studies, and tests of description and engine.

They are valid, of plausible materials and sizes, with positive definite inertia; loops are closed at rest.
"""

import math
from random import Random
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

__all__ = ['DOF', 'Data', 'random_robot']

Data = dict[str, Any]

STRAINS = ('torsion', 'bending_y', 'bending_z', 'elongation', 'shear_y', 'shear_z')
JOINTS = ('revolute', 'prismatic', 'cylindrical', 'planar', 'universal', 'spherical', 'free')
DOF = dict(zip(JOINTS, (1, 1, 2, 3, 2, 3, 6), strict=True)) | {'fixed': 0}


def random_robot(random: Random, most_links: int = 6) -> Data:
    """Data of a valid robot file with 1 to `most_links` links in a tree, at least one of which can move."""
    links: list[Data] = []
    for i in range(random.randint(1, most_links)):
        links.append(_link(random, f'link_{i}', links))
    soft = [link for link in links if link['type'] == 'soft']
    if not soft and not any('joint' in link for link in links):
        links[0]['joint'] = {'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}
    robot = {
        'version': 1,
        'name': 'robot',
        'base': {'position': _vector(random, 0.5), 'orientation_xyzw': _quaternion(random)},
        'gravity': _vector(random, 10.0),
        'links': links,
        'loops': _loops(random, links),
        'drives': _drives(random, links),
        'masses': [
            _place(random, links, f'mass_{i}', size=3) | {'mass': random.uniform(0.001, 0.1)}
            for i in range(random.randint(0, 2))
        ],
        'loads': [_load(random, f'load_{i}', links, soft) for i in range(random.randint(0, 2))],
        'markers': [
            _place(random, links, f'marker_{i}') | {'role': random.choice(['tracked', 'held_out'])}
            for i in range(random.randint(0, 3))
        ],
        'contacts': [_contact(random, f'contact_{i}') for i in range(random.randint(0, 2))],
    }
    return robot | _actuators(random, links, soft)


def _link(random: Random, name: str, above: list[Data]) -> Data:
    link = {'name': name, 'length': random.uniform(0.05, 0.5)}
    parent = random.choice(above) if above and random.random() < 0.85 else None
    attach = {}
    if parent is not None:
        link['parent'] = parent['name']
        if random.random() < 0.3:
            attach['arc_length'] = parent['length'] * random.random()
    if random.random() < 0.4:
        attach['position'] = _vector(random, 0.1)
        attach['orientation_xyzw'] = _quaternion(random)
    if attach:
        link['attach'] = attach
    if random.random() < 0.65:
        link['joint'] = _joint(random)
    return link | (_soft(random, link['length']) if random.random() < 0.6 else _rigid(random, link['length']))


def _soft(random: Random, length: float) -> Data:
    soft = {
        'type': 'soft',
        'section': _section(random, random.uniform(0.02, 0.15) * length),
        'material': {
            'density': random.uniform(800.0, 2000.0),
            'youngs_modulus': 10.0 ** random.uniform(5.0, 8.0),
            'poisson_ratio': random.uniform(0.0, 0.5),
            'damping': random.uniform(0.0, 1e4),
        },
    }
    if random.random() < 0.25:
        cut = random.uniform(0.3, 0.7) * length
        soft['divisions'] = [{'end': end, 'strain_basis': _basis(random)} for end in (cut, length)]
    else:
        soft['strain_basis'] = _basis(random)
    if random.random() < 0.2:
        soft['stiffness_factor'] = [random.uniform(0.5, 2.0) for _ in STRAINS]
    match random.choice(['straight', 'straight', 'constant', 'table']):
        case 'constant':
            soft['reference_strain'] = _strain(random, length)
        case 'table':
            arc_length = [0.0, random.uniform(0.2, 0.8) * length, length]
            soft['reference_strain'] = {
                'arc_length': arc_length,
                'strain': [_strain(random, length) for _ in arc_length],
            }
    return soft


def _rigid(random: Random, length: float) -> Data:
    if random.random() < 0.5:
        section = _section(random, random.uniform(0.05, 0.3) * length)
        body = {'type': 'solid', 'section': section, 'density': random.uniform(500.0, 3000.0)}
    else:
        mass = random.uniform(0.01, 1.0)
        # Turned from principal axes, where each moment is less than the sum of the others.
        turn = Rotation.from_quat(_quaternion(random)).as_matrix()
        inertia = (
            turn @ np.diag([random.uniform(0.6, 1.0) * mass * length**2 / 12.0 for _ in range(3)]) @ turn.T
        )
        six = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        body = {'type': 'lumped', 'mass': mass, 'center_of_mass': _vector(random, 0.5 * length)}
        body['inertia'] = six.tolist()
    return {'type': 'rigid', 'body': body}


def _section(random: Random, reach: float) -> Data:
    """A section whose skin is at most `reach` and at least a quarter of it from the centre line."""

    def size() -> float | list[float]:
        base = reach * random.uniform(0.5, 1.0)
        return base if random.random() < 0.5 else [base, base * random.uniform(0.5, 1.0)]

    match random.choice(['circular', 'rectangular', 'elliptical']):
        case 'circular':
            return {'shape': 'circular', 'radius': size()}
        case 'rectangular':
            return {'shape': 'rectangular', 'width': size(), 'height': size()}
        case _:
            return {'shape': 'elliptical', 'semi_axes': {'y': size(), 'z': size()}}


def _inner(section: Data) -> float:
    """Radius of a circle that fits inside the section everywhere."""
    sizes = section.get('semi_axes', section)
    least = min(np.min(size) for key, size in sizes.items() if key != 'shape')
    return float(0.5 * least if section['shape'] == 'rectangular' else least)


def _basis(random: Random) -> Data:
    allowed = {strain for strain in STRAINS if random.random() < 0.5} | {'bending_y'}
    if random.random() < 0.6:
        kind = random.choice(['legendre', 'monomial', 'chebyshev'])
        return {
            'type': kind,
            'order': {strain: random.randint(0, 3) for strain in STRAINS if strain in allowed},
        }
    kind = random.choice(['piecewise_constant', 'piecewise_linear', 'cubic_hermite'])
    elements = {strain: random.randint(1, 3) for strain in STRAINS if strain in allowed}
    return {'type': kind, 'elements': elements}


def _strain(random: Random, length: float) -> list[float]:
    curvature = [random.uniform(-1.0, 1.0) / length for _ in range(3)]
    return [*curvature, random.uniform(0.9, 1.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)]


def _joint(random: Random) -> Data:
    kind = random.choice(JOINTS)
    joint: Data = {'type': kind, 'damping': random.choice([0.0, 0.01])} | _directions(random, kind)
    match random.choice(['none', 'number', 'table']):
        case 'number':
            joint['stiffness'] = random.uniform(0.1, 10.0)
        case 'table':
            joint['stiffness'] = {'type': 'table', 'coordinate': [-0.5, 0.0, 0.3], 'force': [-2.0, 0.0, 0.6]}
    if random.random() < 0.3:
        joint['rest'] = [random.uniform(-0.2, 0.2) for _ in range(DOF[kind])]
    if random.random() < 0.3:
        joint['limits'] = {'range': [-1.0, random.uniform(0.5, 1.0)], 'stiffness': 100.0}
    return joint


def _directions(random: Random, kind: str) -> Data:
    """The keys of a joint that say where it points."""
    first, second, _ = Rotation.from_quat(_quaternion(random)).as_matrix().T.tolist()
    match kind:
        case 'revolute' | 'prismatic' | 'cylindrical':
            return {'axis': first}
        case 'planar':
            return {'normal': first}
        case 'universal':
            return {'axes': [first, second]}
        case _:
            return {}


def _loops(random: Random, links: list[Data]) -> list[Data]:
    """At most one loop from the tip of a link to the base, closed at rest; only where links are straight."""
    link = random.choice(links)
    pose = _tip(link, {each['name']: each for each in links})
    if pose is None or random.random() < 0.5:
        return []
    kind = random.choice(['fixed', 'revolute', 'prismatic', 'spherical', 'cylindrical', 'planar'])
    to_attach = {
        'position': pose[:3, 3].tolist(),
        'orientation_xyzw': Rotation.from_matrix(pose[:3, :3]).as_quat().tolist(),
    }
    joint = {'type': kind} | _directions(random, kind)
    return [{'name': 'loop', 'link': link['name'], 'to_attach': to_attach, 'joint': joint}]


def _tip(link: Data, by_name: dict[str, Data], arc_length: float | None = None) -> np.ndarray | None:
    """Pose (4, 4) of a place of a link in the base frame at rest; None where links are not straight."""
    if 'reference_strain' in link:
        return None
    attach = link.get('attach', {})
    pose = np.eye(4)
    if 'parent' in link:
        pose = _tip(by_name[link['parent']], by_name, attach.get('arc_length'))
    if pose is None:
        return None
    joint, along = np.eye(4), np.eye(4)
    joint[:3, 3] = attach.get('position', [0.0, 0.0, 0.0])
    joint[:3, :3] = Rotation.from_quat(attach.get('orientation_xyzw', [0.0, 0.0, 0.0, 1.0])).as_matrix()
    along[0, 3] = link['length'] if arc_length is None else arc_length
    return pose @ joint @ along


def _drives(random: Random, links: list[Data]) -> list[Data]:
    drives = []
    for link in links:
        dof = DOF[link.get('joint', {'type': 'fixed'})['type']]
        if dof and random.random() < 0.4:
            limits = random.choice(
                [('force', {'effort': [-5.0, 5.0]}), ('position', {'position': [-1.0, 1.0]})]
            )
            drive = {'name': f'drive_{link["name"]}', 'joint': link['name'], 'type': limits[0]}
            drives.append(drive | {'coordinate': random.randrange(dof), 'limits': limits[1]})
    return drives


def _actuators(random: Random, links: list[Data], soft: list[Data]) -> Data:
    """The keys tendons, disk_guides and chambers."""
    tendons, guides, chambers = [], [], []
    for i in range(random.randint(0, 3)):
        common = {'name': f'tendon_{i}', 'friction': random.choice([0.0, 0.1])}
        common['limits'] = {'tension': [0.0, random.uniform(1.0, 20.0)]}
        if not soft or random.random() < 0.3:
            points = [_place(random, links) for _ in range(random.randint(2, 5))]
            tendons.append({'type': 'points', 'points': points} | common)
            continue
        link = random.choice(soft)
        tendons.append(common | _routed(random, link))
        if random.random() < 0.3:
            tendons[-1]['guides'] = f'disks_{i}'
            begin, end = tendons[-1]['range']
            disks = {'name': f'disks_{i}', 'link': link['name'], 'radius_margin': 0.002}
            guides.append(disks | {'arc_length': [0.5 * (begin + end), end]})
    for i in range(random.randint(0, 2) if soft else 0):
        link = random.choice(soft)
        area = 0.2 * math.pi * _inner(link['section']) ** 2
        chamber = {'name': f'chamber_{i}', 'area': area, 'limits': {'pressure': [0.0, 5e4]}}
        chambers.append(chamber | _routed(random, link))
    return {'tendons': tendons, 'disk_guides': guides, 'chambers': chambers}


def _routed(random: Random, link: Data) -> Data:
    """Link, range and path inside the section of a soft link."""
    begin, end = random.uniform(0.0, 0.4) * link['length'], random.uniform(0.6, 1.0) * link['length']
    inner = 0.9 * _inner(link['section'])

    def point() -> list[float]:
        radius, angle = inner * random.uniform(0.3, 1.0), random.uniform(-math.pi, math.pi)
        return [radius * math.cos(angle), radius * math.sin(angle)]

    match random.choice(['linear', 'parallel', 'helical', 'points']):
        case 'linear':
            path = {'type': 'linear', 'start': point(), 'end': point()}
        case 'parallel':
            path = {'type': 'linear', 'start': point()}
        case 'helical':
            radius = inner * random.uniform(0.3, 1.0)
            path = {'type': 'helical', 'radius': radius, 'turns': random.uniform(-2.0, 2.0)}
        case _:
            # A parabola through three points of a line does not overshoot: the middle is its middle.
            first, last = point(), point()
            middle = [0.5 * (a + b) for a, b in zip(first, last, strict=True)]
            path = {'type': 'points', 'arc_length': [begin, 0.5 * (begin + end), end]}
            path['points'] = [first, middle, last]
    return {'link': link['name'], 'range': [begin, end], 'path': path}


def _place(random: Random, links: list[Data], name: str | None = None, size: int = 2) -> Data:
    """A point near a link, with `size` numbers of offset."""
    link = random.choice(links)
    offset = [0.1 * link['length'] * random.uniform(-1.0, 1.0) for _ in range(size)]
    place = {'link': link['name'], 'arc_length': link['length'] * random.random(), 'offset': offset}
    return place if name is None else {'name': name} | place


def _load(random: Random, name: str, links: list[Data], soft: list[Data]) -> Data:
    load = {'name': name, 'frame': random.choice(['world', 'body']), 'force': _vector(random, 1.0)}
    if soft and random.random() < 0.5:
        link = random.choice(soft)
        return load | {'type': 'distributed', 'link': link['name'], 'range': [0.0, link['length']]}
    link = random.choice(links)
    point = {'type': 'point', 'link': link['name'], 'arc_length': link['length'] * random.random()}
    return load | point | {'moment': _vector(random, 0.1)}


def _contact(random: Random, name: str) -> Data:
    common = {'name': name, 'stiffness': random.uniform(10.0, 1e4), 'damping': random.choice([0.0, 1.0])}
    if random.random() < 0.5:
        normal = _directions(random, 'planar')['normal']
        return common | {'type': 'plane', 'point': _vector(random, 1.0), 'normal': normal}
    return common | {'type': 'sphere', 'center': _vector(random, 1.0), 'radius': random.uniform(0.01, 0.2)}


def _vector(random: Random, size: float) -> list[float]:
    return [size * random.uniform(-1.0, 1.0) for _ in range(3)]


def _quaternion(random: Random) -> list[float]:
    """A unit quaternion: half a random angle about a random axis."""
    half, height, turn = random.uniform(-1.5, 1.5), random.uniform(-1.0, 1.0), random.uniform(0.0, 6.2)
    across = math.sqrt(1.0 - height**2)
    axis = (across * math.cos(turn), across * math.sin(turn), height)
    return [*(math.sin(half) * part for part in axis), math.cos(half)]
