"""The pneumatic arm, as it is and changed."""

from pathlib import Path

import pytest

from continua.cosserat import CollocationRod
from continua.description import Robot, load_robot

ROBOTS = next(p for p in Path(__file__).parents if (p / 'config/robots').is_dir()) / 'config/robots'


@pytest.fixture(scope='session')
def arm() -> Robot:
    return load_robot(ROBOTS / 'pneumatic_arm.yaml')


@pytest.fixture(scope='session')
def rod(arm) -> CollocationRod:
    return CollocationRod(arm)


@pytest.fixture(scope='session')
def changed(arm):
    """changed(change) -> the arm after change(data) of its file's data."""

    def change(edit) -> Robot:
        data = arm.model_dump(mode='json')
        edit(data)
        return Robot.model_validate(data)

    return change
