"""Stresses and wrenches against beam theory."""

import numpy as np
import pytest
from beams import AREA, INERTIA, LENGTH, MODULUS, RADIUS, TENDON, beam, tip_load

from continua.rod import Rod
from continua.rod.fields import section_wrench, skin_stress, strain_fields
from continua.rod.surface import outline

EI, SHEAR_MODULUS = MODULUS * INERTIA, MODULUS / 2.6
X = np.linspace(0.0, LENGTH, 9)


def skin_points(sides=4):
    section = beam('bending_y: 0').links[0].section
    return outline(section, X / LENGTH, sides)


def test_pure_bending_has_the_stress_of_navier():
    rod = Rod(beam('bending_y: 1, bending_z: 1'))
    moment = 0.4 * EI / LENGTH
    q = rod.statics(load=tip_load(rod, moment=(0, 0, moment))).q
    stress = skin_stress(rod, q, 'beam', X, skin_points())
    # points at +y, +z, -y, -z; the curvature kz compresses the side of +y, towards which it bends
    edge = MODULUS * (moment / EI) * RADIUS
    np.testing.assert_allclose(stress.axial, np.tile([-edge, 0, edge, 0], (9, 1)), atol=1e-8 * edge)
    np.testing.assert_allclose(stress.shear, 0.0, atol=1e-8 * edge)
    np.testing.assert_allclose(stress.von_mises, np.abs(stress.axial), atol=1e-7 * edge)


def test_torsion_has_the_shear_of_coulomb():
    rod = Rod(beam('torsion: 0'))
    torque = 0.01
    q = rod.statics(load=tip_load(rod, moment=(torque, 0, 0))).q
    stress = skin_stress(rod, q, 'beam', X, skin_points())
    edge = torque * RADIUS / (2 * INERTIA)
    np.testing.assert_allclose(stress.shear[:, 0], np.tile([0, edge], (9, 1)), atol=1e-9 * edge)
    np.testing.assert_allclose(stress.shear[:, 1], np.tile([-edge, 0], (9, 1)), atol=1e-9 * edge)
    np.testing.assert_allclose(stress.von_mises, np.sqrt(3) * edge, rtol=1e-9)


def test_a_tip_force_leaves_a_linear_moment():
    rod = Rod(beam('bending_y: 1, elongation: 0, shear_z: 0'))
    force = 1e-5 * EI / LENGTH**2
    q = rod.statics(load=tip_load(rod, force=(0, 0, force))).q
    wrench = section_wrench(rod, q, 'beam', X)
    # (L - X) ex x F ez = -(L - X) F ey
    np.testing.assert_allclose(wrench[:, 1], -(LENGTH - X) * force, atol=1e-8 * force * LENGTH)
    np.testing.assert_allclose(wrench[:, 5], force, rtol=1e-6)


def test_a_tendon_squeezes_the_body_as_much_as_it_pulls():
    tendon = TENDON.format(end=LENGTH, y=0.0, friction=0)
    rod = Rod(beam('elongation: 0', tendons=tendon))
    wrench = section_wrench(rod, rod.statics(np.array([3.0])).q, 'beam', X)
    np.testing.assert_allclose(wrench[:, 3], -3.0, rtol=1e-9)
    stress = skin_stress(rod, rod.statics(np.array([3.0])).q, 'beam', X, skin_points())
    np.testing.assert_allclose(stress.axial, -3.0 / AREA, rtol=1e-9)


def test_rates_add_the_viscous_part():
    rod = Rod(beam('bending_y: 0, elongation: 0', damping=500.0))
    qd = np.array([2.0, 0.1])
    strain, rate = strain_fields(rod, np.zeros(2), 'beam', X, qd)
    assert np.all(strain == 0.0)
    np.testing.assert_allclose(rate, np.tile([0, 2.0, 0, 0.1, 0, 0], (9, 1)), atol=1e-14)
    wrench = section_wrench(rod, np.zeros(2), 'beam', X, qd)
    # Trouton: 2 (1 + nu) times the shear viscosity
    np.testing.assert_allclose(wrench[:, 1], 2.6 * 500.0 * INERTIA * 2.0, rtol=1e-12)
    np.testing.assert_allclose(wrench[:, 3], 2.6 * 500.0 * AREA * 0.1, rtol=1e-12)
    stress = skin_stress(rod, np.zeros(2), 'beam', X, skin_points(), qd)
    # the curvature ky pulls at the side of +z
    np.testing.assert_allclose(stress.axial[:, 1], 2.6 * 500.0 * (0.1 + 2.0 * RADIUS), rtol=1e-12)


def test_an_unknown_link_is_refused():
    rod = Rod(beam('bending_y: 0'))
    with pytest.raises(ValueError, match="no link is named 'beem'; did you mean 'beam'"):
        section_wrench(rod, np.zeros(1), 'beem', X)
