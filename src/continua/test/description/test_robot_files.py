"""The robot files of this repository load, and are the robots that they say they are."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot, parse_robot

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'


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
