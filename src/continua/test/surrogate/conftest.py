"""A rod of two nodes, which is quick to simulate and to train on, and motions of it."""

from pathlib import Path

import numpy as np
import pytest

from continua.cosserat import CollocationRod
from continua.description import Robot, load_robot
from continua.surrogate.motions import SEGMENT, Motions

ROBOTS = next(p for p in Path(__file__).parents if (p / 'config/robots').is_dir()) / 'config/robots'
DT = 1.0 / 70.0


@pytest.fixture(scope='session')
def arm() -> Robot:
    return load_robot(ROBOTS / 'pneumatic_arm.yaml')


@pytest.fixture(scope='session')
def lying(arm) -> Robot:
    """The arm with its base on a wall: gravity acts across it."""
    flat = arm.base.model_copy(update={'orientation_xyzw': (0.0, 0.0, 0.0, 1.0)})
    return arm.model_copy(update={'base': flat})


@pytest.fixture(scope='session')
def rod(arm) -> CollocationRod:
    return CollocationRod(arm, nodes=2)


@pytest.fixture(scope='session')
def found(rod) -> Motions:
    """Twelve segments, from rest, under pressures that are held."""
    random = np.random.default_rng(0)
    u = np.repeat(random.uniform(0.0, 60e3, (12, 1, 3)), SEGMENT, axis=1)
    theta = np.tile(rod.theta, (12, 1))
    theta[:, 2] *= random.uniform(0.8, 1.2, 12)
    x = [np.tile(rod.statics(np.zeros(3)), (12, 1))]
    for k in range(SEGMENT):
        x.append(rod.step(x[-1], u[:, k], DT, theta))
    states = np.stack(x, axis=1).astype(np.float32)
    return Motions(states, u.astype(np.float32), theta[:, 2].astype(np.float32), DT)
