"""Motion against theory: frequencies, energy, order of the integrator."""

import numpy as np
import pytest
from beams import AREA, DENSITY, INERTIA, LENGTH, MODULUS, TENDON, beam, tip_load
from scipy.integrate import solve_ivp

from continua.rod import Integrator, Rod


@pytest.mark.parametrize('strain', ['bending_y', 'bending_z'])
def test_first_three_natural_frequencies_of_a_uniform_cantilever(strain):
    rod = Rod(beam(f'{strain}: 8', points=20))
    found = rod.natural_frequencies(np.zeros(rod.dof))[:3]
    beta = np.array([1.87510407, 4.69409113, 7.85475744])
    wave = np.sqrt(MODULUS * INERTIA / (DENSITY * AREA * LENGTH**4))
    expected = beta**2 * wave / (2 * np.pi)
    # sections also turn (Rayleigh): lowers by about (beta r / 2 L)^2 / 2 and more, below half a percent here
    assert np.allclose(found, expected, rtol=5e-3)
    assert np.all(found < expected)


def test_longitudinal_frequencies_of_a_uniform_rod():
    rod = Rod(beam('elongation: 6', points=16))
    found = rod.natural_frequencies(np.zeros(rod.dof))[:2]
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
    omega = 2 * np.pi * rod.natural_frequencies(np.zeros(rod.dof))[0]
    rate = omega**2 * 2 * (1 + 0.3) * damping / MODULUS
    assert energy[-1] < 2 * np.exp(-rate * duration) * energy[0]
    assert np.all(np.isfinite(motion.q))


def test_the_integrator_agrees_with_radau_on_the_matrices_of_the_model():
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

    reference = solve_ivp(rate, (0, 0.2), np.zeros(2 * n), method='Radau', rtol=1e-8, atol=1e-8)
    motion = Integrator(rod, tolerance=1e-10)
    for _ in range(400):
        assert motion.step(5e-4, tension)
    assert np.allclose(motion.q, reference.y[:n, -1], atol=1e-5 * np.abs(motion.q).max())


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
