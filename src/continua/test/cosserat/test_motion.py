"""Steps and equilibria against other integrators and what is known in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from continua.cosserat import CollocationRod

DT = 1.0 / 70.0


@pytest.mark.parametrize('nodes', [3, 6])
def test_a_step_is_that_of_another_stiff_integrator(arm, nodes):
    rod = CollocationRod(arm, nodes, tolerance=1e-6)
    x, u = rod.statics(np.zeros(3)), np.array([60e3, 30e3, 0.0])
    other = solve_ivp(
        lambda _, x: rod.derivative(x, u),
        (0.0, DT),
        x,
        method='Radau',
        jac=lambda _, x: rod.jacobian(x, u)[0],
        rtol=1e-8,
        atol=1e-9 * rod.scale,
    )
    error = np.abs(rod.step(x, u, DT) - other.y[:, -1]) / rod.scale
    assert error.max() < 3e-6


def test_tolerance_holds_the_error(arm):
    fine, x, u = CollocationRod(arm, tolerance=1e-7), np.zeros(72), np.array([0.0, 75e3, 20e3])
    truth = fine.step(x, u, DT)
    errors = [
        np.abs(CollocationRod(arm, tolerance=each).step(x, u, DT) - truth).max(where=True, initial=0.0)
        for each in (1e-2, 1e-3, 1e-4)
    ]
    assert errors[0] > errors[1] > errors[2]
    by_default = np.abs(CollocationRod(arm).step(x, u, DT) - truth) / fine.scale
    assert by_default.max() < 3e-3


def test_two_half_steps_are_one(rod):
    x, u = rod.statics(np.zeros(3)), np.array([30e3, 0.0, 10e3])
    whole = rod.step(x, u, DT)
    halves = rod.step(rod.step(x, u, 0.5 * DT), u, 0.5 * DT)
    assert (np.abs(whole - halves) / rod.scale).max() < 2.0 * rod.tolerance


def test_pressure_alone_bends_into_an_arc(changed):
    """Without gravity the stress is the pressure's wrench everywhere, and the midpoint rule is exact."""

    def weightless(data):
        data['gravity'] = [0.0, 0.0, 0.0]

    rod, p, area, r = CollocationRod(changed(weightless)), 50e3, 235.6e-6, 0.0212
    x = rod.statics(np.array([p, 0.0, 0.0]))
    length, _, bending, dilatation, _ = rod.theta
    stretched = length * (1.0 + dilatation * p * area)
    angle = bending * p * area * r * length
    # up by the mount and the cap, along the arc away from the chamber at world y > 0, on by the other cap
    radius = stretched / angle
    out = radius * (1.0 - np.cos(angle)) + 0.01 * np.sin(angle)
    up = radius * np.sin(angle) + 0.01 * np.cos(angle)
    assert rod.output(x) == pytest.approx([0.0, -out, 0.024 + up], abs=1e-9)
    assert np.abs(rod.base_wrench(x)).max() < 1e-9


def test_at_rest_the_base_carries_the_weight(rod):
    weight = 9.81 * (0.0668 + rod.properties.inertia[0] * rod.theta[0])
    wrench = rod.base_wrench(rod.statics(np.zeros(3)))
    # the base's x axis points up, and the robot presses down
    assert wrench == pytest.approx([0.0, 0.0, 0.0, -weight, 0.0, 0.0], abs=1e-9)
    bent = CollocationRod(rod.robot, nodes=41)
    u = np.array([60e3, 0.0, 0.0])
    wrench, finer = bent.base_wrench(bent.statics(u)), bent.output(bent.statics(u))
    assert wrench[3:] == pytest.approx([-weight, 0.0, 0.0], abs=2e-3 * weight)
    # the robot leans to -y: its weight turns the base about the world's x axis, the base's -z axis
    assert finer[1] < -0.05 and abs(wrench[2]) > 0.03 and np.abs(wrench[:2]).max() < 1e-9


@given(u=st.tuples(*[st.floats(0.0, 75e3)] * 3))
def test_an_equilibrium_does_not_move(rod, u):
    x = rod.statics(np.array(u))
    assert (np.abs(rod.step(x, np.array(u), DT) - x) / rod.scale).max() < 1e-6


def test_motion_ends_at_the_equilibrium(rod):
    u, x = np.array([20e3, 5e3, 0.0]), np.zeros(72)
    for _ in range(700):
        x = rod.step(x, u, DT)
    assert rod.output(x) == pytest.approx(rod.output(rod.statics(u)), abs=1e-5)


def test_a_softer_rod_bends_more(rod):
    u = np.array([40e3, 0.0, 0.0])
    theta = np.array([rod.with_theta(bending_compliance=value) for value in (40.0, 50.0, 60.0)])
    height = rod.output(rod.statics(u, theta=theta), theta)[:, 2]
    assert np.all(np.diff(height) < 0.0)


def test_what_cannot_be_solved_is_no_number(rod):
    x = np.zeros((3, 72))
    x[1] = 1e9
    after = rod.step(x, np.zeros(3), DT)
    assert np.isnan(after[1]).all() and np.isfinite(after[[0, 2]]).all()
    assert np.isnan(rod.step(np.full(72, np.nan), np.zeros(3), DT)).all()


def test_wrong_input_is_refused_in_words(arm, rod):
    with pytest.raises(ValueError, match=r'u: expected 3 values'):
        rod.step(np.zeros(72), np.zeros(4), DT)
    with pytest.raises(ValueError, match=r'x: expected 72 values'):
        rod.output(np.zeros(71))
    with pytest.raises(ValueError, match="no parameter 'bending_complience'.*bending_compliance"):
        rod.with_theta(bending_complience=45.0)
    with pytest.raises(ValueError, match='nodes >= 2'):
        CollocationRod(arm, nodes=1)
