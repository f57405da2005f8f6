"""A prototype whose true numbers are not those of its robot file, and what its markers show."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from continua.description import Robot, load_robot
from continua.identification import Motion, Parameter, ParameterSet, Poses, Predictor, parameter

ROOT = Path(__file__).parents[4]
TRUE = {
    'links.arm.material.youngs_modulus': 1.7e6,
    'links.arm.material.density': 1250.0,
    'tendons.*.friction': 0.17,
    'links.arm.material.damping': 4.1e3,
}


@dataclass(frozen=True)
class Prototype:
    """robot: of the file. true: with other numbers. Exact observations of the true one."""

    robot: Robot
    true: Robot
    parameters: tuple[Parameter, ...]
    values: np.ndarray
    poses: Poses
    motion: Motion

    def noisy(self, noise: float, seed: int) -> tuple[Poses, Motion]:
        random = np.random.default_rng(seed)
        return tuple(
            replace(each, marker=each.marker + noise * random.normal(size=each.marker.shape))
            for each in (self.poses, self.motion)
        )


@pytest.fixture(scope='session')
def prototype():
    robot = load_robot(ROOT / 'config/robots/sdre_prototype.yaml')
    parameters = tuple(parameter(robot, path) for path in TRUE)
    values = np.array(list(TRUE.values()))
    true = ParameterSet(robot, parameters).robot(values)
    weight = np.r_[0.0, 0.01, 0.03, np.zeros(5)]
    tension = np.r_[np.zeros(3), 1.0, 2.0, 3.0, 4.5, 6.0][:, None]
    time = np.arange(0.0, 0.8, 0.01)
    poses = Poses(tension, weight, np.zeros((8, 3, 3)), tuple(f'pose {i}' for i in range(8)))
    motion = Motion(time, 4.0 * np.exp(-time / 0.03)[:, None], np.zeros((time.size, 3, 3)), 'release')
    shown = Predictor(robot, poses, [motion])(true)
    return Prototype(
        robot, true, parameters, values, replace(poses, marker=shown[0]), replace(motion, marker=shown[1])
    )
