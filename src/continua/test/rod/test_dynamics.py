"""Motion against theory: frequencies, energy, order of the integrator."""

import numpy as np
import pytest
from beams import AREA, DENSITY, INERTIA, LENGTH, MODULUS, TENDON, beam, tip_load
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

from continua.rod import Integrator, Rod
from continua.rod.modal import vibration_modes


def frequencies(rod, **acting):
    """Natural frequencies (n,) Hz of the straight rod."""
    return np.array([mode.frequency for mode in vibration_modes(rod, np.zeros(rod.dof), **acting)])


@pytest.mark.parametrize('strain', ['bending_y', 'bending_z'])
def test_first_three_natural_frequencies_of_a_uniform_cantilever(strain):
    radius = 1e-3 * LENGTH
    rod = Rod(beam(f'{strain}: 9', points=40, radius=radius))
    found = frequencies(rod)[:3]
    beta = np.array([1.87510407, 4.69409113, 7.85475744])
    wave = np.sqrt(MODULUS / DENSITY) * (radius / 2) / LENGTH**2
    # Sections also turn, which lowers the third by about 6e-6 (Rayleigh, in proportion to r^2); the rest
    # of the difference is the fourth order of the kinematics in the segments.
    assert np.allclose(found, beta**2 * wave / (2 * np.pi), rtol=2e-5)


@pytest.mark.parametrize('gravity', [2.0, -2.0])
def test_weight_stiffens_a_hanging_rod_and_softens_a_standing_one(gravity):
    """Against Galerkin's method for E I d4w - d(N dw) = omega^2 rho A w with N = rho A g (L - x)."""
    rod = Rod(beam('bending_y: 8', points=20).model_copy(update={'gravity': (gravity, 0.0, 0.0)}))
    k = np.arange(2, 10)
    total = k[:, None] + k
    bend = np.outer(k * (k - 1), k * (k - 1)) / (total - 3) * MODULUS * INERTIA / LENGTH**3
    pull = np.outer(k, k) * (1 / (total - 1) - 1 / total) * DENSITY * AREA * gravity
    mass = 1 / (total + 1) * DENSITY * AREA * LENGTH
    expected = np.sqrt(eigh(bend + pull, mass, eigvals_only=True)[:2]) / (2 * np.pi)
    # Galerkin's sections do not turn; these do, which is worth (beta r / 2 L)^2 or 2e-3 in the second mode
    assert np.allclose(frequencies(rod)[:2], expected, rtol=3e-3)
    unloaded = frequencies(rod, gravity=False)[0]
    assert (expected[0] > 1.03 * unloaded) if gravity > 0 else (expected[0] < 0.97 * unloaded)


def test_longitudinal_frequencies_of_a_uniform_rod():
    rod = Rod(beam('elongation: 6', points=16))
    found = frequencies(rod)[:2]
    speed = np.sqrt(MODULUS / DENSITY)
    assert np.allclose(found, np.array([1, 3]) * speed / (4 * LENGTH), rtol=1e-5)


def swing(rod, step, duration, q0):
    """Energy, J, at every step of a free motion from rest at q0."""
    motion = Integrator(rod, tolerance=1e-10)
    motion.reset(q0)
    energy = [rod.energy(motion.q, motion.qd)]
    for _ in range(round(duration / step)):
        assert motion.step(step, np.zeros(rod.n_tendons))
        energy.append(rod.energy(motion.q, motion.qd))
    return np.array(energy), motion


def test_energy_is_conserved_without_damping_to_the_order_of_the_step():
    rod = Rod(beam('bending_y: 1, bending_z: 1', gravity=-9.81))
    q0 = np.array([0.8, -0.4, 1.5, 0.5])
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        energy, _ = swing(rod, step, 0.4, q0)
        errors.append(np.abs(energy - energy[0]).max() / np.ptp([energy[0], rod.energy(0 * q0, 0 * q0)]))
    assert errors[2] < 2e-3
    # order three: halving the step divides the loss by about eight
    assert np.all(np.array(errors[:-1]) / errors[1:] > 5.0)


def test_energy_decays_with_damping():
    damping, duration = 2e5, 1.0
    rod = Rod(beam('bending_y: 1, bending_z: 1', damping=damping))
    energy, motion = swing(rod, 2e-3, duration, np.array([0.8, -0.4, 1.5, 0.5]))
    assert np.all(np.diff(energy) <= 1e-12 * energy[0])
    # the slowest mode loses energy at the rate omega^2 times viscosity over modulus in bending
    omega = 2 * np.pi * frequencies(rod)[0]
    rate = omega**2 * 2 * (1 + 0.3) * damping / MODULUS
    assert energy[-1] < 2 * np.exp(-rate * duration) * energy[0]
    assert np.all(np.isfinite(motion.q))


def test_the_integrator_is_of_third_order_and_agrees_with_scipy_on_the_matrices_of_the_model():
    """M qdd + (C + D) qd + K q = B T + F, put together from the matrices and integrated by SciPy."""
    robot = beam(
        'bending_y: 0, bending_z: 1',
        gravity=-9.81,
        damping=1e3,
        tendons=TENDON.format(end=LENGTH, y=0.004, friction=0),
    )
    rod, tension = Rod(robot), np.array([2.0])
    n = rod.dof

    def rate(_, x):
        q, qd = x[:n], x[n:]
        force = rod.actuation_matrix(q) @ tension + rod.external_force(q) - rod.stiffness @ q
        force -= (rod.coriolis_matrix(q, qd) + rod.damping) @ qd
        return np.concatenate([qd, np.linalg.solve(rod.mass_matrix(q), force)])

    end = solve_ivp(rate, (0, 0.2), np.zeros(2 * n), method='DOP853', rtol=1e-10, atol=1e-10).y[:, -1]
    size = np.concatenate([rod.scale, 2 * np.pi / rod.period * rod.scale])
    errors = []
    for step in (4e-3, 2e-3, 1e-3, 5e-4):
        motion = Integrator(rod, tolerance=1e-10)
        for _ in range(round(0.2 / step)):
            assert motion.step(step, tension)
        errors.append(np.linalg.norm((np.concatenate([motion.q, motion.qd]) - end) / size))
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert abs(order[-1] - 3.0) < 0.2
    assert np.all(order > 2.5)
    assert errors[-1] < 1e-4


def test_the_tolerance_of_the_stages_adds_nothing_to_the_error_of_the_step():
    """At any step: an error of the acceleration is worth less and less in the shape, but not in the rates."""
    rod = Rod(beam('bending_y: 3, bending_z: 3, elongation: 1', gravity=-9.81, damping=1e4, points=8))
    force = tip_load(rod, force=(0, 0.1, 0))

    def path(step, **settings):
        motion, tip = Integrator(rod, **settings), rod.sampler(np.array([LENGTH]))
        positions = []
        for _ in range(round(0.2 / step)):
            assert motion.step(step, np.zeros(0), load=force)
            positions.append(tip.poses(motion.q)[1][0])
        return np.array(positions)

    reference = path(1e-4, tolerance=1e-8)
    for step in (5e-4, 1e-3, 4e-3):
        every = round(step / 1e-4)
        loose, tight = (
            np.linalg.norm(path(step, **settings) - reference[every - 1 :: every], axis=1).max()
            for settings in ({}, {'tolerance': 1e-8})
        )
        # the tolerance itself is 1e-5 rad at the tip
        assert loose < 1.5 * tight + 1e-5 * LENGTH


def test_what_cannot_be_stepped_leaves_a_finite_state_that_can():
    rod = Rod(beam('bending_y: 1, bending_z: 1', tendons=TENDON.format(end=LENGTH, y=0.004, friction=0)))
    motion = Integrator(rod)
    assert motion.step(0.01, [1.0])
    before = motion.q, motion.qd
    assert not motion.step(0.01, [np.nan])
    assert np.array_equal(motion.q, before[0]) and np.array_equal(motion.qd, before[1])
    assert motion.step(0.01, [1.0])
    with pytest.raises(ValueError, match='qd: expected 4 generalised coordinates'):
        motion.reset(np.zeros(4), np.zeros(3))


def test_motion_comes_to_rest_in_the_static_equilibrium():
    robot = beam(
        'bending_y: 1, bending_z: 1, elongation: 0',
        gravity=-9.81,
        damping=3e5,
        tendons=TENDON.format(end=LENGTH / 2, y=0.004, friction=0),
    )
    rod = Rod(robot)
    motion = Integrator(rod)
    for _ in range(1000):
        assert motion.step(0.01, np.array([3.0]))
    assert np.allclose(motion.q / rod.scale, rod.statics([3.0]).q / rod.scale, atol=1e-6)


def test_a_dead_load_moves_the_rod_to_its_own_equilibrium():
    rod = Rod(beam('bending_y: 1, bending_z: 1', damping=3e5))
    load = tip_load(rod, force=(0, 0.05, 0.02))
    motion = Integrator(rod)
    for _ in range(1000):
        assert motion.step(0.01, np.zeros(0), load=load)
    assert np.allclose(motion.q, rod.statics(load=load).q, atol=1e-5)
