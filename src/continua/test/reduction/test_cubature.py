"""Rules of few points: that they integrate like all, what they cost, and what they do to the tip."""

import numpy as np
import pytest

from continua.reduction import Equilibria, cubature, decompose, hypercube, static_snapshots
from continua.rod import Rod
from continua.rod.integrands import count_points, gauss_rules, integrands

INPUTS = np.random.default_rng(4).uniform(0.0, 4.0, (5, 3))
TIP = [(None, 0.25)]


@pytest.fixture(scope='module')
def few(arm, arm_rod):
    snapshots = static_snapshots(arm, hypercube([0.0] * 3, [5.0] * 3, 4))
    return decompose(arm_rod, snapshots.q, count=4)


def test_integrands_integrate_to_the_matrices_of_the_model(arm):
    X, weight = gauss_rules(Rod(arm), 12)['arm']
    rod = Rod(arm, points={'arm': (X, weight)})
    dense = Rod(arm, points={'arm': (X, np.ones(X.size))})
    q = 0.3 * rod.scale * np.random.default_rng(0).standard_normal(22)
    found = integrands(dense, q)
    for density, expected in (
        (found.mass, rod.mass_matrix(q)),
        (found.weight, rod.external_force(q)),
        (found.pull, rod.actuation_matrix(q)),
    ):
        total = np.tensordot(weight, density, axes=1)
        assert np.allclose(total, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize('limit', [2e-3, 2e-4])
def test_fewer_points_keep_the_tip_within_the_limit(arm, few, limit):
    found = cubature(arm, few.modes, few.coefficients.T, Equilibria(INPUTS), TIP, limit)
    X, weight = found.rules['arm']
    assert found.points == np.sum(weight > 0.0) < found.full_points == 8
    assert np.all(weight >= 0.0) and weight.sum() == pytest.approx(0.25, rel=1e-2)
    assert np.all((X > 0.0) & (X <= 0.25))
    cheap, full = Rod(arm, points=found.rules, modes=few.modes), Rod(arm, modes=few.modes)
    assert cheap.arc_length.size < full.arc_length.size and count_points(cheap) == found.points
    away = [
        np.linalg.norm(
            np.diff([rod.shape(rod.statics(u).q, [0.25]).position[0] for rod in (cheap, full)], axis=0)
        )
        for u in INPUTS
    ]
    assert np.mean(away) == pytest.approx(found.error, rel=1e-6)
    assert found.error <= limit


def test_a_smaller_error_takes_more_points(arm, few):
    errors = [
        cubature(arm, few.modes, few.coefficients.T, Equilibria(INPUTS), TIP, limit)
        for limit in (1e-2, 1e-3, 1e-4)
    ]
    points = [each.points for each in errors]
    assert points == sorted(points) and points[0] < points[-1]


def test_where_nothing_is_gained_there_is_no_rule(arm, few):
    assert cubature(arm, few.modes, few.coefficients.T, Equilibria(INPUTS), TIP, 0.0) is None


def test_the_mass_matrix_of_the_rules_is_positive_definite_and_near_that_of_all_points(arm, few):
    found = cubature(arm, few.modes, few.coefficients.T, Equilibria(INPUTS), TIP, 5e-4)
    cheap, full = Rod(arm, points=found.rules, modes=few.modes), Rod(arm, modes=few.modes)
    for z in few.coefficients.T[::7]:
        M, exact = cheap.mass_matrix(z), full.mass_matrix(z)
        assert np.linalg.eigvalsh(M)[0] > 0.0
        assert np.linalg.norm(M - exact) < 0.02 * np.linalg.norm(exact)


def test_cases_without_a_solution_are_refused_with_a_sentence(arm, few, without_solution):
    with pytest.raises(ValueError, match='the reduced model has no solution in some of the cases'):
        cubature(arm, few.modes, few.coefficients.T, without_solution, TIP, 1e-3)
