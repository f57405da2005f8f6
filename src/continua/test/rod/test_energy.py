"""The first law along motions."""

import numpy as np
import pytest
from beams import DENSITY, LENGTH, TENDON, beam

from continua.description import parse_robot
from continua.rod import Integrator, Rod
from continua.rod.energy import energy_balance

MASS = DENSITY * np.pi * 0.008**2 * LENGTH


def motion(rod, inputs, steps, dt, gravity=True):
    """Times, coordinates, rates and inputs of a motion from rest in the reference shape."""
    integrator = Integrator(rod, tolerance=1e-9)
    time = dt * np.arange(steps + 1)
    q, qd = [integrator.q], [integrator.qd]
    for begin in time[:-1]:
        assert integrator.step(dt, inputs(begin + 0.5 * dt), gravity=gravity)
        q.append(integrator.q)
        qd.append(integrator.qd)
    return time, np.array(q), np.array(qd), np.array([inputs(t) for t in time])


def test_the_balance_closes_with_gravity_damping_and_a_tendon():
    tendon = TENDON.format(end=LENGTH, y=0.005, friction=0)
    rod = Rod(beam('bending_y: 1, bending_z: 1', gravity=-9.81, damping=800.0, tendons=tendon))
    largest = []
    for dt in (2e-3, 1e-3):
        balance = energy_balance(rod, *motion(rod, lambda t: np.array([10.0 * t]), round(0.4 / dt), dt))
        largest.append(np.abs(balance.imbalance).max())
    assert balance.input_work[-1] > 1e-4
    assert balance.dissipated[-1] > 1e-4
    assert largest[1] < 1e-4 * balance.dissipated[-1]
    assert largest[1] < 0.5 * largest[0]
    assert np.all(np.diff(balance.dissipated) >= 0.0)
    assert np.all(balance.load_work == pytest.approx(0.0, abs=1e-12))


def test_a_constant_pull_works_by_the_displacement_of_the_tendon():
    tendon = TENDON.format(end=LENGTH, y=0.005, friction=0)
    rod = Rod(beam('bending_z: 2', damping=800.0, tendons=tendon))
    time, q, qd, u = motion(rod, lambda t: np.array([4.0]), 400, 1e-3, gravity=False)
    balance = energy_balance(rod, time, q, qd, u, gravity=False)
    assert np.all(balance.potential == 0.0)
    assert balance.input_work[-1] == pytest.approx(4.0 * rod.tendon_displacement(q[-1])[0], rel=1e-5)


def test_the_potential_is_the_weight_times_the_height():
    rod = Rod(beam('elongation: 0', gravity=-9.81))
    q = np.zeros((1, 1))
    balance = energy_balance(rod, np.zeros(1), q, np.array([[0.5]]), np.zeros((1, 0)))
    # the beam lies at height 0; stretching at the rate 0.5, it moves along x with 0.5 X: T = m (0.5 L)^2 / 6
    assert balance.potential[0] == pytest.approx(0.0, abs=1e-15)
    assert balance.kinetic[0] == pytest.approx(MASS * (0.5 * LENGTH) ** 2 / 6, rel=1e-12)
    raised = beam('elongation: 0', gravity=-9.81).model_copy(
        update={'base': rod.robot.base.model_copy(update={'position': (0.0, 0.0, 2.0)})}
    )
    balance = energy_balance(Rod(raised), np.zeros(1), q, q, np.zeros((1, 0)))
    assert balance.potential[0] == pytest.approx(MASS * 9.81 * 2.0, rel=1e-12)


_SPRUNG = """
version: 1
name: sprung
links:
  - name: bar
    type: rigid
    length: 0.3
    body: {type: solid, section: {shape: circular, radius: 0.01}, density: 2000.0}
    joint:
      type: revolute
      axis: [0, 1, 0]
      stiffness: {type: table, coordinate: [-1.0, -0.2, 0.0, 0.2, 1.0], force: [-4.0, -0.1, 0.0, 0.1, 4.0]}
      damping: 0.01
  - name: tail
    parent: bar
    type: rigid
    length: 0.2
    body: {type: solid, section: {shape: circular, radius: 0.01}, density: 2000.0}
    joint: {type: revolute, axis: [0, 1, 0], stiffness: 0.5, rest: [0.4]}
loads:
  - {name: pull, type: point, link: tail, arc_length: 0.2, frame: world, force: [0.0, 0.0, -1.0]}
drives:
  - {name: motor, joint: bar, type: force, limits: {effort: [-5, 5]}}
"""


def test_the_balance_closes_with_tabulated_springs_loads_and_a_motor():
    rod = Rod(parse_robot(_SPRUNG))
    time, q, qd, u = motion(rod, lambda t: np.array([0.5 * np.sin(5.0 * t)]), 1000, 1e-3)
    balance = energy_balance(rod, time, q, qd, u)
    assert np.abs(balance.imbalance).max() < 2e-4 * balance.kinetic.max()
    # the dead load works by its way down, the motor's damper by the square of the rate
    tip = np.array([rod.shape(each, np.array([rod.length])).position[0, 2] for each in q])
    np.testing.assert_allclose(balance.load_work, -(tip - tip[0]), atol=1e-4 * np.ptp(tip))
    heat = np.concatenate([[0.0], np.cumsum(0.5e-3 * 0.01 * (qd[1:, 0] ** 2 + qd[:-1, 0] ** 2))])
    np.testing.assert_allclose(balance.dissipated, heat, atol=1e-4 * heat[-1])
    assert np.ptp(balance.load_work) > 0.01 and np.ptp(balance.input_work) > 0.01
