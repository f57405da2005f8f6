"""What a robot looks like: the same from its coordinates and, where its backbone is all, from a shape."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.rod import Rod
from continua.rod.drawing import draw, draw_shape, skeleton

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'


def rod_of(name):
    return Rod(load_robot(ROBOTS / f'{name}.yaml'))


def test_markers_of_every_branch_are_where_the_file_puts_them():
    rod = rod_of('soft_legged_platform')
    markers = dict(zip(rod.robot.marker_names, draw(rod, np.zeros(rod.dof)).markers, strict=True))
    # legs upright, the corners of a triangle of 40 cm on the circle of 40 / sqrt(3) cm around the z axis
    for leg in ('leg_1', 'leg_2', 'leg_3'):
        assert markers[leg][2] == pytest.approx(0.15) and np.hypot(*markers[leg][:2]) == pytest.approx(
            0.2 / 3**0.5
        )
    for corner in ('corner_1', 'corner_2', 'corner_3'):
        assert markers[corner][2] == pytest.approx(0.3)
        assert np.hypot(*markers[corner][:2]) == pytest.approx(0.4 / 3**0.5)


@pytest.mark.parametrize('name', ['soft_legged_platform', 'hyper_redundant_arm', 'sdre_prototype'])
def test_every_link_disk_and_tendon_is_drawn_around_its_sections(name):
    rod = rod_of(name)
    q = 0.3 * rod.scale * np.random.default_rng(3).uniform(-1.0, 1.0, rod.dof)
    drawing = draw(rod, q)
    solids = drawing.soft | drawing.rigid
    assert set(solids) >= {link.name for link in rod.robot.links}
    for link in rod.robot.links:
        rings = solids[link.name].rings
        centre = rod.shape(q, np.linspace(0.0, link.length, len(rings)), link.name).position
        np.testing.assert_allclose(rings.mean(axis=1), centre, atol=1e-12)
        assert solids[link.name].volume > 0.0
        assert (link.name in drawing.soft) == (link.type == 'soft')
    assert tuple(drawing.tendons) == rod.robot.tendon_names
    for guides in rod.robot.disk_guides:
        sections = rod.shape(q, np.array(guides.arc_length), guides.link).position
        for i, section in enumerate(sections):
            disk = drawing.rigid[f'{guides.name}/{i + 1}']
            np.testing.assert_allclose(disk.vertices.mean(axis=0), section, atol=1e-12)


def test_struts_reach_from_a_lumped_body_to_what_it_holds():
    rod = rod_of('soft_legged_platform')
    q = 0.3 * rod.scale * np.random.default_rng(5).uniform(-1.0, 1.0, rod.dof)
    drawing = draw(rod, q)
    markers = dict(zip(rod.robot.marker_names, drawing.markers, strict=True))
    tops = {name: rod.shape(q, np.zeros(1), name).position[0] for name in ('leg_1', 'leg_2')}
    held = {f'platform/{name}' for name in ('leg_1', 'leg_2', 'corner_2', 'corner_3')}
    assert set(drawing.rigid) == {'platform', *held}
    for name in held:
        part = name.removeprefix('platform/')
        np.testing.assert_allclose(drawing.rigid[name].vertices[-1], (markers | tops)[part], atol=1e-12)
        assert drawing.rigid[name].volume > 0.0


def test_a_guided_tendon_runs_inside_its_disks():
    rod = rod_of('sdre_prototype')
    drawing = draw(rod, np.zeros(rod.dof))
    guides = rod.robot.disk_guides[0]
    radius = np.linalg.norm(
        drawing.rigid[f'{guides.name}/1'].rings[0] - drawing.rigid[f'{guides.name}/1'].vertices[-2], axis=1
    )
    for tendon in rod.robot.tendons:
        assert (
            np.linalg.norm(tendon.path.offset(np.array(guides.arc_length)), axis=1).max()
            <= radius.min() + 1e-9
        )


def test_a_shape_at_the_sections_of_the_skin_draws_a_single_link_as_its_coordinates_do():
    rod = rod_of('tendon_arm')
    q = 0.3 * rod.scale * np.random.default_rng(4).uniform(-1.0, 1.0, rod.dof)
    by_state, by_shape = draw(rod, q), draw_shape(rod.robot, rod.shape(q, np.linspace(0.0, rod.length, 41)))
    np.testing.assert_allclose(by_shape.soft['arm'].vertices, by_state.soft['arm'].vertices, atol=1e-12)
    for name, line in by_state.tendons.items():
        # between sections a shape knows the chord, whose sagitta is L^2 k / 8 with sections L apart
        np.testing.assert_allclose(by_shape.tendons[name], line, atol=3e-4)


def test_a_shape_tells_nothing_of_links_off_the_backbone():
    rod = rod_of('soft_legged_platform')
    shape = rod.shape(np.zeros(rod.dof), np.linspace(0.0, rod.length, 31))
    drawing = draw_shape(rod.robot, shape)
    # the platform's near part, which holds the legs, but not its far corner
    assert (list(drawing.soft), 'platform' in drawing.rigid) == (['leg_3', 'leg_2'], False)
    assert 'platform/leg_1' in drawing.rigid
    is_known = np.isfinite(drawing.markers).all(axis=1)
    assert list(is_known) == [False, True, True, False, True, True]


def test_a_skeleton_has_the_axis_of_every_link_and_what_a_body_holds():
    rod = rod_of('soft_legged_platform')
    q = 0.3 * rod.scale * np.random.default_rng(6).uniform(-1.0, 1.0, rod.dof)
    lines = skeleton(rod, q)
    assert len(lines) == 4 + 4  # three legs and the platform, and its struts
    for link, line in zip(rod.robot.links, lines, strict=False):
        X = np.linspace(0.0, link.length, len(line))
        np.testing.assert_allclose(line, rod.shape(q, X, link.name).position, atol=1e-12)
