"""The rod engine against soromox 0.5.0, another GVS code, on the same basis and the same stations."""

import numpy as np
import pytest

from continua.bench.peers import HOW_TO_INSTALL
from continua.bench.soromox_arm import soromox_arm
from continua.rod import Rod

pytest.importorskip('soromox', reason=f'soromox is not installed: {HOW_TO_INSTALL}')

# soromox' Gauss points are exact to 1e-8 only.
RELATIVE = 1e-6
PULL = np.array([5.0, 2.0, 1.0])


@pytest.fixture(scope='module')
def arm(load):
    return Rod(load('three_tendon_arm'))


@pytest.fixture(scope='module')
def peer(arm):
    return soromox_arm(arm.robot, 8)


@pytest.fixture(scope='module', params=range(3))
def state(request, arm):
    """A bent shape and a velocity of about one deformation in 0.3 s."""
    rng = np.random.default_rng(request.param)
    q = arm.statics(PULL[rng.permutation(3)]).q
    return q + 0.1 * arm.scale * rng.normal(size=arm.dof), 3.0 * arm.scale * rng.normal(size=arm.dof)


def close(actual, expected):
    expected = np.asarray(expected)
    np.testing.assert_allclose(actual, expected, rtol=0.0, atol=RELATIVE * np.abs(expected).max())


def test_stiffness_and_damping(arm, peer):
    close(arm.stiffness, peer.stiffness_matrix())
    close(arm.damping, peer.damping_matrix(np.zeros(arm.dof)))


def test_terms_of_the_equation_of_motion(arm, peer, state):
    q, qd = state
    mass, coriolis_force, gravity_force = peer.dynamics_terms(q, qd)
    close(arm.mass_matrix(q), mass)
    close(arm.coriolis_matrix(q, qd) @ qd, coriolis_force)
    close(arm.external_force(q), -np.asarray(gravity_force))
    close(arm.actuation_matrix(q), peer.actuation_matrix(q))


def test_acceleration(arm, peer, state):
    """What soromox' acceleration leaves of our equation of motion, against the largest of its forces."""
    q, qd = state
    rate = peer.forward_dynamics(0.0, np.concatenate([q, qd]), (PULL,))
    left = arm.residual(q, qd, np.asarray(rate)[arm.dof :], u=PULL)
    assert np.abs(left).max() < RELATIVE * np.abs(arm.stiffness @ q + arm.damping @ qd).max()


def test_poses(arm, peer, state):
    """At three stations, for between them soromox steps as we do."""
    stations = arm.arc_length[[0, 4, -1]]
    shape = arm.shape(state[0], stations)
    for s, position, (x, y, z, w) in zip(stations, shape.position, shape.orientation_xyzw, strict=True):
        pose = np.asarray(peer.forward_kinematics(state[0], s))
        close(position, pose[:3, 3])
        close(
            [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            pose[:3, 0],
        )


def test_equilibrium(arm, peer):
    """Our equilibrium is one of soromox: its forces there are small beside those of the tendons."""
    result = arm.statics(PULL)
    assert result.converged
    q = result.q
    _, _, gravity_force = peer.dynamics_terms(q, np.zeros(arm.dof))
    elastic = np.asarray(peer.elastic_force(q))
    pull = np.asarray(peer.actuation_matrix(q)) @ PULL
    np.testing.assert_allclose(
        elastic + np.asarray(gravity_force) - pull, 0.0, atol=RELATIVE * np.abs(pull).max()
    )
