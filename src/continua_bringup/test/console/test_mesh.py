"""The skin of an arm and its tendons lie where the shape says."""

import numpy as np
import pytest

from continua_bringup.console import mesh

LENGTH, N, SIDES = 0.3, 25, 16


def arc(curvature=6.0):
    """Stations of an arc in the world's x-z plane that starts along x; curvature about -y."""
    s = np.linspace(0.0, LENGTH, N)
    angle = curvature * s
    position = np.stack([np.sin(angle) / curvature, 0 * s, (1 - np.cos(angle)) / curvature], axis=-1)
    orientation = np.stack([0 * s, -np.sin(angle / 2), 0 * s, np.cos(angle / 2)], axis=-1)
    return s, position, orientation


def test_section_axes_are_the_columns_of_the_rotation():
    quarter_about_z = [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]
    R = mesh.section_axes(np.array([quarter_about_z]))[0]
    np.testing.assert_allclose(R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)


def test_the_arc_of_these_tests_has_its_x_axis_along_the_tangent():
    s, position, orientation = arc()
    tangent = np.gradient(position, s, axis=0, edge_order=2)
    np.testing.assert_allclose(mesh.section_axes(orientation)[:, :, 0], tangent, atol=2e-3)


def test_tube_has_the_radius_of_each_station_around_its_centre():
    s, position, orientation = arc()
    radius = np.interp(s, [0, LENGTH], [0.02, 0.008])
    vertices = mesh.tube_vertices(position, orientation, radius, SIDES)
    rings = vertices[: N * SIDES].reshape(N, SIDES, 3) - position[:, None]
    np.testing.assert_allclose(np.linalg.norm(rings, axis=-1), np.tile(radius[:, None], SIDES), rtol=1e-12)
    tangent = mesh.section_axes(orientation)[:, :, 0]
    np.testing.assert_allclose(np.einsum('nsi,ni->ns', rings, tangent), 0.0, atol=1e-15)


def test_tube_is_closed_and_its_normals_point_outwards():
    _, position, orientation = arc()
    vertices = mesh.tube_vertices(position, orientation, np.full(N, 0.01), SIDES)
    faces = mesh.tube_faces(N, SIDES)
    assert faces.min() == 0 and faces.max() == len(vertices) - 1
    corners = vertices[faces]
    # Divergence theorem: the volume inside closed, outward triangles, here of a bent cylinder (Pappus) whose
    # circle is a polygon of SIDES corners.
    volume = np.einsum('fi,fi->', corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    area = 0.5 * SIDES * 0.01**2 * np.sin(2 * np.pi / SIDES)
    assert volume == pytest.approx(area * LENGTH, rel=5e-3)


def test_cage_edges_run_around_and_along():
    vertices = mesh.tube_vertices(*arc()[1:], np.full(N, 0.01), SIDES)
    edges = mesh.cage_edges(N, hoops=5, stringers=4, sides=SIDES)
    assert len(edges) == 5 * SIDES + 4 * (N - 1)
    length = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=-1)
    np.testing.assert_allclose(length[: 5 * SIDES], 2 * 0.01 * np.sin(np.pi / SIDES), rtol=1e-9)
    assert length[5 * SIDES :].max() < 1.1 * LENGTH / (N - 1)


@pytest.mark.parametrize('angle', [0.0, 1.0, 4.0])
def test_tendon_lies_at_its_offset_from_the_centreline(angle):
    s, position, orientation = arc()
    along = s[3:20]
    offset = np.tile(0.007 * np.array([np.cos(angle), np.sin(angle)]), (len(along), 1))
    points = mesh.tendon_polyline(s, position, orientation, along, offset)
    R = mesh.section_axes(orientation[3:20])
    local = np.einsum('mji,mj->mi', R, points - position[3:20])
    np.testing.assert_allclose(local, np.column_stack([0 * along, offset]), atol=1e-12)


def test_tendon_between_stations_keeps_its_distance():
    s, position, orientation = arc()
    along = np.linspace(0.05, 0.25, 37)
    offset = np.tile([0.0, 0.007], (len(along), 1))
    points = mesh.tendon_polyline(s, position, orientation, along, offset)
    centre = np.array([0.0, 0.0, 1 / 6.0])
    distance = np.linalg.norm(points - centre, axis=-1)
    # The tendon's offset along the section's z runs towards the centre of the circle of radius 1/6 m.
    np.testing.assert_allclose(distance, 1 / 6.0 - 0.007, rtol=1e-3)
