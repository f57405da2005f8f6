"""Snapshots of static shapes, and their modes in the inner product of elastic energy."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.reduction import energy_modes, static_snapshots
from continua.rod import Rod

ROBOT = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'sdre_arm.yaml')
COUNT = 20


@pytest.fixture(scope='module')
def rod():
    return Rod(ROBOT)


@pytest.fixture(scope='module')
def snapshots(rod):
    return static_snapshots(rod, COUNT, seed=3)


def test_snapshots_are_equilibria_that_the_seed_decides(rod, snapshots):
    assert snapshots.shape == (COUNT, rod.dof)
    assert np.array_equal(snapshots, static_snapshots(rod, COUNT, seed=3))
    assert not np.array_equal(snapshots, static_snapshots(rod, COUNT, seed=4))
    for q in snapshots[:5]:
        # some tension within the limits holds it: K q - F lies in the cone of the columns of B
        force = rod.stiffness @ q - rod.external_force(q)
        tension, *_ = np.linalg.lstsq(rod.actuation_matrix(q) * rod.scale[:, None], force * rod.scale)
        assert np.allclose(rod.actuation_matrix(q) @ tension, force, rtol=0, atol=1e-9 * np.abs(force).max())
        low, high = np.transpose([tendon.limits.tension for tendon in ROBOT.tendons])
        assert np.all((low - 1e-6 <= tension) & (tension <= high + 1e-6))


def test_modes_are_orthogonal_in_elastic_energy_and_ordered(rod, snapshots):
    modes = energy_modes(snapshots, rod.stiffness, rod.dof)
    assert np.allclose(modes.basis.T @ rod.stiffness @ modes.basis, np.eye(rod.dof), atol=1e-10)
    assert np.all(np.diff(modes.amplitude) <= 0)
    # the mean elastic energy about the mean shape is half the sum of the squared amplitudes
    away = snapshots - modes.mean
    energy = 0.5 * np.einsum('si,ij,sj->s', away, rod.stiffness, away).mean()
    assert 0.5 * np.sum(modes.amplitude**2) == pytest.approx(energy, rel=1e-10)


def test_all_modes_give_the_snapshots_back_and_their_ranges(rod, snapshots):
    modes = energy_modes(snapshots, rod.stiffness, rod.dof)
    coefficient = (snapshots - modes.mean) @ rod.stiffness @ modes.basis
    assert np.allclose(
        modes.mean + coefficient @ modes.basis.T, snapshots, atol=1e-9 * np.abs(snapshots).max()
    )
    assert np.allclose(coefficient.min(axis=0), modes.low, atol=1e-10)
    assert np.allclose(coefficient.max(axis=0), modes.high, atol=1e-10)


def test_few_modes_are_the_best_of_their_number(rod, snapshots):
    """Eckart and Young: what r modes leave is what the other singular values hold."""
    everything = energy_modes(snapshots, rod.stiffness, rod.dof).amplitude
    for r in (1, 3, 6):
        modes = energy_modes(snapshots, rod.stiffness, r)
        away = snapshots - modes.mean
        left = away - away @ rod.stiffness @ modes.basis @ modes.basis.T
        energy = np.einsum('si,ij,sj->s', left, rod.stiffness, left).mean()
        assert energy == pytest.approx(np.sum(everything[r:] ** 2), rel=1e-6)


def test_fewer_snapshots_than_modes_leave_modes_without_amplitude(rod, snapshots):
    modes = energy_modes(snapshots[:3], rod.stiffness, 5)
    assert np.allclose(modes.basis.T @ rod.stiffness @ modes.basis, np.eye(5), atol=1e-10)
    assert np.all(modes.amplitude[:2] > 0) and np.allclose(modes.amplitude[2:], 0, atol=1e-9)


def test_a_robot_without_any_equilibrium_is_refused_with_a_sentence():
    absurd = [
        tendon.model_copy(update={'limits': tendon.limits.model_copy(update={'tension': (1e300, 1.1e300)})})
        for tendon in ROBOT.tendons
    ]
    rod = Rod(ROBOT.model_copy(update={'tendons': tuple(absurd)}))
    with pytest.raises(ValueError, match='none of 2 random tensions has a static equilibrium'):
        static_snapshots(rod, 2)
