"""A model in the coordinates of modes, and with a quadrature rule of the user's."""

import numpy as np
import pytest

from continua.description import load_robot
from continua.doctor.checkout import checkout
from continua.rod import Integrator, Rod

# a rod, a tree of rigid bodies with nonlinear joints and cables, and both with loops
ROBOTS = ('six_tendon_arm', 'hyper_redundant_arm', 'soft_legged_platform')


def named(name):
    return load_robot(checkout() / f'config/robots/{name}.yaml')


def inputs(rod):
    return np.linspace(1.0, 3.0, len(rod.input_names))


@pytest.fixture(params=ROBOTS)
def pair(request):
    """A full model, and the same in as many modes as it has coordinates."""
    rod = Rod(named(request.param))
    mixing = np.eye(rod.dof) + 0.2 * np.random.default_rng(0).normal(size=(rod.dof, rod.dof)) / rod.dof**0.5
    return rod, Rod(rod.robot, modes=rod.scale[:, None] * mixing)


def test_all_modes_say_what_the_full_model_says(pair):
    full, other = pair
    modes = other.full_coordinates(np.eye(full.dof)).T
    random = np.random.default_rng(1)
    z, zd, zdd = 0.05 * random.normal(size=(3, full.dof))
    q, qd, qdd = (other.full_coordinates(each) for each in (z, zd, zdd))
    expected = modes.T @ full.residual(q, qd, qdd, u=inputs(full))
    found = other.residual(z, zd, zdd, u=inputs(full))
    assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
    for theirs, ours in zip(
        full.residual_derivatives(q, qd, qdd, u=inputs(full)),
        other.residual_derivatives(z, zd, zdd, u=inputs(full)),
        strict=True,
    ):
        expected = modes.T @ theirs @ modes
        assert np.abs(ours - expected).max() <= 1e-9 * np.abs(expected).max()
    assert np.allclose(other.constraint_matrix(z), full.constraint_matrix(q) @ modes, atol=1e-9)
    assert other.energy(z, zd) == pytest.approx(full.energy(q, qd), rel=1e-9)
    assert np.allclose(
        other.shape(z, [full.length]).position, full.shape(q, [full.length]).position, atol=1e-12
    )
    assert other.model_id != full.model_id


def test_all_modes_rest_and_move_like_the_full_model(pair):
    full, other = pair
    u = inputs(full)
    theirs, ours = full.statics(u), other.statics(u)
    assert theirs.converged and ours.converged
    tip = [full.length]
    assert np.allclose(other.shape(ours.q, tip).position, full.shape(theirs.q, tip).position, atol=1e-7)
    paths = []
    for rod in pair:
        motion, path = Integrator(rod, tolerance=1e-9), []
        for _ in range(20):
            assert motion.step(2e-3, u)
            path.append(rod.shape(motion.q, tip).position[0])
        paths.append(np.array(path))
    assert np.abs(paths[0] - paths[1]).max() < 1e-6 * full.length


def test_modes_span_what_the_reduced_model_can_do():
    full = Rod(named('three_tendon_arm'))
    rest = full.statics([0.0, 0.0, 0.0]).q
    shapes = [rest, *(full.statics(4.0 * each).q for each in np.eye(3))]
    reduced = Rod(full.robot, modes=np.array(shapes).T)
    assert reduced.dof == 4
    for i, tension in enumerate(np.eye(3)):
        found = reduced.statics(4.0 * tension)
        assert np.abs(found.q - np.eye(4)[i + 1]).max() < 1e-6


def test_a_rule_of_the_users_is_gausss_where_it_is_the_same():
    robot = named('single_tendon_arm')
    node, weight = np.polynomial.legendre.leggauss(8)
    length = robot.links[0].length
    rule = 0.5 * length * (node + 1.0), 0.5 * length * weight
    theirs, ours = Rod(robot), Rod(robot, points={'arm': rule})
    assert np.array_equal(theirs.arc_length, ours.arc_length)
    q = 0.1 * theirs.scale
    assert np.allclose(ours.residual(q, q, q, u=[5.0]), theirs.residual(q, q, q, u=[5.0]), atol=1e-14)
    fewer = Rod(robot, points={'arm': (rule[0][::3], rule[1][::3])}, modes=np.eye(theirs.dof, 2))
    assert np.allclose(fewer.arc_length, [0.0, *rule[0][::3], length]) and fewer.dof == 2


@pytest.mark.parametrize(
    'modes', [np.ones((22, 2)), np.ones((21, 1)), np.full((22, 1), np.nan), np.zeros((22, 1)), np.ones(22)]
)
def test_what_are_no_modes_is_refused(modes):
    with pytest.raises(ValueError, match='modes: expected'):
        Rod(named('single_tendon_arm'), modes=modes)


@pytest.mark.parametrize(
    'rule', [([0.2, 0.1], [1.0, 1.0]), ([0.1], [1.0, 1.0]), ([0.1, 0.3], [1.0, 1.0]), ([0.1], [-1.0])]
)
def test_what_is_no_rule_is_refused(rule):
    robot = named('single_tendon_arm')
    with pytest.raises(ValueError, match='points: arm: expected increasing arc lengths'):
        Rod(robot, points={'arm': rule})
    with pytest.raises(ValueError, match='points: leg: not a soft link'):
        Rod(robot, points={'leg': rule})
