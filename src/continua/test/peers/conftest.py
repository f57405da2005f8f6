"""What the tests against other codes share."""

from pathlib import Path

import pytest

from continua.description import load_robot

ROBOTS = next(p for p in Path(__file__).parents if (p / 'config/robots').is_dir()) / 'config/robots'


@pytest.fixture(scope='session')
def load():
    """Load a robot of config/robots by name."""
    return lambda name: load_robot(ROBOTS / f'{name}.yaml')
