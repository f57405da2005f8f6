"""Meshes of the skin: closed, and of the volume of the body."""

import numpy as np
import pytest
from beams import AREA, LENGTH, beam

from continua.rod import Rod
from continua.rod.poses import poses_of_coordinates
from continua.rod.surface import loft, outline, skins

POLYGON = 24 / (2 * np.pi) * np.sin(2 * np.pi / 24)  # area of a polygon of 24 sides by that of its circle


def is_closed(mesh):
    """Every edge has one triangle on each side."""
    edges = np.concatenate([mesh.faces[:, [i, j]] for i, j in ((0, 1), (1, 2), (2, 0))])
    there = {tuple(edge) for edge in edges}
    return len(there) == len(edges) and there == {(b, a) for a, b in there}


def test_a_straight_body_has_the_volume_of_a_prism():
    rod = Rod(beam('bending_y: 2'))
    mesh = skins(rod.robot, poses_of_coordinates(rod, np.zeros(rod.dof)))['beam']
    assert is_closed(mesh)
    assert mesh.volume == pytest.approx(POLYGON * AREA * LENGTH, rel=1e-12)


def test_a_tapered_body_has_the_volume_of_a_frustum():
    rod = Rod(beam('bending_y: 2', radius=[0.01, 0.004]))
    mesh = skins(rod.robot, poses_of_coordinates(rod, np.zeros(rod.dof)))['beam']
    expected = POLYGON * np.pi * LENGTH / 3 * (0.01**2 + 0.01 * 0.004 + 0.004**2)
    assert is_closed(mesh)
    assert mesh.volume == pytest.approx(expected, rel=1e-12)


def test_a_bent_body_keeps_its_volume():
    # Pappus: the centroid's way is the length; the mesh comes near with the square of the stations' distance
    rod = Rod(beam('bending_y: 0'))
    error = []
    for stations in (21, 41):
        mesh = skins(rod.robot, poses_of_coordinates(rod, np.array([1.5 / LENGTH])), stations)['beam']
        assert is_closed(mesh)
        error.append(1.0 - mesh.volume / (POLYGON * AREA * LENGTH))
    assert error[1] == pytest.approx(error[0] / 4, rel=0.05)
    assert 0.0 < error[1] < 1e-3


def test_the_skin_is_at_the_radius():
    rod = Rod(beam('bending_y: 1, bending_z: 1'))
    q = np.array([3.0, -1.0, 2.0, 0.5])
    mesh = skins(rod.robot, poses_of_coordinates(rod, q), stations=11, sides=8)['beam']
    centre = rod.shape(q, np.linspace(0.0, LENGTH, 11)).position
    distance = np.linalg.norm(mesh.rings - centre[:, None], axis=2)
    np.testing.assert_allclose(distance, 0.008, rtol=1e-12)


def test_sections_of_other_forms_have_their_area():
    from types import SimpleNamespace as Section

    fraction = np.array([0.0, 0.5, 1.0])
    rod = Rod(beam('bending_y: 0'))
    R, p = rod.sampler(LENGTH * fraction).poses(np.zeros(1))
    box = outline(Section(shape='rectangular', width=(0.02, 0.01), height=(0.004, 0.004)), fraction)
    assert loft(R, p, box).volume == pytest.approx(0.015 * 0.004 * LENGTH, rel=1e-12)
    axes = Section(y=(0.01, 0.01), z=(0.005, 0.005))
    ellipse = outline(Section(shape='elliptical', semi_axes=axes), fraction)
    assert loft(R, p, ellipse).volume == pytest.approx(POLYGON * np.pi * 0.01 * 0.005 * LENGTH, rel=1e-12)
