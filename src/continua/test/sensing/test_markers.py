"""Markers: position on the section, and the Jacobian against differences."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.lie.so3 import matrix_from_quaternion
from continua.rod import Rod
from continua.sensing import MarkerModel

ROBOT = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'tendon_arm.yaml')


@pytest.fixture(scope='module')
def rod():
    return Rod(ROBOT)


def test_a_marker_sits_at_its_offset_in_the_section(rod):
    q = (
        0.5
        * rod.scale
        * np.random.default_rng(0).normal(size=rod.dof)
        * np.where(rod.strain_index < 3, 1, 0.1)
    )
    model = MarkerModel(rod, ['m2'])
    shape = rod.shape(q, np.array([0.18]))
    R = matrix_from_quaternion(shape.orientation_xyzw[0])
    assert np.allclose(model.predict(q)[0], shape.position[0] + R @ [0, 0.02, 0], atol=1e-12)


def test_the_jacobian_is_the_derivative(rod):
    model = MarkerModel(rod)
    q = (
        0.5
        * rod.scale
        * np.random.default_rng(1).normal(size=rod.dof)
        * np.where(rod.strain_index < 3, 1, 0.1)
    )
    position, J = model.jacobian(q)
    assert np.allclose(position, model.predict(q), atol=1e-14)
    for i in range(rod.dof):
        e = np.zeros(rod.dof)
        e[i] = 1e-5 * rod.scale[i]
        difference = (model.predict(q + e) - model.predict(q - e)) / 2e-5
        assert np.allclose(J[:, :, i] * rod.scale[i], difference, atol=1e-8)


def test_unknown_markers_are_refused_with_near_matches(rod):
    with pytest.raises(ValueError, match='m1'):
        MarkerModel(rod, ['M1'])


def test_markers_on_branches_move_with_their_links():
    robot = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'soft_legged_platform.yaml')
    rod = Rod(robot)
    model = MarkerModel(rod)
    q = 0.3 * rod.scale * np.random.default_rng(8).uniform(-1.0, 1.0, rod.dof)
    position, J = model.jacobian(q)
    for marker, place in zip(robot.markers, position, strict=True):
        section = rod.shape(q, np.array([marker.arc_length]), marker.link)
        R = matrix_from_quaternion(section.orientation_xyzw)[0]
        np.testing.assert_allclose(place, section.position[0] + R @ [0.0, *marker.offset], atol=1e-12)
    step = 1e-6 * rod.scale
    for i in range(rod.dof):
        change = step[i] * np.eye(rod.dof)[i]
        expected = (model.predict(q + change) - model.predict(q - change)) / (2.0 * step[i])
        np.testing.assert_allclose(J[:, :, i], expected, atol=1e-7 / rod.scale[i])
