"""Rigid pendulums of two and three bars against Lagrange's equations in closed form."""

import numpy as np
import pytest
from linkages import GRAVITY, bar, robot
from scipy.integrate import solve_ivp

from continua.rod import Integrator, Rod
from continua.rod.modal import vibration_modes

BARS = ((0.3, 0.5), (0.2, 0.4), (0.25, 0.3))  # length m, mass kg


class Pendulum:
    """n bars in a plane; q are the angles between them, the equations are in those to the horizontal."""

    def __init__(self, count):
        self.length, self.mass = np.array(BARS[:count]).T
        # centre of bar k is at sum_i a_ki (cos theta_i, -sin theta_i)
        self.a = np.tril(np.tile(self.length, (count, 1)), -1) + np.diag(self.length / 2.0)
        self.c = self.a.T @ np.diag(self.mass) @ self.a + np.diag(self.mass * self.length**2 / 12.0)

    def acceleration(self, q, qd):
        theta, rate = np.cumsum(q), np.cumsum(qd)
        between = theta[:, None] - theta
        pull = GRAVITY * np.cos(theta) * (self.a.T @ self.mass)
        return np.diff(
            np.linalg.solve(self.c * np.cos(between), pull - self.c * np.sin(between) @ rate**2), prepend=0.0
        )

    def energy(self, q, qd):
        theta, rate = np.cumsum(q), np.cumsum(qd)
        kinetic = 0.5 * rate @ (self.c * np.cos(theta[:, None] - theta)) @ rate
        return kinetic - GRAVITY * self.mass @ self.a @ np.sin(theta)


def rod_of(count):
    names = 'abc'
    return Rod(robot(*(bar(names[i], *BARS[i], parent=names[i - 1] if i else None) for i in range(count))))


@pytest.mark.parametrize('count', [1, 2, 3])
@pytest.mark.parametrize('seed', range(5))
def test_the_acceleration_is_that_of_lagrange(count, seed):
    random, rod, pendulum = np.random.default_rng(seed), rod_of(count), Pendulum(count)
    q, qd = random.uniform(-3.0, 3.0, count), random.normal(size=count) * 5.0
    expected = pendulum.acceleration(q, qd)
    assert np.allclose(rod.acceleration(q, qd), expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    assert rod.energy(q, qd) == pytest.approx(pendulum.energy(q, qd), rel=1e-12)


@pytest.mark.parametrize('count', [2, 3])
def test_the_tip_is_where_the_angles_say(count):
    rod, q = rod_of(count), np.array([0.4, -0.7, 1.1])[:count]
    theta, length = np.cumsum(q), np.array(BARS[:count])[:, 0]
    tip = rod.shape(q, np.array([rod.length])).position[0]
    assert np.allclose(tip, [length @ np.cos(theta), 0.0, -length @ np.sin(theta)], atol=1e-14)


@pytest.mark.parametrize('count', [2, 3])
def test_the_motion_is_that_of_an_explicit_solver_and_keeps_its_energy(count):
    rod, pendulum = rod_of(count), Pendulum(count)
    q, qd = np.array([0.4, -0.7, 0.5])[:count], np.array([1.0, 2.0, -1.0])[:count]
    exact = solve_ivp(
        lambda t, y: np.concatenate([y[count:], pendulum.acceleration(y[:count], y[count:])]),
        (0.0, 0.5),
        np.concatenate([q, qd]),
        rtol=1e-11,
        atol=1e-12,
    ).y[:, -1]
    errors, drifts, start = [], [], rod.energy(q, qd)
    for step in (2e-3, 1e-3):
        motion = Integrator(rod, tolerance=1e-11)
        motion.reset(q, qd)
        for _ in range(round(0.5 / step)):
            assert motion.step(step, [])
        errors.append(np.abs(motion.q - exact[:count]).max())
        drifts.append(abs(rod.energy(motion.q, motion.qd) - start))
    # third order: half the step leaves an eighth
    assert errors[1] < 1e-5 and errors[0] / errors[1] > 5.0
    assert drifts[1] < 1e-5 * np.abs(start) + 1e-5


def test_a_pendulum_hangs_down_and_swings_at_its_frequency():
    length, mass = BARS[0]
    rod = rod_of(1)
    result = rod.statics(q0=[1.2])
    assert result.converged and result.stable
    assert result.q[0] == pytest.approx(np.pi / 2, abs=1e-10)
    expected = np.sqrt(1.5 * GRAVITY / length) / (2.0 * np.pi)
    assert vibration_modes(rod, result.q)[0].frequency == pytest.approx(expected, rel=1e-12)


def test_a_pendulum_balanced_upright_is_called_unstable():
    result = rod_of(1).statics(q0=[-np.pi / 2])
    assert result.converged and not result.stable
    assert result.q[0] == pytest.approx(-np.pi / 2, abs=1e-10)


def test_bars_on_one_parent_swing_alone():
    """A branched linkage: two pendulums on one fixed bar do not feel each other."""
    post = bar('post', 0.2, 1.0) | {'joint': {'type': 'fixed'}}
    left = bar('left', *BARS[0], parent='post')
    right = bar('right', *BARS[1], parent='post') | {'attach': {'arc_length': 0.1}}
    rod, q, qd = Rod(robot(post, left, right)), np.array([0.3, -0.8]), np.array([2.0, 1.0])
    expected = 1.5 * GRAVITY * np.cos(q) / [BARS[0][0], BARS[1][0]]
    assert np.allclose(rod.acceleration(q, qd), expected, rtol=1e-12)
