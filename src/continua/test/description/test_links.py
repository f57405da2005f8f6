"""Joints, rigid bodies, divisions, reference strains, springs and cables give what the file says."""

import numpy as np
import pytest
from robots import text_of

from continua.description import (
    AxisJoint,
    FixedJoint,
    FreeJoint,
    PlanarJoint,
    Robot,
    SphericalJoint,
    StiffnessTable,
    UniversalJoint,
    parse_robot,
)

MATERIAL = {'density': 1000.0, 'youngs_modulus': 1e6, 'poisson_ratio': 0.5, 'damping': 100.0}
BENDING = {'type': 'legendre', 'order': {'bending_y': 2}}
LEG = {
    'name': 'leg',
    'type': 'soft',
    'length': 0.3,
    'section': {'shape': 'rectangular', 'width': 0.03, 'height': 0.06},
    'material': MATERIAL,
    'strain_basis': BENDING,
}
BOX = {
    'name': 'box',
    'type': 'rigid',
    'length': 0.2,
    'body': {'type': 'solid', 'section': LEG['section'], 'density': 500.0},
}


def _robot(*links, **parts):
    return parse_robot(text_of({'version': 1, 'name': 'robot', 'links': list(links)} | parts))


def test_twists_of_joints():
    axis = (0.0, 0.6, 0.8)
    zero = np.zeros(3)
    assert FixedJoint(type='fixed').twists == []
    for kind, columns in {
        'revolute': [[*axis, *zero]],
        'prismatic': [[*zero, *axis]],
        'cylindrical': [[*axis, *zero], [*zero, *axis]],
    }.items():
        joint = AxisJoint(type=kind, axis=axis)
        (twist,) = joint.twists
        assert twist == pytest.approx(np.transpose(columns))
        assert joint.dof == len(columns)
    assert SphericalJoint(type='spherical').twists[0] == pytest.approx(np.eye(6)[:, :3])
    assert FreeJoint(type='free').twists[0] == pytest.approx(np.eye(6))
    universal = UniversalJoint(type='universal', axes=((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    assert [twist.ravel().tolist() for twist in universal.twists] == [[0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]
    assert universal.dof == 2


@pytest.mark.parametrize('normal', [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.6, -0.8, 0.0)])
def test_a_planar_joint_moves_across_its_normal(normal):
    (twist,) = PlanarJoint(type='planar', normal=normal).twists
    rotation, first, second = twist.T
    assert rotation == pytest.approx([*normal, 0.0, 0.0, 0.0])
    frame = np.column_stack([first[3:], second[3:], normal])
    assert frame.T @ frame == pytest.approx(np.eye(3))
    assert np.linalg.det(frame) == pytest.approx(1.0)
    assert twist[:3, 1:] == pytest.approx(np.zeros((3, 2)))


def test_directions_are_normalised():
    assert np.linalg.norm(AxisJoint(type='revolute', axis=(0.0, 0.7071, 0.7071)).axis) == pytest.approx(
        1.0, abs=1e-15
    )


def test_stiffness_table_is_linear_between_and_beyond():
    table = StiffnessTable(type='table', coordinate=(-0.2, 0.0, 0.1), force=(-3.0, 0.0, 0.5))
    assert table.force_at([-0.3, -0.1, 0.0, 0.05, 0.3]) == pytest.approx([-4.5, -1.5, 0.0, 0.25, 1.5])


def test_inertia_of_a_box_is_that_of_the_formula():
    box = _robot(BOX).link('box')
    mass = 500.0 * 0.2 * 0.03 * 0.06
    spatial = box.spatial_inertia
    expected = np.zeros((6, 6))
    expected[:3, :3] = np.diag(
        [
            mass / 12.0 * (0.03**2 + 0.06**2),
            mass * (0.2**2 / 3.0 + 0.06**2 / 12.0),
            mass * (0.2**2 / 3.0 + 0.03**2 / 12.0),
        ]
    )
    expected[3:, 3:] = mass * np.eye(3)
    expected[1, 5], expected[2, 4] = -0.1 * mass, 0.1 * mass
    expected[5, 1], expected[4, 2] = -0.1 * mass, 0.1 * mass
    assert spatial == pytest.approx(expected)


def test_inertia_of_a_cone_is_exact():
    body = {'type': 'solid', 'section': {'shape': 'circular', 'radius': [0.01, 0.03]}, 'density': 800.0}
    spatial = _robot(BOX | {'body': body}).link('box').spatial_inertia
    x = np.linspace(0.0, 0.2, 200001)
    area = np.pi * (0.01 + 0.1 * x) ** 2
    assert spatial[5, 5] == pytest.approx(800.0 * np.trapezoid(area, x), rel=1e-9)
    about_y = np.trapezoid(area * x**2 + area**2 / (4.0 * np.pi), x)
    assert spatial[1, 1] == pytest.approx(800.0 * about_y, rel=1e-9)


def test_lumped_body_gives_the_energy_of_its_points():
    random = np.random.default_rng(3)
    points, masses = 0.1 * random.normal(size=(8, 3)), random.uniform(0.1, 1.0, 8)
    mass, centre = masses.sum(), masses @ points / masses.sum()
    arm = points - centre
    matrix = sum(m * ((r @ r) * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arm, strict=True))
    inertia = matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist()
    body = {'type': 'lumped', 'mass': mass, 'center_of_mass': centre.tolist(), 'inertia': inertia}
    spatial = _robot(BOX | {'body': body}).link('box').spatial_inertia
    twist = random.normal(size=6)
    velocity = twist[3:] + np.cross(twist[:3], points)
    assert 0.5 * twist @ spatial @ twist == pytest.approx(0.5 * masses @ np.sum(velocity**2, axis=1))


def test_divisions_follow_each_other():
    basis = {'type': 'cubic_hermite', 'elements': {'bending_z': 2, 'torsion': 1}}
    divisions = [
        {'end': 0.1, 'strain_basis': basis, 'quadrature_points': 7},
        {'end': 0.3, 'strain_basis': BENDING},
    ]
    link = _robot({key: LEG[key] for key in LEG if key != 'strain_basis'} | {'divisions': divisions}).link(
        'leg'
    )
    assert [(part.begin, part.end, part.quadrature_points) for part in link.parts] == [
        (0, 0.1, 7),
        (0.1, 0.3, None),
    ]
    assert link.parts[0].basis.sizes == (4, 0, 6, 0, 0, 0)
    assert link.dof == 13
    (whole,) = _robot(LEG).link('leg').parts
    assert (whole.begin, whole.end, whole.basis.dof) == (0.0, 0.3, 3)


@pytest.mark.parametrize(
    ('kind', 'size'), [('piecewise_constant', 3), ('piecewise_linear', 4), ('cubic_hermite', 8)]
)
def test_coordinates_of_three_elements(kind, size):
    link = _robot(LEG | {'strain_basis': {'type': kind, 'elements': {'bending_y': 3}}}).link('leg')
    assert link.dof == size


def test_reference_strain_is_constant_or_linear_between():
    straight = _robot(LEG).link('leg').reference_strain_at([0.0, 0.2])
    assert straight == pytest.approx(np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0], (2, 1)))
    table = {'arc_length': [0.0, 0.1, 0.3], 'strain': [[0, k, 0, 1, 0, 0] for k in (0.0, 2.0, 4.0)]}
    bent = _robot(LEG | {'reference_strain': table}).link('leg')
    assert bent.reference_strain_at([0.05, 0.1, 0.2])[:, 1] == pytest.approx([1.0, 2.0, 3.0])


def test_inside_of_a_rectangle():
    link = _robot(LEG).link('leg')
    offsets = [[0.015, 0.03], [0.0, 0.029], [0.029, 0.0], [0.016, 0.0]]
    assert link.is_inside(np.full(4, 0.1), offsets).tolist() == [True, True, False, False]
    assert link.radius(0.1) == pytest.approx(np.hypot(0.015, 0.03))


def test_coordinates_of_a_robot_are_those_of_joints_and_strains():
    ball = {'name': 'ball', 'parent': 'leg', 'joint': {'type': 'spherical'}}
    assert _robot(LEG, BOX | ball).dof == 6


def test_a_cable_gives_its_points():
    points = [
        {'link': 'leg', 'arc_length': 0.1, 'offset': [0, 0.02]},
        {'link': 'box', 'arc_length': 0, 'offset': [0, 0]},
    ]
    cable = {'name': 'cable', 'type': 'points', 'points': points, 'limits': {'tension': [0, 1]}}
    robot = _robot(LEG, BOX, tendons=[cable])
    assert robot.tendon('cable').waypoints(robot) == [('leg', 0.1, (0.0, 0.02)), ('box', 0.0, (0.0, 0.0))]
    assert Robot.model_validate(robot.model_dump()) == robot


def test_a_tendon_in_the_body_has_no_waypoints(robot):
    assert robot.tendon('straight').waypoints(robot) is None
    assert robot.tendon('outside').waypoints(robot)[0] == ('arm', 0.0, pytest.approx((0.0, 0.014)))
