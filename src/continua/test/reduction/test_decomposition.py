"""Modes of snapshots, against the plain decomposition of the stacked strains and against theory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import subspace_angles

from continua.reduction import decompose, static_snapshots
from continua.reduction.metrics import SECTIONS, metric_factor
from continua.rod import Rod
from continua.rod.strain_points import computational_points, equidistant_points

METRICS = ('sections', 'points', 'energy', 'range')


def random_snapshots(rod, count, seed=0):
    """Snapshots (s, n) of any size and direction, joints' angles and curvatures as a bent robot has them."""
    random = np.random.default_rng(seed)
    return random.standard_normal((count, rod.dof)) * rod.scale * np.geomspace(1.0, 1e-3, rod.dof)


def points_of(rod, metric):
    return equidistant_points(rod, SECTIONS) if metric == 'sections' else computational_points(rod)


@pytest.mark.parametrize('metric', ['sections', 'points'])
@pytest.mark.parametrize('count', [10, 200])
def test_it_is_the_plain_decomposition_of_the_stacked_strains(any_rod, metric, count):
    q = random_snapshots(any_rod, count)
    points = points_of(any_rod, metric)
    stacked = (points.strain(q) - points.reference).reshape(count, -1).T  # Xi of eqs 16 and 20
    U, sigma, Vt = np.linalg.svd(stacked, full_matrices=False)
    rank = min(count, any_rod.dof)
    found = decompose(any_rod, q, metric)
    assert np.allclose(found.singular_values[:rank], sigma[:rank], rtol=1e-10, atol=0)
    shown = np.einsum('pij,jr->pir', points.basis, found.modes).reshape(-1, any_rod.dof)
    assert subspace_angles(shown[:, :rank], U[:, :rank]).max() < 1e-6
    for r in range(1, 6):
        # one by one they are the left singular vectors, of either sign, and their coefficients are Sigma V^T
        sign = np.sign(shown[:, r - 1] @ U[:, r - 1])
        assert np.allclose(sign * shown[:, r - 1], U[:, r - 1], atol=1e-8)
        assert np.allclose(
            sign * found.coefficients[r - 1], sigma[r - 1] * Vt[r - 1], atol=1e-8 * sigma[r - 1]
        )
        energy = np.sum(sigma[:r] ** 2) / np.sum(sigma**2)
        assert found.relative_energy[r - 1] == pytest.approx(energy, rel=1e-12)


def test_the_strain_basis_is_that_of_the_model(any_rod):
    """Strains at sections are those of the shape; twists of joints are as large as the coordinates."""
    points, q = equidistant_points(any_rod, 7), random_snapshots(any_rod, 1)[0]
    strain = points.strain(q[None])[0]
    for link in set(points.link[~points.is_joint]):
        mine = (points.link == link) & ~points.is_joint
        expected = any_rod.shape(q, points.arc_length[mine], str(link)).strain
        assert np.allclose(strain[mine], expected, rtol=0, atol=1e-9)
    joints = strain[points.is_joint]
    total = sum(link.joint.dof for link in any_rod.robot.links)
    assert np.sum(joints**2) == pytest.approx(np.sum(q[any_rod.strain_index < 0] ** 2))
    assert np.sum(any_rod.strain_index < 0) == total


@pytest.mark.parametrize('metric', METRICS)
@settings(max_examples=20)
@given(count=st.integers(1, 40), seed=st.integers(0, 2**32 - 1))
def test_all_modes_are_a_basis_and_give_the_snapshots_back(arm_rod, metric, count, seed):
    q = random_snapshots(arm_rod, count, seed)
    found = decompose(arm_rod, q, metric)
    factor = metric_factor(arm_rod, metric, q)
    identity = np.eye(arm_rod.dof)
    assert np.allclose((factor @ found.modes).T @ (factor @ found.modes), identity, atol=1e-9)
    assert np.allclose(found.projection @ found.modes, identity, atol=1e-9)
    assert np.allclose(found.projection @ q.T, found.coefficients, atol=1e-9 * found.singular_values[0])
    size = np.abs(q).max(axis=0)
    assert np.all(np.abs(found.coefficients.T @ found.modes.T - q) <= 1e-7 * size + 1e-12)
    assert np.all(np.diff(found.singular_values) <= 1e-12 * found.singular_values[0])
    assert found.relative_energy[-1] == pytest.approx(1.0, rel=1e-12)
    z = found.coefficients
    assert np.all((found.bounds[:, :1] <= z) & (z <= found.bounds[:, 1:]))
    assert np.all(found.bounds[:, 0] == z.min(axis=1)) and np.all(found.bounds[:, 1] == z.max(axis=1))


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), r=st.integers(1, 21))
def test_few_modes_are_the_best_of_their_number(arm_rod, seed, r):
    """Eckart and Young: what r modes leave is what the other singular values hold."""
    q = random_snapshots(arm_rod, 30, seed)
    everything, few = decompose(arm_rod, q, 'energy'), decompose(arm_rod, q, 'energy', r)
    left = q - (few.modes @ few.projection @ q.T).T
    energy = np.einsum('si,ij,sj->', left, arm_rod.stiffness, left)
    # the singular values have the rounding errors of the largest
    assert energy == pytest.approx(
        np.sum(everything.singular_values[r:] ** 2), rel=1e-6, abs=1e-20 * everything.singular_values[0] ** 2
    )


def test_energy_is_that_of_the_model(arm_rod):
    q = random_snapshots(arm_rod, 7)
    energy = sum(arm_rod.energy(each, np.zeros(arm_rod.dof), gravity=False) for each in q)
    found = decompose(arm_rod, q, 'energy')
    assert 0.5 * np.sum(found.singular_values**2) == pytest.approx(energy, rel=1e-10)


def test_by_range_every_kind_of_strain_counts_alike_whatever_its_unit(arm_rod):
    q = random_snapshots(arm_rod, 50)
    louder = q.copy()
    shear = arm_rod.strain_index == 4
    louder[:, shear] *= 1e-5
    quiet, loud = decompose(arm_rod, q, 'range'), decompose(arm_rod, louder, 'range')
    assert np.allclose(quiet.singular_values, loud.singular_values, rtol=1e-8)
    assert not np.allclose(
        decompose(arm_rod, q).singular_values, decompose(arm_rod, louder).singular_values, rtol=1e-3
    )


def test_what_does_not_vary_is_not_blown_up_by_range(arm_rod):
    q = random_snapshots(arm_rod, 50)
    q[:, arm_rod.strain_index != 1] *= 1e-14
    found = decompose(arm_rod, q, 'range')
    bending = np.sum(arm_rod.strain_index == 1)
    assert found.relative_energy[bending - 1] == pytest.approx(1.0, abs=1e-12)


def test_fewer_snapshots_than_coordinates_leave_modes_without_coefficients(arm_rod):
    found = decompose(arm_rod, random_snapshots(arm_rod, 3))
    assert np.all(found.singular_values[:3] > 0.0)
    assert np.allclose(found.coefficients[3:], 0.0, atol=1e-10 * found.singular_values[0])


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_projections_find_the_same_modes(arm_rod, seed):
    q = random_snapshots(arm_rod, 400, seed)
    exact, found = decompose(arm_rod, q, count=5), decompose(arm_rod, q, count=5, randomized=True, seed=seed)
    assert np.allclose(found.singular_values, exact.singular_values, rtol=1e-4)
    assert np.allclose(found.relative_energy, exact.relative_energy, rtol=1e-6)
    again = decompose(arm_rod, q, count=5, randomized=True, seed=seed)
    assert np.array_equal(found.modes, again.modes)


def test_one_planar_tendon_has_one_mode(arm):
    """Section IV-A: without gravity all equilibria under one planar tendon are multiples of one mode."""
    single = arm.model_copy(update={'tendons': arm.tendons[:1]})
    snapshots = static_snapshots(single, np.linspace(-5.0, 5.0, 21)[:, None], gravity=False)
    found = decompose(Rod(single), snapshots.q)
    assert found.relative_energy[0] > 1.0 - 1e-5
    assert found.singular_values[0] > 100.0 * found.singular_values[1]


def test_what_cannot_be_decomposed_is_refused_with_a_sentence(arm_rod, platform):
    with pytest.raises(ValueError, match=r'q: expected finite snapshots \(s, 22\)'):
        decompose(arm_rod, np.zeros((4, 21)))
    with pytest.raises(ValueError, match='count: expected 1 to 22 modes, got 23'):
        decompose(arm_rod, np.zeros((4, 22)), count=23)
    with pytest.raises(ValueError, match="metric: expected one of sections, points, energy, range, got 'e'"):
        decompose(arm_rod, np.zeros((4, 22)), 'e')
    rod = Rod(platform)
    with pytest.raises(ValueError, match='metric energy: some coordinates of soft_legged_platform'):
        decompose(rod, random_snapshots(rod, 4), 'energy')
