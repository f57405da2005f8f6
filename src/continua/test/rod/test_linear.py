"""Linear models against differences of the acceleration, with and without constraints."""

import numpy as np
import pytest
from beams import LENGTH, TENDON, beam
from test_modal import _PARALLELOGRAM, _PENDULUM, robot

from continua.rod import Rod
from continua.rod.linear import linearise, tip_position
from continua.rod.modal import vibration_modes

TENDONS = ', '.join(
    [
        TENDON.format(end=LENGTH, y=0.004, friction=0.1),
        TENDON.format(end=LENGTH / 2, y=-0.005, friction=0).replace('name: t', 'name: u'),
    ]
)
U = np.array([2.0, 3.0])


def differences(function, x, size):
    """Fourth-order central differences (., n) of a vector function."""
    columns = []
    for step in 1e-3 * np.diag(size):
        once, twice = function(x + step) - function(x - step), function(x + 2 * step) - function(x - 2 * step)
        columns.append((8 * once - twice) / (12 * step.sum()))
    return np.stack(columns, axis=-1)


def agree(found, expected):
    return np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize('seed', range(4))
def test_a_moving_arm(seed):
    rod = Rod(
        beam(
            'torsion: 0, bending_y: 1, bending_z: 1, elongation: 0',
            gravity=-9.81,
            damping=5e3,
            points=6,
            tendons=TENDONS,
        )
    )
    random, n = np.random.default_rng(seed), rod.dof
    size = rod.scale * np.where(rod.strain_index < 3, 1.0, 0.1)
    q, qd = 0.7 * size * random.normal(size=n), 5.0 * size * random.normal(size=n)
    model = linearise(rod, q, qd, U)
    S = rod.scale
    in_q = differences(lambda x: rod.acceleration(x, qd, u=U) / S, q, size)
    in_qd = differences(lambda x: rod.acceleration(q, x, u=U) / S, qd, 5.0 * size)
    in_u = differences(lambda x: rod.acceleration(q, qd, u=x) / S, U, U)
    assert np.array_equal(model.directions, np.eye(n))
    assert np.array_equal(model.A[:n], np.hstack([np.zeros((n, n)), np.eye(n)]))
    assert agree(model.A[n:, :n] * S / S[:, None], in_q * S)
    assert agree(model.A[n:, n:] * S / S[:, None], in_qd * S)
    assert agree(model.B[n:] / S[:, None], in_u)
    assert not model.B[:n].any()
    tip = differences(lambda x: rod.shape(x, [LENGTH]).position[0], q, size)
    assert agree(model.C[:, :n], tip) and not model.C[:, n:].any()


def test_an_output_of_the_users():
    rod = Rod(beam('bending_y: 1', damping=5e3))

    def curvature(q):
        return q[:1], np.eye(1, rod.dof)

    model = linearise(rod, np.zeros(rod.dof), output=curvature)
    assert np.array_equal(model.C, np.eye(1, 2 * rod.dof))
    assert model.B.shape == (2 * rod.dof, 0)


def test_the_eigenvalues_of_an_undamped_arm_are_its_frequencies():
    rod = Rod(
        beam(
            'bending_y: 2, bending_z: 1',
            gravity=-9.81,
            tendons=TENDON.format(end=LENGTH, y=0.004, friction=0),
        )
    )
    equilibrium = rod.statics([2.0])
    A = linearise(rod, equilibrium.q, u=[2.0]).A
    omega = np.sort(np.abs(np.linalg.eigvals(A).imag))[::2]
    modes = vibration_modes(rod, equilibrium.q, u=[2.0])
    assert np.allclose(omega / (2 * np.pi), [mode.frequency for mode in modes], rtol=1e-6)


def test_a_parallelogram_is_one_oscillator():
    rod = Rod(robot(_PENDULUM + _PARALLELOGRAM, damping=2e-3))
    equilibrium = rod.statics()
    model = linearise(rod, equilibrium.q)
    (mode,) = vibration_modes(rod, equilibrium.q)
    omega = 2 * np.pi * mode.frequency
    assert model.A.shape == (2, 2) and model.directions.shape == (3, 1)
    assert np.allclose(model.A, [[0, 1], [-(omega**2), -2 * mode.damping_ratio * omega]], rtol=1e-6)
    # the tip of the second crank stays at the base: nothing of the motion is seen there
    assert np.allclose(model.C, 0.0, atol=1e-9)
    with pytest.raises(
        ValueError, match='robot pendulum: a robot with loops has a linear model at rest only'
    ):
        linearise(rod, equilibrium.q, 0.1 * model.directions[:, 0])


def test_the_tip_position_is_that_of_the_shape():
    rod = Rod(beam('bending_y: 1, bending_z: 1'))
    q = 0.3 * rod.scale
    assert np.allclose(tip_position(rod)(q)[0], rod.shape(q, [LENGTH]).position[0], atol=1e-12)
