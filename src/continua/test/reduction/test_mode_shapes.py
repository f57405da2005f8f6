"""Modes as strains along the backbone, with their families of shapes."""

import numpy as np
import pytest

from continua.reduction import decompose, hypercube, mode_shapes, static_snapshots


def test_a_mode_has_its_strains_and_the_shapes_of_its_coefficients(arm, arm_rod):
    found = decompose(arm_rod, static_snapshots(arm, hypercube([0.0] * 3, [5.0] * 3, 3)).q)
    first, second = mode_shapes(arm_rod, found, 2, members=3)
    z = found.bounds[0].mean()
    shape = arm_rod.shape(z * found.modes[:, 0], first.arc_length)
    reference = arm_rod.shape(np.zeros(22), first.arc_length)
    assert np.allclose(first.strain * z, shape.strain - reference.strain, atol=1e-9)
    assert np.allclose(first.family[1], shape.position, atol=1e-12)
    assert first.family.shape == (3, 101, 3)
    assert first.share == pytest.approx(found.relative_energy[0])
    assert second.share == pytest.approx(found.relative_energy[1] - found.relative_energy[0])
