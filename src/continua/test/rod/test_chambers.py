"""Fluid chambers against the forces that pressure exerts on their ends and walls."""

import numpy as np
import pytest
from linkages import LENGTH, MODULUS, RADIUS, robot, soft

from continua.rod import Rod

SECTION = np.pi * RADIUS**2
EI = MODULUS * np.pi * RADIUS**4 / 4.0
AREA, OFFSET = 20e-6, 0.005


def with_chambers(*offsets, **orders):
    common = {'link': 'beam', 'range': [0.0, LENGTH], 'area': AREA, 'limits': {'pressure': [0.0, 2e5]}}
    chambers = [
        common | {'name': f'chamber_{i}', 'path': {'type': 'linear', 'start': list(offset)}}
        for i, offset in enumerate(offsets)
    ]
    return Rod(robot(soft(**orders), gravity=[0.0] * 3, chambers=chambers))


def test_an_off_axis_chamber_bends_away_from_itself_and_stretches():
    pressure, rod = 500.0, with_chambers([OFFSET, 0.0], bending_z=1, elongation=0)
    result = rod.statics([pressure])
    assert result.converged
    assert result.q[0] == pytest.approx(-pressure * AREA * OFFSET / EI, rel=1e-9)
    assert result.q[2] == pytest.approx(pressure * AREA / (MODULUS * SECTION), rel=1e-9)
    assert rod.shape(result.q, np.array([LENGTH])).position[0, 1] < 0.0


def test_a_chamber_at_z_bends_about_y():
    pressure, rod = 500.0, with_chambers([0.0, OFFSET], bending_y=0)
    assert rod.statics([pressure]).q[0] == pytest.approx(pressure * AREA * OFFSET / EI, rel=1e-9)


def test_three_chambers_at_one_pressure_only_stretch():
    angles = 2.0 * np.pi * np.arange(3) / 3.0
    rod = with_chambers(
        *(OFFSET * np.stack([np.cos(angles), np.sin(angles)], axis=1)).tolist(),
        bending_y=1, bending_z=1, elongation=0,
    )  # fmt: skip
    result = rod.statics([2e4] * 3)
    assert result.q[4] == pytest.approx(3.0 * 2e4 * AREA / (MODULUS * SECTION), rel=1e-9)
    assert np.abs(result.q[:4]).max() < 1e-9 / LENGTH


def test_pressure_works_by_the_volume_of_the_chamber():
    """p dV, with the volume the area times the length of its axis in the bent body."""
    rod = with_chambers([OFFSET, 0.002], bending_y=0, bending_z=0, elongation=0)
    q = np.array([1.0, 2.0, 0.05])

    def volume(q):
        # constant strains: the chamber's axis at offset d stretches by lx + ky dz - kz dy
        return AREA * LENGTH * (1.0 + q[2] + q[0] * 0.002 - q[1] * OFFSET)

    slope = [(volume(q + e) - volume(q - e)) / 2e-4 for e in 1e-4 * np.eye(3)]
    assert np.allclose(rod.actuation_matrix(q)[:, 0], slope, rtol=1e-9)


def test_shear_and_twist_do_not_change_the_volume():
    """Walls move with the sections, so the volume is the area times the way along the normal (eq 7 of
    adaptive_nempc_ddpinn); a thread of that path would pull itself straight."""
    rod = with_chambers([OFFSET, 0.002], torsion=0, elongation=0, shear_y=0, shear_z=0)
    q = np.array([3.0, 0.05, 0.1, -0.2])
    assert rod.actuation_matrix(q)[:, 0] == pytest.approx([0.0, AREA * LENGTH, 0.0, 0.0], rel=1e-8, abs=1e-14)


def test_pressure_does_not_soften_torsion():
    angles = 2.0 * np.pi * np.arange(3) / 3.0
    places = (OFFSET * np.stack([np.cos(angles), np.sin(angles)], axis=1)).tolist()
    rod = with_chambers(*places, torsion=1, elongation=0)
    q = rod.statics([5e4] * 3).q
    slack, under_pressure = (rod.residual_derivatives(q, u=[p] * 3)[0] for p in (0.0, 5e4))
    assert under_pressure == pytest.approx(slack, rel=1e-12)


def test_a_chamber_over_a_part_bends_that_part():
    """With divisions that end where the chamber ends, the strain is exact: it jumps there."""
    cut, pressure = 0.3 * LENGTH, 500.0
    order = {'type': 'legendre', 'order': {'bending_z': 0}}
    parts = [{'end': end, 'strain_basis': order} for end in (cut, LENGTH)]
    chamber = {'name': 'bellows', 'link': 'beam', 'range': [0.0, cut], 'area': AREA}
    chamber |= {'path': {'type': 'linear', 'start': [OFFSET, 0.0]}, 'limits': {'pressure': [0.0, 1e5]}}
    q = Rod(robot(soft(divisions=parts), gravity=[0.0] * 3, chambers=[chamber])).statics([pressure]).q
    assert q[0] == pytest.approx(-pressure * AREA * OFFSET / EI, rel=1e-9)
    assert abs(q[1]) < 1e-9 * abs(q[0])


def test_inputs_are_tendons_chambers_and_force_drives_in_this_order():
    path = {'type': 'linear', 'start': [OFFSET, 0.0]}
    common = {'link': 'beam', 'range': [0.0, LENGTH], 'path': path}
    rod = Rod(
        robot(
            soft(bending_z=0, joint={'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}),
            drives=[{'name': 'motor', 'joint': 'beam', 'type': 'force', 'limits': {'effort': [-1.0, 1.0]}}],
            chambers=[common | {'name': 'air', 'area': AREA, 'limits': {'pressure': [0.0, 1e5]}}],
            tendons=[common | {'name': 'string', 'limits': {'tension': [0.0, 10.0]}}],
        )
    )
    assert rod.input_names == ('string', 'air', 'motor')
    B = rod.actuation_matrix(np.zeros(2))
    assert np.allclose(B, [[0.0, 0.0, 1.0], [OFFSET * LENGTH, -AREA * OFFSET * LENGTH, 0.0]], atol=1e-12)
