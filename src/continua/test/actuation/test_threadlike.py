"""Tendons: the SDRE paper's length equation, friction, and ranges that end inside the link."""

import numpy as np
import pytest

from continua.description import parse_robot
from continua.lie.so3 import matrix_from_quaternion
from continua.rod import Rod

TEXT = """
version: 1
name: bender
gravity: [0, 0, 0]
links:
  - name: arm
    type: soft
    length: 0.3
    section: {{shape: circular, radius: 0.01}}
    material: {{density: 1000, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e3}}
    strain_basis: {{type: legendre, order: {{bending_y: 1, bending_z: 1, elongation: 1}}}}
tendons:
  - {{name: t, link: arm, range: {range}, path: {path}, friction: {friction}, limits: {{tension: [0, 10]}}}}
"""
PATHS = (
    '{type: linear, start: [0.008, 0], end: [0.002, -0.003]}',
    '{type: helical, radius: 0.007, turns: 1.5, phase: 0.4}',
    '{type: linear, start: [0, 0.006]}',
)


def rod(path, friction=0.0, arc_range='[0, 0.3]', points=None):
    return Rod(parse_robot(TEXT.format(path=path, friction=friction, range=arc_range)), points=points)


@pytest.mark.parametrize('path', PATHS)
def test_displacement_is_the_change_of_the_paths_length(path):
    bender = rod(path, points=40)
    q = np.array([4.0, -2.0, 3.0, 1.0, -0.02, 0.01])
    X = np.linspace(0, 0.3, 4001)
    tendon = bender.robot.tendons[0]

    def length(coordinates):
        """Polyline through the tendon's points in space."""
        shape = bender.shape(coordinates, X)
        offset = np.column_stack([np.zeros(X.size), tendon.path.offset(X)])
        R = matrix_from_quaternion(shape.orientation_xyzw)
        points = shape.position + np.einsum('mik,mk->mi', R, offset)
        return np.linalg.norm(np.diff(points, axis=0), axis=1).sum()

    expected = length(np.zeros(6)) - length(q)
    assert bender.tendon_displacement(q)[0] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize('path', PATHS)
def test_the_length_equation_of_the_observer_paper(path):
    """y = B^T q + z with z of eq 13 is the length change; B is ours with the paper's sign."""
    bender = rod(path)
    q = np.array([4.0, -2.0, 3.0, 1.0, -0.02, 0.01])
    tendons, arrays = bender._model.tendons, bender._model.rod
    reference = np.array([0, 0, 0, 1.0, 0, 0])

    def basis(strain, d, slope):
        v = strain[:, 3:] + np.cross(strain[:, :3], d) + slope
        t = v / np.linalg.norm(v, axis=1, keepdims=True)
        return np.hstack([np.cross(d, t), t])

    d, slope, weight = tendons.offset[0], tendons.slope[0], tendons.weight[0]
    strain = arrays.phi @ q + arrays.ref
    difference = basis(strain, d, slope) - basis(arrays.ref, d, slope)
    # eq 13 with xi* + [0; d'], the sign of d' for which the length is homogeneous in (xi, d')
    z = weight @ np.sum(difference * (reference + np.hstack([np.zeros_like(d), slope])), axis=1)
    y = -bender.actuation_matrix(q)[:, 0] @ q + z
    assert bender.tendon_displacement(q)[0] == pytest.approx(-y, abs=1e-12)


def test_friction_takes_tension_along_a_circle_by_the_capstan_law():
    """A parallel tendon on a rod of constant curvature k: T(X) = T exp(-mu k X), so its moment is known."""
    mu, k, offset, L = 0.3, 5.0, 0.006, 0.3
    path = f'{{type: linear, start: [{offset}, 0]}}'
    q = np.array([0, 0, k, 0, 0, 0.0])
    free = rod(path).actuation_matrix(q)[2, 0]
    rubbed = rod(path, friction=mu).actuation_matrix(q)[2, 0]
    expected = (1 - np.exp(-mu * k * L)) / (mu * k * L)
    assert free == pytest.approx(offset * L, rel=1e-9)
    assert rubbed / free == pytest.approx(expected, rel=1e-9)


def test_a_tendon_that_ends_inside_the_link_pulls_only_up_to_there():
    short = rod('{type: linear, start: [0.006, 0]}', arc_range='[0, 0.12]')
    # constant curvature coordinate: moment arm times length that the tendon covers
    assert short.actuation_matrix(np.zeros(6))[2, 0] == pytest.approx(0.006 * 0.12, rel=1e-12)
