"""The robot files of this repository load, and are the robots that they say they are."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from continua.description import load_robot, parse_robot

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'

DOF = {
    'hyper_redundant_arm': 72,
    'sdre_arm': 15,
    'sdre_prototype': 3,
    'shape_estimation_prototype': 28,
    'single_tendon_arm': 22,
    'six_tendon_arm': 28,
    'soft_legged_platform': 57,
    'soft_legged_platform_half': 54,
    'tendon_arm': 22,
    'three_tendon_arm': 22,
}
"""Degrees of freedom: those of the papers where they say so."""


@pytest.mark.parametrize('path', sorted(ROBOTS.glob('*.yaml')), ids=lambda path: path.stem)
def test_loads_and_survives_writing(path):
    robot = load_robot(path)
    again = parse_robot(robot.to_yaml())
    assert robot.name == path.stem
    assert again == robot
    assert again.hash == robot.hash


def test_tendon_arm_is_the_demo():
    robot = load_robot(ROBOTS / 'tendon_arm.yaml')
    assert robot.links[0].strain_basis.dof == 22
    assert robot.tendon_names == ('long_1', 'long_2', 'long_3', 'short_1', 'short_2', 'short_3')
    assert robot.marker('m2').role == 'held_out'
    at_base = np.array([tendon.path.offset([0.0])[0] for tendon in robot.tendons])
    angles = np.degrees(np.arctan2(at_base[:, 1], at_base[:, 0])) % 360.0
    assert angles == pytest.approx([0.0, 120.0, 240.0, 60.0, 180.0, 300.0], abs=1e-3)
    assert np.hypot(*at_base.T) == pytest.approx(0.01, rel=1e-6)


@pytest.mark.parametrize('name', DOF)
def test_has_the_degrees_of_freedom_of_the_paper(name):
    assert load_robot(ROBOTS / f'{name}.yaml').dof == DOF[name]


def _pose(position, orientation_xyzw):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = Rotation.from_quat(orientation_xyzw).as_matrix(), position
    return pose


def _attached(robot, poses, name, attach):
    """Pose of a joint frame in the base frame, links straight and joints at zero."""
    along = np.eye(4)
    if name is not None:
        along[0, 3] = robot.link(name).length if attach.arc_length is None else attach.arc_length
    return poses[name] @ along @ _pose(attach.position, attach.orientation_xyzw)


@pytest.mark.parametrize('name', ['soft_legged_platform', 'soft_legged_platform_half'])
def test_loops_of_the_platforms_are_closed_at_rest(name):
    robot = load_robot(ROBOTS / f'{name}.yaml')
    poses = {None: np.eye(4)}
    for link in robot.links:
        poses[link.name] = _attached(robot, poses, link.parent, link.attach)
    assert len(robot.loops) == 2
    for loop in robot.loops:
        here = _attached(robot, poses, loop.link, loop.attach)
        there = _attached(robot, poses, loop.to, loop.to_attach)
        assert here == pytest.approx(there, abs=1e-14)


def test_platform_stands_on_the_middles_of_its_edges():
    robot = load_robot(ROBOTS / 'soft_legged_platform.yaml')
    poses = {None: np.eye(4)}
    for link in robot.links:
        poses[link.name] = _attached(robot, poses, link.parent, link.attach)
    platform = robot.link('platform')
    corners = [
        (poses['platform'] @ [marker.arc_length, *marker.offset, 1.0])[:3]
        for marker in robot.markers
        if marker.link == 'platform'
    ]
    edges = [np.linalg.norm(a - b) for a, b in zip(corners, np.roll(corners, 1, axis=0), strict=True)]
    assert edges == pytest.approx([0.4, 0.4, 0.4])
    centre = poses['platform'] @ [*platform.body.center_of_mass, 1.0]
    assert centre[:3] == pytest.approx([0.0, 0.0, 0.3], abs=1e-14)
    assert np.mean(corners, axis=0) == pytest.approx(centre[:3])
    for name in ('leg_1', 'leg_2'):
        top = poses[name][:3, 3]
        middles = [0.5 * (a + b) for a, b in zip(corners, np.roll(corners, 1, axis=0), strict=True)]
        assert min(np.linalg.norm(top - middle) for middle in middles) == pytest.approx(0.0, abs=1e-14)
        assert poses[name][:3, 0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-14)


def test_cables_of_the_hyper_redundant_arm():
    robot = load_robot(ROBOTS / 'hyper_redundant_arm.yaml')
    ends = [tendon.waypoints(robot)[-1][0] for tendon in robot.tendons]
    assert ends == ['body_24', 'body_12'] * 3
    offsets = np.array([tendon.waypoints(robot)[0][2] for tendon in robot.tendons])
    angles = np.degrees(np.arctan2(offsets[:, 1], offsets[:, 0])) % 360.0
    assert angles == pytest.approx(60.0 * np.arange(6), abs=1e-9)


def test_guided_tendons_run_from_the_drive_through_the_disks():
    robot = load_robot(ROBOTS / 'shape_estimation_prototype.yaml')
    waypoints = robot.tendon('short_1').waypoints(robot)
    assert [X for _, X, _ in waypoints] == pytest.approx([0.0, 0.025, 0.05, 0.075, 0.1, 0.125])
    for link, X, offset in waypoints:
        assert np.hypot(*offset) == pytest.approx(robot.link(link).radius(X) + 0.003)
