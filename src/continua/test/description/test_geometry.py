"""Sections, materials, paths and lookups give the numbers of the formulas they stand for."""

import numpy as np
import pytest
from pydantic import ValidationError

from continua.description import (
    CircularSection,
    HelicalPath,
    LinearPath,
    Material,
    PointsPath,
    PolynomialBasis,
    Robot,
    StrainOrders,
)

X = np.linspace(0.05, 0.15, 11)
T = (X - 0.05) / 0.1


def _over(path):
    return path.over((0.05, 0.15))


PATHS = {
    'linear': _over(LinearPath(type='linear', start=(0.01, 0.0), end=(0.002, -0.003))),
    'parallel': _over(LinearPath(type='linear', start=(0.01, -0.001))),
    'helical': _over(HelicalPath(type='helical', radius=(0.01, 0.004), phase=0.3, turns=1.5)),
    'points': _over(
        PointsPath(
            type='points',
            arc_length=(0.0, 0.06, 0.09, 0.12, 0.2),
            points=((0.0, 0.01), (0.003, 0.01), (0.002, 0.004), (0.001, 0.0), (0.0, 0.001)),
        )
    ),
}


def test_section_follows_its_taper(robot):
    link = robot.link('arm')
    assert link.radius([0.0, 0.1, 0.2]) == pytest.approx([0.012, 0.009, 0.006])
    assert link.area(0.1) == pytest.approx(np.pi * 0.009**2)
    polar, bending_y, bending_z = link.second_moments(np.array([0.1]))[0]
    assert bending_y == bending_z == pytest.approx(np.pi / 4.0 * 0.009**4)
    assert polar == pytest.approx(bending_y + bending_z)
    assert link.second_moments(np.zeros((4, 5))).shape == (4, 5, 3)


def test_one_radius_is_a_cylinder():
    section = CircularSection(shape='circular', radius=0.01)
    assert section.radius == (0.01, 0.01)
    assert section.radius_at([0.0, 1.0]) == pytest.approx([0.01, 0.01])


def test_shear_modulus_of_an_incompressible_material():
    material = Material(density=1000.0, youngs_modulus=3.0e6, poisson_ratio=0.5, damping=0.0)
    assert material.shear_modulus == pytest.approx(1.0e6)


def test_dof_counts_allowed_strains_only():
    basis = PolynomialBasis(type='legendre', order=StrainOrders(torsion=0, bending_y=4))
    assert basis.dof == 6
    assert basis.order.in_strain_order() == (0, 4, None, None, None, None)


def test_linear_path_runs_from_start_to_end():
    assert PATHS['linear'].offset([0.05, 0.1, 0.15]) == pytest.approx(
        np.array([[0.01, 0.0], [0.006, -0.0015], [0.002, -0.003]])
    )


def test_linear_path_without_end_is_parallel():
    assert np.ptp(PATHS['parallel'].offset(X), axis=0) == pytest.approx([0.0, 0.0])
    assert PATHS['parallel'].slope(X) == pytest.approx(np.zeros((11, 2)))


def test_helix_turns_from_y_towards_z():
    angle = 0.3 + 3.0 * np.pi * T
    radius = 0.01 - 0.006 * T
    expected = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    assert PATHS['helical'].offset(X) == pytest.approx(expected)


def test_points_path_goes_through_its_points():
    path = PATHS['points']
    assert path.offset([0.06, 0.09, 0.12]) == pytest.approx(np.array(path.points[1:4]))


@pytest.mark.parametrize('name', PATHS)
def test_slope_is_the_derivative_of_offset(name):
    path, h = PATHS[name], 1e-6
    difference = (path.offset(X + h) - path.offset(X - h)) / (2.0 * h)
    assert path.slope(X) == pytest.approx(difference, abs=1e-7)
    assert path.offset(X).shape == path.slope(X).shape == (11, 2)


def test_points_path_has_continuous_curvature():
    path, h = PATHS['points'], 1e-7
    knots = np.array([0.06, 0.09, 0.12])
    left = path.slope(knots) - path.slope(knots - h)
    right = path.slope(knots + h) - path.slope(knots)
    assert right / h == pytest.approx(left / h, abs=1e-2)


def test_descriptions_cannot_be_changed(robot):
    with pytest.raises(ValidationError, match='frozen'):
        robot.links[0].length = 1.0


def test_paths_know_the_range_of_their_tendon(robot):
    screw = robot.tendon('screw')
    start = 0.005 * np.array([np.cos(1.0), np.sin(1.0)])
    assert screw.path.offset([screw.range[0]])[0] == pytest.approx(start)


def test_lookups_name_the_near_one(robot):
    assert robot.tendon('straight') is robot.tendons[0]
    assert robot.marker('tip') is robot.markers[1]
    assert robot.guides('disks') is robot.disk_guides[0]
    with pytest.raises(ValueError, match=r"no link is named 'amr'; did you mean 'arm'\?"):
        robot.link('amr')
    with pytest.raises(ValueError, match="no marker is named 'elbow'; known: middle, tip"):
        robot.marker('elbow')


def test_quaternions_are_normalised(data):
    data['base']['orientation_xyzw'] = [0.0, 0.7071, 0.0, 0.7071]
    q = Robot.model_validate(data).base.orientation_xyzw
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
