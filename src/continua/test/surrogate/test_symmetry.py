import numpy as np
import pytest

from continua.cosserat import CollocationRod
from continua.surrogate.symmetry import bending_direction, is_symmetric, mirror_signs, turned

torch = pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

DT = 1.0 / 70.0

# The robot file gives where the chambers are with seven digits.
_EXACT = {'rtol': 1e-6, 'atol': 1e-7}


def test_the_arm_is_symmetric_and_one_that_lies_is_not(arm, lying):
    assert is_symmetric(CollocationRod(arm))
    assert not is_symmetric(CollocationRod(lying))


def test_a_turned_state_moves_as_the_turned_motion(rod):
    random = np.random.default_rng(1)
    x = rod.statics(np.array([[50e3, 10e3, 0.0]])) + 0.02 * rod.scale * random.normal(size=(1, rod.n))
    direction = bending_direction(x, np)
    # A third of a turn takes each chamber to the next.
    third = np.array([[np.sin(2 * np.pi / 3), np.cos(2 * np.pi / 3)]])
    u = np.array([[30e3, 5e3, 20e3]])
    moved = turned(rod.step(x, u, DT), third, np)
    again = rod.step(turned(x, third, np), np.roll(u, 1, axis=1), DT)
    np.testing.assert_allclose(again / rod.scale, moved / rod.scale, atol=5e-3)
    still = turned(rod.residual(x, 0.0, u), third, np)
    np.testing.assert_allclose(
        rod.residual(turned(x, third, np), 0.0, np.roll(u, 1, axis=1)), still, **_EXACT
    )
    assert np.linalg.norm(direction) == pytest.approx(1.0)


def test_a_mirrored_state_moves_as_the_mirror_image(rod):
    x = 0.05 * rod.scale * np.random.default_rng(2).normal(size=(1, rod.n))
    signs, u = mirror_signs(rod.n), np.array([[30e3, 5e3, 20e3]])
    # The mirror keeps the first chamber and swaps the others.
    mirrored = rod.residual(x * signs, 0.0, u[:, [0, 2, 1]])
    np.testing.assert_allclose(mirrored, rod.residual(x, 0.0, u) * signs, **_EXACT)


def test_turning_ends_at_the_direction_and_back_undoes_it():
    x = np.random.default_rng(3).normal(size=(5, 24))
    direction = bending_direction(x, np)
    there = turned(x, direction, np)
    np.testing.assert_allclose(bending_direction(there, np), np.tile([0.0, 1.0], (5, 1)), atol=1e-12)
    np.testing.assert_allclose(turned(there, direction, np, back=True), x, atol=1e-12)
    as_torch = turned(torch.from_numpy(x), torch.from_numpy(direction), torch)
    np.testing.assert_allclose(as_torch.numpy(), there, atol=1e-14)


def test_a_straight_rod_has_a_direction():
    assert np.array_equal(bending_direction(np.zeros((1, 24)), np), [[0.0, 1.0]])
