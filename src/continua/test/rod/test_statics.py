"""Static shapes against beam theory."""

import numpy as np
import pytest
from beams import AREA, DENSITY, INERTIA, LENGTH, MODULUS, TENDON, beam, tip_load
from scipy.integrate import solve_bvp

from continua.rod import Rod

EI = MODULUS * INERTIA


def tip_of(rod, q):
    return rod.shape(q, np.array([LENGTH])).position[0]


def test_a_pure_moment_bends_the_rod_into_a_circle():
    rod = Rod(beam('bending_y: 0, bending_z: 2'))
    result = rod.statics(load=tip_load(rod, moment=(0, 0, 2 * np.pi * EI / LENGTH)))
    assert result.converged, result.message
    # the circle closes on the base, exactly: its curvature is in the basis and Magnus is exact for it
    assert np.linalg.norm(tip_of(rod, result.q)) < 1e-9 * LENGTH
    middle = rod.shape(result.q, np.array([LENGTH / 2])).position[0]
    assert np.allclose(middle, [0, LENGTH / np.pi, 0], atol=1e-9)


@pytest.mark.parametrize(('strain', 'axis'), [('bending_y', 2), ('bending_z', 1)])
def test_a_small_tip_force_gives_the_deflection_of_euler_and_bernoulli(strain, axis):
    rod = Rod(beam(f'{strain}: 1'))
    force = np.zeros(3)
    force[axis] = 1e-4 * EI / LENGTH**2
    result = rod.statics(load=tip_load(rod, force=force))
    # the curvature of a tip-loaded cantilever is linear, so the basis holds it; error is of second order
    expected = force[axis] * LENGTH**3 / (3 * EI)
    assert tip_of(rod, result.q)[axis] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize('alpha', [0.5, 2.0, 5.0, 10.0])
def test_a_large_tip_force_gives_the_elastica(alpha):
    """alpha = F L^2 / EI; the reference solves EI theta'' = -F cos(theta) as a boundary value problem."""
    rod = Rod(beam('bending_z: 10', points=24))
    result = rod.statics(load=tip_load(rod, force=(0, alpha * EI / LENGTH**2, 0)))
    assert result.converged, result.message
    s = np.linspace(0, 1, 201)
    solution = solve_bvp(
        lambda _, y: np.array([y[1], -alpha * np.cos(y[0])]),
        lambda a, b: np.array([a[0], b[1]]),
        s,
        np.array([alpha * s * (1 - s / 2) / (1 + alpha), alpha * (1 - s) / (1 + alpha)]),
        tol=1e-9,
        max_nodes=100000,
    )
    assert solution.success
    theta = solution.sol(np.linspace(0, 1, 4001))[0]
    expected = LENGTH * np.array(
        [np.trapezoid(np.cos(theta), dx=1 / 4000), np.trapezoid(np.sin(theta), dx=1 / 4000)]
    )
    assert np.allclose(tip_of(rod, result.q)[:2], expected, atol=1e-5 * LENGTH)


def test_own_weight_bends_a_cantilever_by_w_l4_over_8_ei():
    gravity = -1e-3
    rod = Rod(beam('bending_y: 2', gravity=gravity))
    weight = DENSITY * AREA * gravity
    expected = weight * LENGTH**4 / (8 * EI)
    assert tip_of(rod, rod.statics().q)[2] == pytest.approx(expected, rel=1e-6)


def test_a_parallel_tendon_bends_by_t_d_over_ei_and_compresses_by_t_over_ea():
    offset, tension = 0.004, 1e-3
    robot = beam('bending_z: 0, elongation: 0', tendons=TENDON.format(end=LENGTH, y=offset, friction=0))
    rod = Rod(robot)
    q = rod.statics([tension]).q
    # the tendon at +y shortens that side: curvature about +z, towards +y
    assert q[0] == pytest.approx(tension * offset / EI, rel=1e-4)
    assert q[1] == pytest.approx(-tension / (MODULUS * AREA), rel=1e-4)
    assert tip_of(rod, q)[1] > 0
    # displacement: what has left the body is the shortening of the tendon's path
    assert rod.tendon_displacement(q)[0] == pytest.approx(LENGTH * (q[0] * offset - q[1]), rel=1e-6)


def test_a_load_without_equilibrium_is_a_status_and_not_an_exception():
    robot = beam('bending_z: 0, elongation: 0', tendons=TENDON.format(end=LENGTH, y=0.004, friction=0))
    result = Rod(robot).statics([1e6])
    assert not result.converged
    assert np.all(np.isfinite(result.q))
    assert 'no equilibrium found beyond' in result.message
