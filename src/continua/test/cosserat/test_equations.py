"""The assembled model against CasADi's expression of it and its automatic derivatives."""

import casadi as ca
import numpy as np
import pytest

from continua.cosserat import CollocationRod
from continua.cosserat.symbolic import implicit_form, tip_position


def random_point(rod, seed=0, size=0.2):
    rng = np.random.default_rng(seed)
    x, xd = rng.normal(size=(2, rod.n)) * rod.scale * [[size], [10.0 * size]]
    return x, xd, rng.uniform(0.0, 75e3, 3), rod.theta * rng.uniform(0.8, 1.25, 5)


@pytest.fixture(scope='module', params=[(2, 1), (3, 5), (6, 4)], ids=str)
def pair(request, arm):
    nodes, subintervals = request.param
    rod = CollocationRod(arm, nodes, subintervals)
    return rod, implicit_form(rod)


def test_the_paper_counts_72_states(rod):
    assert rod.n == 72
    indices = np.concatenate(list(rod.groups.values()))
    assert sorted(indices) == list(range(72))
    assert {name: index.size for name, index in rod.groups.items()} == {
        'velocity': 15,
        'angular_velocity': 15,
        'force': 14,
        'force_z': 7,
        'torque': 21,
    }


def test_residual(pair):
    rod, form = pair
    point = random_point(rod)
    expected = form(*point).full()[:, 0]
    assert rod.residual(*point) == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())


def test_matrices_with_gravity_by_hand_are_the_automatic_derivatives(pair):
    """Equations 25 to 28 in `collocation.c` against CasADi's differentiation of algorithm 1."""
    rod, form = pair
    point, given = random_point(rod), form.sx_in()
    automatic = ca.Function('J', given, [ca.jacobian(form(*given), given[i]) for i in (0, 1)])(*point)
    for ours, theirs in zip(rod.matrices(*point), automatic, strict=True):
        assert ours == pytest.approx(theirs.full(), abs=1e-12 * np.abs(ours).max())


def test_explicit_form_solves_the_implicit_one(rod):
    x, _, u, theta = random_point(rod)
    xd = rod.derivative(x, u, theta)
    zero = rod.residual(x, xd, u, theta)
    assert np.abs(zero).max() < 1e-9 * np.abs(rod.residual(x, 0.0 * x, u, theta)).max()


def test_jacobian_of_the_explicit_form(rod):
    x, _, u, theta = random_point(rod)
    by_x, by_u = rod.jacobian(x, u, theta)
    rng = np.random.default_rng(1)
    dx, du, h = rng.normal(size=rod.n) * rod.scale, rng.normal(size=3) * 1e4, 1e-5
    ahead, behind = (rod.derivative(x + s * h * dx, u + s * h * du, theta) for s in (1.0, -1.0))
    expected = (ahead - behind) / (2.0 * h)
    assert by_x @ dx + by_u @ du == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())


def test_tip_position_and_its_derivative(pair):
    rod, _ = pair
    x, _, _, theta = random_point(rod)
    form = tip_position(rod)
    given = form.sx_in()
    automatic = ca.Function('J', given, [ca.jacobian(form(*given), given[0])])(x, theta)
    assert rod.output(x, theta) == pytest.approx(form(x, theta).full()[:, 0], abs=1e-15)
    assert rod.output_jacobian(x, theta)[3:] == pytest.approx(automatic.full(), abs=1e-14)


def test_turn_of_the_tip_by_differences(rod):
    x, _, _, theta = random_point(rod)
    dx, h = np.random.default_rng(2).normal(size=rod.n) * rod.scale, 1e-6
    R = rod.pose(x, theta)[0]
    rate = (rod.pose(x + h * dx, theta)[0] - rod.pose(x - h * dx, theta)[0]) / (2.0 * h) @ R.T
    spin = np.array([rate[2, 1], rate[0, 2], rate[1, 0]])
    assert rod.output_jacobian(x, theta)[:3] @ dx == pytest.approx(spin, abs=1e-7)


def test_batches_are_rows(rod):
    points = [random_point(rod, seed) for seed in range(5)]
    x, xd, u, theta = map(np.array, zip(*points, strict=True))
    rows = [rod.residual(*point) for point in points]
    assert np.array_equal(rod.residual(x, xd, u, theta), rows)
    assert np.array_equal(rod.output(x, theta), [rod.output(a, b) for a, b in zip(x, theta, strict=True)])
    assert np.array_equal(rod.step(x, u[0], 1e-3), [rod.step(each, u[0], 1e-3) for each in x])
    assert np.array_equal(rod.residual(x[0], xd[0], u)[1], rod.residual(x[0], xd[0], u[1]))


def test_theta_is_what_the_paper_identifies(rod):
    assert rod.theta == pytest.approx([0.1249, 0.0668, 49.9, 0.0059, 0.005], rel=1e-3)
    assert rod.with_theta(bending_compliance=45.0) == pytest.approx([*rod.theta[:2], 45.0, *rod.theta[3:]])
