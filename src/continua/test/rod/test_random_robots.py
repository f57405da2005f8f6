"""Random robots of every kind: 2000 build and evaluate; derivatives and constraints of some in detail."""

from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from robots import random_robot
from scipy.linalg import null_space
from test_derivatives import differences

from continua.description import Robot
from continua.rod import Rod

CHUNKS, EACH = 20, 100


def rod_of(seed, most_links=6, **changes):
    """The rod of a random robot, with few quadrature points."""
    return Rod(Robot.model_validate(random_robot(Random(seed), most_links) | changes))


def without_friction(seed, most_links=4):
    robot = random_robot(Random(seed), most_links)
    return rod_of(seed, most_links, tendons=[each | {'friction': 0.0} for each in robot['tendons']])


def state(rod, seed):
    """Random q, qd, qdd of a moderately bent and moved robot."""
    random, size = np.random.default_rng(seed), np.where(rod.strain_index < 3, 1.0, 0.2) * rod.scale
    return [size * factor * random.normal(size=rod.dof) for factor in (0.3, 2.0, 10.0)]


def forces(rod, seed):
    """Random conditions."""
    random, shape = np.random.default_rng(seed), (rod.arc_length.size, 6)
    return {
        'u': random.uniform(0.5, 2.0, len(rod.input_names)),
        'load': 0.01 * random.normal(size=shape),
        'following': 0.01 * random.normal(size=shape),
    }


@pytest.mark.parametrize('chunk', range(CHUNKS))
def test_two_thousand_random_robots_build_and_evaluate(chunk):
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        rod = rod_of(seed)
        q, qd, qdd = state(rod, seed)
        r = rod.residual(q, qd, qdd, **forces(rod, seed))
        assert r.shape == (rod.dof,) and np.all(np.isfinite(r)), seed
        M = rod.mass_matrix(q) * np.outer(rod.scale, rod.scale)
        diagonal = np.sqrt(np.diag(M))
        assert np.linalg.eigvalsh(M / np.outer(diagonal, diagonal))[0] > 0.0, seed


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_residual_in_q_qd_and_qdd(seed):
    rod = rod_of(seed, most_links=4)
    start, acting = state(rod, seed), forces(rod, seed)
    springs = rod._model.springs
    # a law has no derivative at its knots
    away = np.abs(springs.knots - (springs.direction @ start[0])[:, None]) > 3e-3 * rod.scale.max()
    assume(np.all(away))
    found, weight = rod.residual_derivatives(*start, **acting), np.outer(rod.scale, rod.scale)
    for k, factor in enumerate((1.0, 5.0, 50.0)):

        def residual(x, k=k):
            return rod.residual(*start[:k], x, *start[k + 1 :], **acting)

        expected = differences(residual, start[k], factor * rod.scale) * weight
        # of a derivative that is nothing, differences leave the rounding errors of the forces
        rounding = 1e-9 * np.abs(residual(start[k]) * rod.scale).max() / factor
        assert np.abs(found[k] * weight - expected).max() <= 1e-6 * np.abs(expected).max() + rounding
    M = rod.mass_matrix(start[0])
    assert np.abs((M - found[2]) * weight).max() <= 1e-12 * np.abs(M * weight).max()
    assert np.abs((M - M.T) * weight).max() <= 1e-12 * np.abs(M * weight).max()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_forces_add_up_as_the_equation_of_motion_says(seed):
    rod = without_friction(seed)
    (q, qd, qdd), acting = state(rod, seed), forces(rod, seed)
    u = acting.pop('u')
    parts = [
        rod.mass_matrix(q) @ qdd,
        (rod.coriolis_matrix(q, qd) + rod.damping) @ qd,
        rod.stiffness @ q,
        -rod.actuation_matrix(q) @ u,
        -rod.external_force(q, **acting),
    ]
    size = np.abs(parts).max() * rod.scale.max()
    total = rod.residual(q, qd, qdd, u=u, **acting)
    assert np.abs((total - sum(parts)) * rod.scale).max() <= 1e-10 * size


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_without_friction_tendons_pull_along_their_displacement(seed):
    rod = without_friction(seed)
    assume(rod.n_tendons > 0)
    q = state(rod, seed)[0]
    found = differences(rod.tendon_displacement, q, rod.scale)
    expected = rod.actuation_matrix(q)[:, : rod.n_tendons].T
    assert np.abs((found - expected) * rod.scale).max() <= 1e-7 * np.abs(expected * rod.scale).max() + 1e-10


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_closed_loop_accelerates_within_its_constraints(seed):
    rod = without_friction(seed)
    assume(rod.n_constraints > 0)
    q = np.zeros(rod.dof)
    assert np.abs(rod.constraint_error(q)).max() < 1e-9
    A = rod.constraint_matrix(q)
    found = differences(rod.constraint_error, q, 1e-2 * rod.scale)
    assert np.abs((found - A) * rod.scale).max() <= 1e-7 * max(np.abs(A * rod.scale).max(), 1.0)
    free = rod.scale[:, None] * null_space(A * rod.scale, rcond=1e-9)
    assume(free.shape[1] > 0)
    qd = free @ np.random.default_rng(seed).normal(size=free.shape[1])
    acting = forces(rod, seed)
    qdd = rod.acceleration(q, qd, **acting)
    # what is left of the equation of motion is a reaction: it does no work along free motions
    inertia, rest = rod.mass_matrix(q) @ qdd, rod.residual(q, qd, **acting)
    size = np.abs(free.T) @ (np.abs(inertia) + np.abs(rest))
    assert np.abs(free.T @ (inertia + rest)).max() <= 1e-7 * size.max()
    # along the motion the error stays nothing to second order in time
    size = max(1.0, np.abs(qdd / rod.scale).max())
    t = 1e-2 / np.sqrt(size)
    opened = [rod.constraint_error(q + s * t * qd + (s * t) ** 2 / 2 * qdd) for s in (-1.0, 1.0)]
    assert np.abs(sum(opened)).max() <= 1e-3 * t**2 * size * max(1.0, np.abs(A * rod.scale).max())
