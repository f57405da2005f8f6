"""Snapshots that come block by block."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import subspace_angles

from continua.reduction import IncrementalDecomposition, decompose


def snapshots(rod, count, seed):
    random = np.random.default_rng(seed)
    return random.standard_normal((count, rod.dof)) * rod.scale * np.geomspace(1.0, 1e-3, rod.dof)


@settings(max_examples=30)
@given(blocks=st.lists(st.integers(0, 30), min_size=1, max_size=6), seed=st.integers(0, 2**32 - 1))
def test_blocks_give_what_all_at_once_gives(arm_rod, blocks, seed):
    if sum(blocks) == 0:
        blocks = [1]
    q = snapshots(arm_rod, sum(blocks), seed)
    stream = IncrementalDecomposition(arm_rod, 'energy')
    for block in np.split(q, np.cumsum(blocks)[:-1]):
        stream.update(block)
    found, batch = stream.result(), decompose(arm_rod, q, 'energy')
    assert stream.snapshots == len(q)
    assert np.allclose(
        found.singular_values, batch.singular_values, rtol=0, atol=1e-12 * batch.singular_values[0]
    )
    assert np.allclose(found.relative_energy, batch.relative_energy, rtol=1e-12)
    rank = min(len(q), 5)
    assert np.allclose(np.abs(found.projection[:rank] @ batch.modes[:, :rank]), np.eye(rank), atol=1e-7)


def test_kept_snapshots_give_the_bounds_of_modes_that_have_settled(arm_rod):
    q = snapshots(arm_rod, 600, 1)
    stream = IncrementalDecomposition(arm_rod)
    for block in np.split(q, 60):
        stream.update(block)
    found = stream.result()
    z = found.projection @ q.T
    exact = np.stack([z.min(axis=1), z.max(axis=1)], axis=1)
    assert found.coefficients.shape[1] <= 2 * arm_rod.dof
    assert np.all(exact[:, 0] <= found.bounds[:, 0]) and np.all(found.bounds[:, 1] <= exact[:, 1])
    assert np.allclose(found.bounds[:3], exact[:3], rtol=1e-12)


def test_few_kept_modes_are_nearly_the_best_where_the_rest_is_small(arm_rod):
    q = snapshots(arm_rod, 500, 2) @ np.diag(np.geomspace(1.0, 1e-6, arm_rod.dof))
    stream = IncrementalDecomposition(arm_rod, count=6)
    for block in np.split(q, 25):
        stream.update(block)
    found, batch = stream.result(), decompose(arm_rod, q, count=6)
    assert found.modes.shape == (arm_rod.dof, 6)
    assert np.allclose(found.singular_values[:3], batch.singular_values[:3], rtol=1e-4)
    assert subspace_angles(found.modes[:, :3], batch.modes[:, :3]).max() < 1e-2
    assert np.all(found.relative_energy <= 1.0 + 1e-12)


def test_what_cannot_be_taken_in_is_refused_with_a_sentence(arm_rod):
    with pytest.raises(ValueError, match="'range' needs all snapshots at once"):
        IncrementalDecomposition(arm_rod, 'range')
    with pytest.raises(ValueError, match='count: expected 1 to 22 modes, got 0'):
        IncrementalDecomposition(arm_rod, count=0)
    stream = IncrementalDecomposition(arm_rod)
    with pytest.raises(ValueError, match='no snapshot to decompose'):
        stream.result()
    with pytest.raises(ValueError, match=r'q: expected finite snapshots \(b, 22\)'):
        stream.update(np.full((2, 22), np.nan))
