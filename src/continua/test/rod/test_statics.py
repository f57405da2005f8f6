"""Static shapes against beam theory."""

import numpy as np
import pytest
from beams import AREA, DENSITY, INERTIA, LENGTH, MODULUS, TENDON, beam, tip_load
from scipy.integrate import quad, solve_bvp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from continua.rod import Rod
from continua.rod.modal import vibration_modes

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


def test_shear_adds_the_deflection_of_timoshenko():
    """P L / G A, the section's shear taken as uniform; a stubby rod, else nothing is left to see."""
    radius, shear_modulus = 0.1 * LENGTH, MODULUS / 2.6
    area, inertia = np.pi * radius**2, np.pi * radius**4 / 4
    rod = Rod(beam('bending_z: 1, shear_y: 0', radius=radius))
    force = 1e-4 * MODULUS * inertia / LENGTH**2
    expected = force * LENGTH**3 / (3 * MODULUS * inertia) + force * LENGTH / (shear_modulus * area)
    assert tip_of(rod, rod.statics(load=tip_load(rod, force=(0, force, 0))).q)[1] == pytest.approx(
        expected, rel=1e-6
    )


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


def test_own_weight_bends_a_tapered_cantilever_as_the_integral_of_its_curvature_says():
    base, tip, gravity = 0.012, 0.004, -1e-3
    rod = Rod(beam('bending_y: 9', gravity=gravity, points=20, radius=[base, tip]))

    def radius(x):
        return base + (tip - base) * x / LENGTH

    def moment(x):
        weight = DENSITY * np.pi * gravity
        return quad(lambda s: weight * radius(s) ** 2 * (s - x), x, LENGTH)[0]

    def work(x):
        return moment(x) / (MODULUS * np.pi * radius(x) ** 4 / 4) * (LENGTH - x)

    expected = quad(work, 0, LENGTH)[0]
    # the curvature is no polynomial; degree 9 holds it to a few millionths
    assert tip_of(rod, rod.statics().q)[2] == pytest.approx(expected, rel=1e-5)


EULER = np.pi**2 * EI / (4 * LENGTH**2)  # N, load under which a clamped column buckles


@pytest.mark.parametrize('share', [0.99, 1.01])
def test_a_straight_column_is_stable_up_to_eulers_load(share):
    rod = Rod(beam('bending_z: 6'))
    result = rod.statics(load=tip_load(rod, force=(-share * EULER, 0, 0)))
    assert result.converged
    assert np.abs(result.q).max() < 1e-9
    assert result.stable == (share < 1)
    assert ('unstable' in result.message) == (share > 1)
    # the vibration slows down to nothing where the column buckles
    lowest = vibration_modes(rod, np.zeros(rod.dof), load=tip_load(rod, force=(-share * EULER, 0, 0)))[0]
    assert (lowest.frequency > 0) == (share < 1)


@pytest.mark.parametrize('bend', [1.5, 1e-3])
def test_beyond_eulers_load_the_column_takes_the_shape_of_the_elastica(bend):
    """K(m)^2 = P L^2 / EI, tip at x = L (2 E / K - 1), y = 2 L sqrt(m) / K."""
    rod, load = Rod(beam('bending_z: 8', points=16)), 1.5 * EULER
    bent = np.zeros(rod.dof)
    bent[0] = bend / LENGTH
    result = rod.statics(q0=bent, load=tip_load(rod, force=(-load, 0, 0)))
    assert result.converged and result.stable
    m = brentq(lambda m: ellipk(m) ** 2 - load * LENGTH**2 / EI, 0.01, 0.99, xtol=1e-14)
    expected = LENGTH * np.array([2 * ellipe(m) / ellipk(m) - 1, 2 * np.sqrt(m) / ellipk(m)])
    assert np.allclose(tip_of(rod, result.q)[:2], expected, atol=1e-6 * LENGTH)


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


@pytest.mark.parametrize('friction', [0.3, 2.0])
def test_friction_slows_newtons_method_but_not_down_to_nothing(friction):
    """Its derivative is left out of the Newton matrix."""
    tendon = TENDON.format(end=LENGTH, y=0.006, friction=friction)
    rod = Rod(beam('bending_y: 3, bending_z: 3, elongation: 2', gravity=-9.81, tendons=tendon))
    result = rod.statics([20.0])
    assert result.converged and result.residual < 1e-9
    assert np.abs(rod.residual(result.q, u=[20.0])).max() < 1e-9 * np.abs(rod.stiffness @ result.q).max()


def test_a_load_too_large_for_one_go_is_applied_in_steps():
    rod = Rod(beam('bending_z: 2'))
    moment = 10 * 2 * np.pi * EI / LENGTH
    result = rod.statics(load=tip_load(rod, moment=(0, 0, moment)))
    assert result.converged and 'load steps' in result.message
    assert result.q[0] == pytest.approx(moment / EI, rel=1e-9)


def test_a_load_without_equilibrium_is_a_status_and_not_an_exception():
    robot = beam('bending_z: 0, elongation: 0', tendons=TENDON.format(end=LENGTH, y=0.004, friction=0))
    result = Rod(robot).statics([1e6])
    assert not result.converged
    assert np.all(np.isfinite(result.q))
    assert 'no equilibrium found beyond' in result.message
    assert result.residual > 1.0


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('tension', [np.nan, np.inf, 1e300])
def test_what_is_no_load_at_all_is_a_status_too(tension):
    robot = beam('bending_z: 1', tendons=TENDON.format(end=LENGTH, y=0.004, friction=0))
    result = Rod(robot).statics([tension])
    assert not result.converged
    assert np.all(np.isfinite(result.q))


def test_a_rod_turned_inside_out_is_no_equilibrium():
    rod = Rod(beam('elongation: 0'))
    result = rod.statics(load=tip_load(rod, force=(-1.05 * MODULUS * AREA, 0, 0)))
    assert not result.converged and 'turned inside out' in result.message
    assert np.all(np.isfinite(result.q))


def test_a_rod_squeezed_to_nothing_is_named():
    """Linear elasticity has an equilibrium at any compression; the message says what it is worth."""
    rod = Rod(beam('elongation: 0'))
    result = rod.statics(load=tip_load(rod, force=(-0.95 * MODULUS * AREA, 0, 0)))
    assert result.converged
    assert 'squeezed to 5.0% of its length' in result.message
