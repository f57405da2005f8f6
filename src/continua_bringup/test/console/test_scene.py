"""What the 3D view holds after a shape, tensions and markers were shown; no browser needed."""

import numpy as np
import pytest

from continua_bringup.console import mesh
from continua_bringup.console.scene import ESTIMATE, STALE, Scene

LENGTH = 0.25


@pytest.fixture
def scene(server, robot):
    return Scene(server, robot)


def test_the_skin_has_the_taper_of_the_robot_file(scene, server, make_shape):
    shape = make_shape(0.8)
    scene.show_estimate(shape)
    handle = server.scene.get_handle_by_name('/estimate')
    n = len(shape.arc_length)
    rings = handle.vertices[: n * 24].reshape(n, 24, 3)
    radius = np.linalg.norm(rings - shape.position[:, None].astype(np.float32), axis=-1)
    expected = np.interp(shape.arc_length, [0.0, LENGTH], [0.0125, 0.005])
    np.testing.assert_allclose(radius, np.tile(expected[:, None], 24), atol=1e-6)


def test_the_next_shape_moves_the_same_object(scene, server, make_shape):
    scene.show_estimate(make_shape(0.8))
    handle = server.scene.get_handle_by_name('/estimate')
    before = handle.vertices.copy()
    scene.show_estimate(make_shape(0.9))
    assert server.scene.get_handle_by_name('/estimate') is handle
    assert np.abs(handle.vertices - before).max() > 1e-3


def test_a_shape_of_other_stations_replaces_the_object(scene, server, make_shape):
    scene.show_estimate(make_shape(0.8, n=31))
    scene.show_truth(make_shape(0.8, n=31))
    scene.show_estimate(make_shape(0.8, n=12))
    scene.show_truth(make_shape(0.8, n=12))
    handle = server.scene.get_handle_by_name('/estimate')
    assert len(handle.vertices) == 12 * 24 + 2 * 24 + 2
    assert handle.faces.max() == len(handle.vertices) - 1
    assert np.isfinite(server.scene.get_handle_by_name('/truth').points).all()


def test_freshness_shows_in_the_colour_of_the_estimate_and_hides_the_truth(scene, server, make_shape):
    scene.show_estimate(make_shape(0.8))
    scene.show_truth(make_shape(0.8))
    estimate, truth = (server.scene.get_handle_by_name(name) for name in ('/estimate', '/truth'))
    scene.show_freshness(estimate=False, truth=False)
    assert (estimate.color, truth.visible) == (STALE, False)
    scene.show_freshness(estimate=True, truth=True)
    assert (estimate.color, truth.visible) == (ESTIMATE, True)


def test_tendons_run_at_their_offsets_over_their_range(scene, server, robot, make_shape):
    shape = make_shape(0.8)
    scene.show_estimate(shape)
    for tendon in robot.tendons:
        points = server.scene.get_handle_by_name(f'/tendons/{tendon.name}').points
        ends = np.array(tendon.range)
        centre = mesh.interpolate(shape.arc_length, shape.position, ends)
        offset = np.linalg.norm(tendon.path.offset(ends), axis=-1)
        # Between stations the centre line is a polyline: at most its sagitta away from the arc.
        np.testing.assert_allclose(np.linalg.norm(points[[0, -1]] - centre, axis=-1), offset, atol=1e-5)


def test_tension_colours_the_tendon(scene, server, robot, make_shape):
    scene.show_estimate(make_shape(0.8))
    tension = np.zeros(len(robot.tendons))
    tension[1] = robot.tendons[1].limits.tension[1]
    scene.show_tension(tension)
    slack, taut = (server.scene.get_handle_by_name(f'/tendons/{robot.tendons[i].name}').color for i in (0, 1))
    assert taut[0] > slack[0] + 50 and taut[1] < slack[1]


def test_markers_that_are_not_seen_are_not_drawn(scene, server, robot):
    n = len(robot.markers)
    position = np.arange(3.0 * n).reshape(n, 3)
    valid = np.arange(n) != 1
    scene.show_markers(position, valid)
    handle = server.scene.get_handle_by_name('/markers')
    np.testing.assert_array_equal(handle.batched_scales, valid.astype(np.float32))
    np.testing.assert_allclose(handle.batched_positions, position)
    roles = {marker.role for marker in robot.markers}
    assert len(np.unique(handle.batched_colors, axis=0)) == len(roles) == 2


def test_the_trail_follows_the_tip(scene, server, make_shape):
    shapes = [make_shape(angle) for angle in (0.8, 0.85, 0.9)]
    for shape in shapes:
        scene.show_estimate(shape)
    points = server.scene.get_handle_by_name('/tip_trail').points
    np.testing.assert_allclose(points[-1], [shapes[1].position[-1], shapes[2].position[-1]], atol=1e-6)
    np.testing.assert_allclose(points[:-2], np.broadcast_to(shapes[0].position[-1], (98, 2, 3)), atol=1e-6)
