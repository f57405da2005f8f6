"""Natural vibrations of pendulums, with and without a loop, against closed form."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot, parse_robot
from continua.rod import Rod
from continua.rod.modal import vibration_modes

G, CRANK, COUPLER, LENGTH = 9.81, 0.3, 0.8, 0.25

# Links hang: the base's x axis points down, its z axis along world x.
_BAR = '{{type: lumped, mass: {m}, center_of_mass: [{c}, 0, 0], inertia: [1.0e-6, {i}, {i}, 0, 0, 0]}}'
_DOWN = '[0.0, 0.7071067811865476, 0.0, 0.7071067811865476]'
_BACK = '[0.0, -0.7071067811865476, 0.0, 0.7071067811865476]'
_PENDULUM = """
version: 1
name: pendulum
base: {{orientation_xyzw: {down}}}
links:
  - name: crank_1
    type: rigid
    length: {length}
    body: {crank}
    joint: {{type: revolute, axis: [0, 1, 0], damping: {damping}}}
"""
_PARALLELOGRAM = """
  - name: coupler
    parent: crank_1
    type: rigid
    length: 0.4
    attach: {{orientation_xyzw: {back}}}
    body: {coupler}
    joint: {{type: revolute, axis: [0, 1, 0]}}
  - name: crank_2
    parent: coupler
    type: rigid
    length: {length}
    attach: {{orientation_xyzw: {back}}}
    body: {crank}
    joint: {{type: revolute, axis: [0, 1, 0]}}
loops:
  - name: closing
    link: crank_2
    to_attach: {{position: [0, 0, 0.4], orientation_xyzw: [0, 1, 0, 0]}}
    joint: {{type: revolute, axis: [0, 1, 0]}}
"""


def robot(text, damping=0.0):
    return parse_robot(
        text.format(
            down=_DOWN,
            back=_BACK,
            length=LENGTH,
            damping=damping,
            crank=_BAR.format(m=CRANK, c=LENGTH / 2, i=CRANK * LENGTH**2 / 12),
            coupler=_BAR.format(m=COUPLER, c=0.2, i=COUPLER * 0.4**2 / 12),
        )
    )


def test_a_pendulum_swings_at_its_frequency_and_damping():
    rod = Rod(robot(_PENDULUM, damping=2e-3))
    (mode,) = vibration_modes(rod, np.zeros(1))
    inertia = CRANK * LENGTH**2 / 3
    omega = np.sqrt(CRANK * G * LENGTH / 2 / inertia)
    assert mode.frequency == pytest.approx(omega / (2 * np.pi), rel=1e-9)
    assert mode.damping_ratio == pytest.approx(2e-3 / (2 * omega * inertia), rel=1e-9)
    assert mode.name == 'joints' and mode.share == {'joints': pytest.approx(1.0)}
    assert mode.shape @ rod.mass_matrix(np.zeros(1)) @ mode.shape == pytest.approx(1.0)


def test_a_parallelogram_swings_as_its_masses_and_reactions_say():
    rod = Rod(robot(_PENDULUM + _PARALLELOGRAM))
    equilibrium = rod.statics()
    assert equilibrium.converged, equilibrium.message
    # One motion is left: both cranks turn, the coupler only shifts, on a circle.
    (mode,) = vibration_modes(rod, equilibrium.q)
    stiffness = (2 * CRANK * LENGTH / 2 + COUPLER * LENGTH) * G
    inertia = 2 * CRANK * LENGTH**2 / 3 + COUPLER * LENGTH**2
    assert mode.frequency == pytest.approx(np.sqrt(stiffness / inertia) / (2 * np.pi), rel=1e-6)
    np.testing.assert_allclose(mode.shape / mode.shape[0], [1, -1, 1], rtol=1e-6)


def test_without_gravity_nothing_holds_a_pendulum():
    rod = Rod(robot(_PENDULUM))
    (mode,) = vibration_modes(rod, np.zeros(1), gravity=False)
    assert mode.frequency == pytest.approx(0.0, abs=1e-6)


def test_an_upright_pendulum_is_unstable():
    rod = Rod(robot(_PENDULUM))
    (mode,) = vibration_modes(rod, np.array([np.pi]))
    assert mode.frequency == 0.0 and mode.damping_ratio == np.inf


def test_the_two_ways_in_which_a_round_arm_bends_are_told_apart():
    arm = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'single_tendon_arm.yaml')
    first, second = vibration_modes(Rod(arm), np.zeros(Rod(arm).dof), gravity=False)[:2]
    assert first.frequency == pytest.approx(second.frequency, rel=1e-9)
    assert (first.name, second.name) == ('bending_y', 'bending_z')
    assert first.share['bending_z'] < 1e-6 and second.share['bending_y'] < 1e-6
