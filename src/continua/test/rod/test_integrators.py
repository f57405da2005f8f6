"""Error control, the explicit and the variational method, and SciPy's solvers."""

import numpy as np
import pytest
from beams import LENGTH, TENDON, beam
from test_modal import _PARALLELOGRAM, _PENDULUM, robot

from continua.rod import Integrator, Rod
from continua.rod.energy_preserving import VariationalIntegrator
from continua.rod.explicit import ExplicitIntegrator
from continua.rod.scipy_adapter import solve

PULL = np.array([2.0])
NONE = np.zeros(0)


def arm(order='bending_y: 0, bending_z: 1', damping=1e3):
    tendon = TENDON.format(end=LENGTH, y=0.004, friction=0)
    return Rod(beam(order, gravity=-9.81, damping=damping, tendons=tendon, points=8))


def run(motion, dt, duration, u):
    """States (s + 1, 2n) of the motion."""
    states = [np.concatenate([motion.q, motion.qd])]
    for _ in range(round(duration / dt)):
        assert motion.step(dt, u)
        states.append(np.concatenate([motion.q, motion.qd]))
    return np.array(states)


def units(rod):
    """A unit of deformation in each coordinate, and in each rate."""
    return np.concatenate([rod.scale, rod.scale * 2 * np.pi / rod.period])


def exact(rod, dt, duration):
    times = np.arange(round(duration / dt) + 1) * dt
    options = {'method': 'DOP853', 'rtol': 1e-11, 'atol': 1e-11}
    t, q, qd = solve(rod, times, np.zeros(rod.dof), u=lambda t: PULL, options=options)
    assert np.array_equal(t, times)
    return np.hstack([q, qd])


@pytest.mark.parametrize('method', [Integrator, ExplicitIntegrator])
def test_the_error_follows_the_tolerance(method):
    rod = arm()
    expected = exact(rod, 0.02, 0.2)
    errors, steps = [], []
    for tolerance in (1e-4, 1e-6, 1e-8):
        motion = method(rod, error_tolerance=tolerance)
        found = run(motion, 0.02, 0.2, PULL)
        errors.append(np.abs((found - expected) / units(rod)).max())
        steps.append(motion.statistics.steps)
        # errors of ten steps and more add up, each below the tolerance
        assert errors[-1] < 10 * tolerance
    assert errors[0] > 5 * errors[1] > 25 * errors[2]
    assert 10 < steps[0] < steps[1] < steps[2]


def test_stiff_modes_do_not_rule_the_step_size():
    """Shear and elongation decay in microseconds: 20 times more modulus must not cost more steps."""
    order = 'bending_y: 1, bending_z: 1, elongation: 1, shear_y: 1, shear_z: 1'
    soft, stiff = arm(order, damping=2e4), arm('bending_y: 1, bending_z: 1', damping=2e4)
    counts = []
    for rod in (soft, stiff):
        motion = Integrator(rod, error_tolerance=1e-4)
        run(motion, 0.05, 1.0, PULL)
        counts.append(motion.statistics.steps)
    assert counts[0] < 1.5 * counts[1]


def test_a_jump_of_the_input_is_met_by_shorter_steps_and_rest_by_longer_ones():
    rod = arm(damping=3e5)
    motion = Integrator(rod, error_tolerance=1e-4)
    run(motion, 0.1, 20.0, PULL)
    before = motion.statistics
    run(motion, 0.1, 1.0, PULL)
    at_rest = motion.statistics
    # one internal step for each of them
    assert at_rest.steps - before.steps == 10
    run(motion, 0.1, 0.1, 0 * PULL)
    assert motion.statistics.rejected > at_rest.rejected
    assert motion.statistics.steps > at_rest.steps + 5
    assert motion.statistics.residuals > at_rest.residuals
    motion.reset(motion.q)
    assert motion.statistics.steps == motion.statistics.rejected == motion.statistics.residuals == 0


def test_without_a_tolerance_steps_are_taken_as_they_are():
    motion = Integrator(arm())
    run(motion, 2e-3, 0.1, PULL)
    assert motion.statistics.steps == 50 and motion.statistics.rejected == 0


def test_error_control_of_a_loop():
    """A parallelogram swings as the pendulum that it is (closed form by its one equation)."""
    rod = Rod(robot(_PENDULUM + _PARALLELOGRAM))
    inside = np.array([1.0, -1.0, 1.0])
    errors = []
    for tolerance in (1e-3, 1e-5, 1e-7):
        motion = Integrator(rod, error_tolerance=tolerance)
        motion.reset(0.8 * inside)
        found = run(motion, 0.05, 1.0, NONE)
        mass, length = 0.3, 0.25
        stiffness = (2 * mass * length / 2 + 0.8 * length) * 9.81
        inertia = 2 * mass * length**2 / 3 + 0.8 * length**2
        energy = 0.5 * inertia * found[:, 3] ** 2 + stiffness * (1 - np.cos(found[:, 0]))
        errors.append(np.abs(energy / energy[0] - 1).max())
        assert np.abs(rod.constraint_error(motion.q)).max() < 10 * tolerance
        assert motion.statistics.steps > 20
    assert errors[0] < 0.1 and errors[1] < 0.1 * errors[0] and errors[2] < 0.1 * errors[1]


@pytest.mark.parametrize('method', [Integrator, ExplicitIntegrator])
def test_what_cannot_be_stepped_leaves_a_finite_state_that_can(method):
    motion = method(arm(), error_tolerance=1e-5)
    assert motion.step(0.01, PULL)
    before = motion.q, motion.qd
    assert not motion.step(0.01, [np.nan])
    assert np.array_equal(motion.q, before[0]) and np.array_equal(motion.qd, before[1])
    assert motion.step(0.01, PULL)


@pytest.mark.parametrize('method', [ExplicitIntegrator, VariationalIntegrator])
def test_what_does_not_hold_loops_says_so(method):
    rod = Rod(robot(_PENDULUM + _PARALLELOGRAM))
    with pytest.raises(ValueError, match='robot pendulum: .* does not hold loops .*; use Integrator'):
        method(rod)


@pytest.mark.parametrize('value', [0.0, -1.0, np.nan, np.inf])
def test_tolerances_are_positive(value):
    rod = arm()
    with pytest.raises(ValueError, match='error_tolerance: expected a positive number'):
        Integrator(rod, error_tolerance=value)
    with pytest.raises(ValueError, match='error_tolerance: expected a positive number'):
        ExplicitIntegrator(rod, value)
    with pytest.raises(ValueError, match='tolerance: expected a positive number'):
        VariationalIntegrator(rod, value)


def test_the_variational_method_is_of_second_order():
    """Also with what no Lagrangian has: dampers and a tendon."""
    rod = arm()
    expected = exact(rod, 0.2, 0.2)[-1]
    errors = []
    for step in (1e-3, 5e-4, 2.5e-4):
        end = run(VariationalIntegrator(rod), step, 0.2, PULL)[-1]
        errors.append(np.linalg.norm((end - expected) / units(rod)))
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.allclose(order, 2.0, atol=0.1)


def test_the_variational_method_runs_backwards():
    """The last rates turned round lead back to the start."""
    rod = Rod(beam('bending_y: 0, bending_z: 0', gravity=-9.81, points=6))
    q0 = np.array([1.5, -1.0])
    motion = VariationalIntegrator(rod)
    motion.reset(q0)
    run(motion, 5e-3, 1.0, NONE)
    motion.reset(motion.q, -motion.qd)
    run(motion, 5e-3, 1.0, NONE)
    assert np.allclose(motion.q, q0, atol=1e-6)


def test_energy_over_ten_thousand_steps_without_damping():
    """The variational method's energy oscillates but does not drift; that of the others does."""
    rod = Rod(beam('bending_y: 0, bending_z: 0', gravity=-9.81, points=6))
    q0, step, count = np.array([2.0, 1.5]), 0.02, 10_000

    def energies(motion):
        motion.reset(q0)
        states = run(motion, step, step * count, NONE)
        energy = np.array([rod.energy(x[:2], x[2:]) for x in states])
        return (energy - energy[0]) / np.ptp([rod.energy(x[:2], 0 * q0) for x in states])

    tenth = count // 10
    kept = energies(VariationalIntegrator(rod))
    amplitude = np.abs(kept[:tenth]).max()
    assert amplitude < 0.01
    # neither the amplitude nor the mean of the oscillation is different at the end
    assert np.abs(kept).max() < 1.1 * amplitude
    assert abs(kept[-tenth:].mean() - kept[:tenth].mean()) < 0.1 * amplitude
    for motion in (Integrator(rod, tolerance=1e-8), ExplicitIntegrator(rod, error_tolerance=1e-3)):
        lost = np.array([part.mean() for part in np.split(energies(motion)[1:], 10)])
        # secular: always the same way, and in proportion to the time
        assert np.all(np.diff(lost) < 0) or np.all(np.diff(lost) > 0)
        assert abs(lost[-1]) > 10 * abs(lost[0])


def test_a_run_is_a_loop_of_steps():
    rod, inputs = arm(), np.array([[5.0], [0.0], [2.0]])
    one, other = Integrator(rod), Integrator(rod)
    q, qd = one.run(5e-3, inputs, 4)
    for k, u in enumerate(inputs):
        for _ in range(4):
            assert other.step(5e-3, u)
        assert np.array_equal(other.q, q[k]) and np.array_equal(other.qd, qd[k])
    assert one.statistics == other.statistics
    inputs[1] = np.nan
    q, qd = one.run(5e-3, inputs)
    assert q.shape == qd.shape == (1, rod.dof) and np.array_equal(one.q, q[0])
    with pytest.raises(ValueError, match='inputs: expected a row of 1 values'):
        one.run(5e-3, [5.0, 0.0])
