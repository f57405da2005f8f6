"""The collocation rod as a model for prediction, with the bending compliance as its parameter."""

import numpy as np
from scipy.spatial.transform import Rotation

from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.prediction.model import PredictionModel

__all__ = ['collocation_model']

_PARAMETER = 'bending_compliance'


def collocation_model(robot: Robot) -> PredictionModel:
    """State: the paper's 72. Raises ValueError for a robot that the collocation rod cannot represent."""
    rod = CollocationRod(robot)
    column = rod.parameter_names.index(_PARAMETER)

    def theta(parameters: np.ndarray) -> np.ndarray:
        values = np.tile(rod.theta, (len(parameters), 1))
        values[:, column] = parameters[:, 0]
        return values

    return PredictionModel(
        id=f'collocation-{rod.nodes}-{robot.hash}',
        equilibrium=rod.statics,
        scale=rod.scale,
        parameter_names=(_PARAMETER,),
        parameters=rod.theta[[column]],
        input_names=rod.input_names,
        transition=lambda x, u, parameters, dt: rod.step(x, u, dt, theta(parameters)),
        position=lambda x, parameters: rod.output(x, theta(parameters)),
        orientation=lambda x, parameters: Rotation.from_matrix(rod.pose(x, theta(parameters))[0]).as_quat(),
    )
