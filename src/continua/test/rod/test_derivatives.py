"""Everything that is a derivative, against central differences, at random states of random rods."""

import numpy as np
import pytest
from beams import LENGTH, TENDON, beam
from hypothesis import given, settings
from hypothesis import strategies as st

from continua.rod import Rod

ORDERS = (
    'bending_y: 1, bending_z: 2',
    'torsion: 1, bending_y: 2, bending_z: 1, elongation: 1',
    'torsion: 0, bending_y: 1, bending_z: 1, elongation: 0, shear_y: 1, shear_z: 0',
)
TENDONS = ', '.join(
    [
        TENDON.format(end=LENGTH, y=0.004, friction=0),
        TENDON.format(end=LENGTH / 2, y=-0.005, friction=0).replace('name: t', 'name: u'),
    ]
)
TENSION = np.array([2.0, 3.0])


def rod_and_state(order, seed):
    """A rod and q, qd, qdd of the size of a swinging arm."""
    rod = Rod(beam(order, gravity=-9.81, damping=5e3, points=6, tendons=TENDONS))
    random = np.random.default_rng(seed)
    size = rod.scale * np.where(rod.strain_index < 3, 1.0, 0.1)
    return rod, *(size * factor * random.normal(size=rod.dof) for factor in (0.7, 5.0, 50.0))


def differences(function, x, size):
    """Fourth-order central differences of a vector function, steps of 1e-3 * size."""
    columns = []
    for i in range(x.size):
        e = np.zeros(x.size)
        e[i] = 1e-3 * size[i]
        columns.append(
            (8 * (function(x + e) - function(x - e)) - (function(x + 2 * e) - function(x - 2 * e)))
            / (12 * e[i])
        )
    return np.stack(columns, axis=-1)


def agree(found, expected, size):
    """Largest difference relative to the largest entry, coordinates counted in units of deformation."""
    weight = np.outer(size, size)
    return np.abs((found - expected) * weight).max() <= 1e-6 * np.abs(expected * weight).max()


@settings(max_examples=12, deadline=None)
@given(order=st.sampled_from(ORDERS), seed=st.integers(0, 2**32 - 1))
def test_the_residual_in_q_qd_and_qdd(order, seed):
    rod, q, qd, qdd = rod_and_state(order, seed)
    load = np.random.default_rng(seed).normal(size=(rod.arc_length.size, 6)) * 0.01
    found = rod.residual_derivatives(q, qd, qdd, u=TENSION, load=load)
    arguments = ((q, 0), (qd, 1), (qdd, 2))
    for x, k in arguments:

        def residual(y, k=k):
            state = [q, qd, qdd]
            state[k] = y
            return rod.residual(*state, u=TENSION, load=load)

        step = rod.scale * (1.0, 5.0, 50.0)[k]
        assert agree(found[k], differences(residual, x, step), rod.scale), f'argument {k}'


@settings(max_examples=12, deadline=None)
@given(order=st.sampled_from(ORDERS), seed=st.integers(0, 2**32 - 1))
def test_the_mass_matrix_is_the_derivative_in_qdd_and_positive_definite(order, seed):
    rod, q, qd, _ = rod_and_state(order, seed)
    mass = rod.mass_matrix(q)
    assert agree(rod.residual_derivatives(q, qd)[2], mass, rod.scale)
    assert np.allclose(mass, mass.T, rtol=1e-12, atol=0)
    assert np.linalg.eigvalsh(mass * np.outer(rod.scale, rod.scale)).min() > 0


@settings(max_examples=12, deadline=None)
@given(order=st.sampled_from(ORDERS), seed=st.integers(0, 2**32 - 1))
def test_the_coriolis_matrix_gives_the_velocity_dependent_force(order, seed):
    rod, q, qd, _ = rod_and_state(order, seed)
    force = rod.residual(q, qd, gravity=False) - rod.stiffness @ q - rod.damping @ qd
    assert np.allclose(rod.coriolis_matrix(q, qd) @ qd * rod.scale, force * rod.scale, rtol=1e-9, atol=1e-12)


@settings(max_examples=12, deadline=None)
@given(order=st.sampled_from(ORDERS), seed=st.integers(0, 2**32 - 1))
def test_inertia_and_coriolis_forces_do_no_work_of_their_own(order, seed):
    """qd^T (Md - 2 C) qd = 0; the matrix itself is not skew, as C does not come from Christoffel symbols."""
    rod, q, qd, _ = rod_and_state(order, seed)
    h = 1e-3 / np.max(np.abs(qd / rod.scale))

    def mass(t):
        return rod.mass_matrix(q + t * qd)

    rate = (8 * (mass(h) - mass(-h)) - (mass(2 * h) - mass(-2 * h))) / (12 * h)
    power = qd @ rate @ qd
    assert (
        abs(power - 2 * qd @ rod.coriolis_matrix(q, qd) @ qd)
        < 1e-8 * np.abs(qd @ rate).max() * np.abs(qd).sum()
    )


@settings(max_examples=12, deadline=None)
@given(order=st.sampled_from(ORDERS), seed=st.integers(0, 2**32 - 1))
def test_the_actuation_matrix_is_the_derivative_of_the_displacement(order, seed):
    rod, q, _, _ = rod_and_state(order, seed)
    found = rod.actuation_matrix(q).T
    expected = differences(rod.tendon_displacement, q, rod.scale)
    assert np.abs((found - expected) * rod.scale).max() < 1e-9


@pytest.mark.parametrize('order', ORDERS)
def test_the_jacobian_and_its_time_derivative(order):
    from continua.rod.arrays import make_workspace
    from continua.rod.jacobian import jacobians

    rod, q, qd, _ = rod_and_state(order, 3)
    sampler = rod.sampler(np.array([0.3 * LENGTH, LENGTH]))
    R, _, J = sampler.jacobian(q)
    linear = np.einsum('mik,mkn->min', R, J[:, 3:])
    expected = differences(lambda x: sampler.poses(x)[1].ravel(), q, rod.scale)
    assert np.abs((linear.reshape(-1, rod.dof) - expected) * rod.scale).max() < 1e-8
    turn = differences(lambda x: sampler.poses(x)[0].ravel(), q, rod.scale).reshape(2, 3, 3, rod.dof)
    skew = np.einsum('mji,mjkn->mikn', R, turn)  # R^T dR = hat(angular part)
    angular = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
    assert np.abs((J[:, :3] - angular) * rod.scale).max() < 1e-8

    arrays = rod._model.rod
    shape = (arrays.arc_length.size, 6, rod.dof)

    def jacobian(x):
        out, rate = np.zeros(shape), np.zeros(shape)
        jacobians(arrays, x, qd, make_workspace(shape[0] - 1, rod.dof), out, rate)
        return out, rate

    h = 1e-4
    expected = (8 * (jacobian(q + h * qd)[0] - jacobian(q - h * qd)[0])) / (12 * h) - (
        jacobian(q + 2 * h * qd)[0] - jacobian(q - 2 * h * qd)[0]
    ) / (12 * h)
    found = jacobian(q)[1]
    assert np.abs((found - expected) * rod.scale).max() < 1e-6 * np.abs(expected * rod.scale).max()
