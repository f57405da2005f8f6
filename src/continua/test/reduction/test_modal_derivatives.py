"""Modal derivatives against the curvature of the path of equilibria."""

import numpy as np
import pytest
from scipy.optimize import root

from continua.reduction import decompose, hypercube, modal_derivatives, static_snapshots, with_derivatives
from continua.rod import Rod

U = [2.0, 1.0, 0.0]


@pytest.fixture(scope='module')
def modes(arm, arm_rod):
    return decompose(arm_rod, static_snapshots(arm, hypercube([0.0] * 3, [5.0] * 3, 3)).q)


def test_they_are_the_second_derivatives_of_the_path_that_forces_along_the_modes_lead_to(arm_rod, modes):
    rest = arm_rod.statics(U).q
    W = modes.modes[:, :3]
    theta = modal_derivatives(arm_rod, W, rest, u=U)
    K = arm_rod.residual_derivatives(rest, u=U)[0]

    def equilibrium(z):
        """q that the force K W z, which moves the linear model by W z, leads to."""
        force = K @ W @ z

        def left(x):
            return (arm_rod.residual(rest + arm_rod.scale * x, u=U) - force) * arm_rod.scale

        found = root(left, W @ z / arm_rod.scale, method='hybr', tol=1e-13)
        return rest + arm_rod.scale * found.x

    for i in range(3):
        for j in range(i + 1):
            ei, ej = (0.02 / np.abs(W[:, k] / arm_rod.scale).max() * np.eye(3)[k] for k in (i, j))
            mixed = equilibrium(ei + ej) - equilibrium(ei - ej) - equilibrium(ej - ei) + equilibrium(-ei - ej)
            expected = mixed / (4.0 * ei.sum() * ej.sum())
            error = np.abs((theta[:, i, j] - expected) / arm_rod.scale).max()
            assert error < 1e-2 * np.abs(expected / arm_rod.scale).max()


def test_without_anything_that_acts_modes_do_not_bend(arm_rod, modes):
    theta = modal_derivatives(arm_rod, modes.modes[:, :3], np.zeros(22), gravity=False)
    assert np.abs(theta).max() < 1e-12
    found = with_derivatives(arm_rod, modes, 3, 4, np.zeros(22), gravity=False)
    assert found.modes.shape == (22, 3)


def test_they_stand_beside_the_modes_orthonormal_in_the_metric(arm_rod, modes):
    found = with_derivatives(arm_rod, modes, 3, 4, np.zeros(22))
    assert found.modes.shape == (22, 7)
    assert np.allclose(found.modes[:, :3], modes.modes[:, :3], rtol=1e-9)
    assert np.allclose(found.projection @ found.modes, np.eye(7), atol=1e-9)
    # what is found in the snapshots along them is what is there
    q = modes.modes @ modes.coefficients
    assert np.allclose(found.coefficients, found.projection @ q, atol=1e-9 * modes.singular_values[0])
    assert np.allclose(found.singular_values, np.linalg.norm(found.coefficients, axis=1))
    theta = modal_derivatives(arm_rod, modes.modes[:, :3], np.zeros(22))
    # six derivatives of three modes, of which six columns hold all
    full = with_derivatives(arm_rod, modes, 3, 6, np.zeros(22))
    for direction in theta.reshape(22, -1).T:
        rest = direction - full.modes @ full.projection @ direction
        assert np.linalg.norm(modes.projection @ rest) < 1e-5 * np.linalg.norm(modes.projection @ direction)


def test_they_make_the_error_of_few_modes_smaller(arm, arm_rod, modes):
    u, errors = [3.0, 0.0, 2.0], []
    truth = arm_rod.shape(arm_rod.statics(u).q, [0.25]).position
    for found in (modes.first(3), with_derivatives(arm_rod, modes, 3, 3, np.zeros(22))):
        rod = Rod(arm, modes=found.modes)
        errors.append(np.linalg.norm(rod.shape(rod.statics(u).q, [0.25]).position - truth))
    assert errors[1] < 0.5 * errors[0]


def test_what_has_no_derivatives_is_refused_with_a_sentence(arm_rod, modes, platform):
    with pytest.raises(ValueError, match='decomposition: expected all 22 modes, got 5'):
        with_derivatives(arm_rod, modes.first(5), 3, 3, np.zeros(22))
    rod = Rod(platform)
    with pytest.raises(ValueError, match='the tangent stiffness is singular there'):
        modal_derivatives(rod, np.eye(57)[:, :2], np.zeros(57), gravity=False)
