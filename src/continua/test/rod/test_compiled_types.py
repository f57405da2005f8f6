"""`continua compile` prepares the very kernels that the robots of config/robots use."""

from pathlib import Path

import numba
import pytest

from continua.cli.compile import _ROBOT
from continua.description import load_robot, parse_robot
from continua.rod import Rod

ROBOTS = Path(__file__).resolve().parents[4] / 'config' / 'robots'


@pytest.mark.parametrize('file', sorted(ROBOTS.glob('*.yaml')), ids=lambda file: file.stem)
def test_every_robot_has_the_types_of_the_smallest_one(file):
    """numba compiles all kernels anew for every combination of array layouts, for a minute or more."""
    smallest = numba.typeof(Rod(parse_robot(_ROBOT))._model)
    assert numba.typeof(Rod(load_robot(file))._model) == smallest
