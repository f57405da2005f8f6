"""Robots of the tests: a soft one, one of rigid bodies, and a hybrid that closes loops."""

from pathlib import Path

import numpy as np
import pytest

from continua.description import load_robot
from continua.rod import Rod

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'


@pytest.fixture(scope='session')
def arm():
    """One soft link, three tendons, 22 coordinates."""
    return load_robot(ROBOTS / 'three_tendon_arm.yaml')


@pytest.fixture(scope='session')
def arm_rod(arm):
    return Rod(arm)


@pytest.fixture(scope='session')
def platform():
    """Three soft legs and a rigid triangle on revolute joints without springs, two loops, 57 coordinates."""
    return load_robot(ROBOTS / 'soft_legged_platform.yaml')


@pytest.fixture(scope='session', params=['three_tendon_arm', 'hyper_redundant_arm', 'soft_legged_platform'])
def any_rod(request):
    return Rod(load_robot(ROBOTS / f'{request.param}.yaml'))


class _WithoutSolution:
    """Two cases that no model solves."""

    def robot(self, robot):
        return robot

    def solve(self, rod):
        return np.full((2, rod.dof), np.nan)


@pytest.fixture
def without_solution():
    return _WithoutSolution()
