"""What the 3D view holds after a shape, tensions and markers were shown; no browser needed."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.rod import Rod
from continua.rod.drawing import draw, draw_shape
from continua_bringup.console.objects import shell
from continua_bringup.console.scene import ESTIMATE, RIGID, STALE, Scene

ROBOT_FILE = Path(__file__).resolve().parents[4] / 'config/robots/tendon_arm.yaml'
LENGTH, STATIONS, SIDES = 0.25, 41, 24


@pytest.fixture
def scene(server, robot, make_shape):
    return Scene(server, robot, draw_shape(robot, make_shape(0.0)))


@pytest.fixture
def show_estimate(scene, robot):
    def show(shape):
        scene.show_estimate(draw_shape(robot, shape), shape.position[-1])

    return show


def test_the_skin_has_the_taper_of_the_robot_file(show_estimate, server, make_shape):
    shape = make_shape(0.8, n=STATIONS)
    show_estimate(shape)
    handle = server.scene.get_handle_by_name('/estimate/soft')
    rings = handle.vertices[: STATIONS * SIDES].reshape(STATIONS, SIDES, 3)
    radius = np.linalg.norm(rings - shape.position[:, None].astype(np.float32), axis=-1)
    expected = np.interp(shape.arc_length, [0.0, LENGTH], [0.0125, 0.005])
    np.testing.assert_allclose(radius, np.tile(expected[:, None], SIDES), atol=1e-6)


def test_the_next_shape_moves_the_same_object(show_estimate, server, make_shape):
    show_estimate(make_shape(0.8))
    handle = server.scene.get_handle_by_name('/estimate/soft')
    before = handle.vertices.copy()
    show_estimate(make_shape(0.9, n=12))
    assert server.scene.get_handle_by_name('/estimate/soft') is handle
    assert np.abs(handle.vertices - before).max() > 1e-3


def test_a_closed_shell_has_sharp_ends(robot, make_shape):
    mesh = draw_shape(robot, make_shape(0.8)).soft['arm']
    vertices, faces = shell([mesh, mesh])
    assert faces.min() == 0 and faces.max() == len(vertices) - 1
    # the same surface, twice: the volume in closed, outward triangles by the divergence theorem
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    assert np.einsum('fi,fi->', a, np.cross(b, c)) / 6 == pytest.approx(2 * mesh.volume)
    side, ends = faces[: -2 * SIDES][: len(mesh.faces) - 2 * SIDES], faces[-2 * SIDES :]
    assert not set(side.ravel()) & set(ends.ravel())


def test_freshness_shows_in_the_colour_of_the_estimate_and_hides_the_truth(
    scene, show_estimate, server, robot, make_shape
):
    show_estimate(make_shape(0.8))
    scene.show_truth(draw_shape(robot, make_shape(0.8)))
    estimate, truth = (server.scene.get_handle_by_name(name) for name in ('/estimate/soft', '/truth'))
    scene.show_freshness(estimate=False, truth=False)
    assert (estimate.color, truth.visible) == (STALE, False)
    scene.show_freshness(estimate=True, truth=True)
    assert (estimate.color, truth.visible) == (ESTIMATE, True)


def test_tendons_run_at_their_offsets_over_their_range(show_estimate, server, robot, make_shape):
    shape = make_shape(0.8, n=STATIONS)
    show_estimate(shape)
    for tendon in robot.tendons:
        lines = server.scene.get_handle_by_name(f'/tendons/{tendon.name}').points
        ends = np.array(tendon.range)
        centre = np.stack([np.interp(ends, shape.arc_length, column) for column in shape.position.T], axis=1)
        offset = np.linalg.norm(tendon.path.offset(ends), axis=-1)
        # Between stations the centre line is a polyline: at most its sagitta away from the arc.
        distance = np.linalg.norm([lines[0, 0], lines[-1, 1]] - centre, axis=-1)
        np.testing.assert_allclose(distance, offset, atol=1e-5)
        np.testing.assert_array_equal(lines[1:, 0], lines[:-1, 1])


@pytest.mark.parametrize('name', ['soft_legged_platform', 'hyper_redundant_arm', 'sdre_prototype'])
def test_a_linkage_is_drawn_as_solids_and_a_cage_around_them(server, name):
    linkage = load_robot(ROBOT_FILE.with_name(f'{name}.yaml'))
    rod = Rod(linkage)
    scene = Scene(server, linkage, draw(rod, np.zeros(rod.dof)))
    drawing = draw(rod, 0.2 * rod.scale * np.random.default_rng(6).uniform(-1.0, 1.0, rod.dof))
    scene.show_estimate(drawing, rod.shape(np.zeros(rod.dof), np.array([rod.length])).position[0])
    scene.show_truth(drawing)
    solids = drawing.soft | drawing.rigid
    corners = server.scene.get_handle_by_name('/truth').points.reshape(-1, 3)
    for mesh in solids.values():
        for ring in mesh.rings[[0, -1]]:
            middle = ring.mean(axis=0)
            expected = middle + 1.03 * (ring - middle)
            assert np.linalg.norm(corners[:, None] - expected, axis=2).min(axis=0).max() < 1e-6
    drawn = [server.scene.get_handle_by_name(f'/estimate/{part}') for part in ('soft', 'rigid')]
    drawn = {part: handle for part, handle in zip(('soft', 'rigid'), drawn, strict=True) if handle}
    assert set(drawn) == {part for part in ('soft', 'rigid') if getattr(drawing, part)}
    assert drawn['rigid'].color == RIGID
    for part, handle in drawn.items():
        expected = np.concatenate([mesh.vertices for mesh in getattr(drawing, part).values()])
        for side in (np.min, np.max):
            np.testing.assert_allclose(side(handle.vertices, axis=0), side(expected, axis=0), atol=1e-6)


def test_tension_colours_the_tendon(scene, show_estimate, server, robot, make_shape):
    show_estimate(make_shape(0.8))
    tension = np.zeros(len(robot.tendons))
    tension[1] = robot.tendons[1].limits.tension[1]
    scene.show_tension(tension)
    slack, taut = (
        server.scene.get_handle_by_name(f'/tendons/{name}').colors for name in robot.tendon_names[:2]
    )
    red, green = 0, 1
    assert np.all(taut[..., red] > slack[..., red].max() + 50)
    assert np.all(taut[..., green] < slack[..., green].min())


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


def test_the_trail_follows_the_tip(show_estimate, server, make_shape):
    shapes = [make_shape(angle) for angle in (0.8, 0.85, 0.9)]
    for shape in shapes:
        show_estimate(shape)
    points = server.scene.get_handle_by_name('/tip_trail').points
    np.testing.assert_allclose(points[-1], [shapes[1].position[-1], shapes[2].position[-1]], atol=1e-6)
    np.testing.assert_allclose(points[:-2], np.broadcast_to(shapes[0].position[-1], (98, 2, 3)), atol=1e-6)
