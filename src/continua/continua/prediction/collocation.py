"""The collocation rod as a model for prediction, with the bending compliance as its parameter."""

from dataclasses import replace

import numpy as np
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.prediction.model import PredictionModel, Sections
from continua.prediction.tip_position import tip_position

__all__ = ['collocation_model', 'linear_model']

_PARAMETER = 'bending_compliance'


def collocation_model(robot: Robot, nodes: int = 6) -> PredictionModel:
    """State: 12 entries for each node, the paper's 72. Raises ValueError for a robot that the collocation rod
    cannot represent."""
    rod = CollocationRod(robot, nodes)
    column = rod.parameter_names.index(_PARAMETER)

    def theta(parameters: np.ndarray) -> np.ndarray:
        values = np.tile(rod.theta, (len(parameters), 1))
        values[:, column] = parameters[:, 0]
        return values

    return PredictionModel(
        id=f'collocation-{nodes}-{robot.hash}',
        equilibrium=rod.statics,
        scale=rod.scale,
        parameter_names=(_PARAMETER,),
        parameters=rod.theta[[column]],
        input_names=rod.input_names,
        transition=lambda x, u, parameters, dt: rod.step(x, u, dt, theta(parameters)),
        position=lambda x, parameters: rod.output(x, theta(parameters)),
        orientation=lambda x, parameters: Rotation.from_matrix(rod.pose(x, theta(parameters))[0]).as_quat(),
        shape=lambda x, parameters: _sections(rod, x, theta(parameters[None])[0]),
    )


def linear_model(robot: Robot, nodes: int = 6) -> PredictionModel:
    """The collocation rod linearised at rest (nempc section III-G), with the same states: a step is a product
    of matrices. The tip that they make is not linearised: at 30 kPa it is 2.5 mm off, not 34."""
    rod, full = CollocationRod(robot, nodes), collocation_model(robot, nodes)
    x0, steps = full.x0, {}
    A, B = rod.jacobian(x0, np.zeros(len(rod.input_names)))

    def over(dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Exact for inputs that are held."""
        if dt not in steps:
            held = expm(dt * np.block([[A, B], [np.zeros((B.shape[1], A.shape[1] + B.shape[1]))]]))
            steps.clear()
            steps[dt] = held[: len(A), : len(A)].T, held[: len(A), len(A) :].T
        return steps[dt]

    def transition(x: np.ndarray, u: np.ndarray, parameters: np.ndarray, dt: float) -> np.ndarray:
        by_x, by_u = over(dt)
        return x0 + (x - x0) @ by_x + u @ by_u

    return replace(
        full,
        equilibrium=lambda u: x0 - np.linalg.solve(A, B @ u),
        transition=transition,
        position=tip_position(rod, full.arrays),
    )


def _sections(rod: CollocationRod, x: np.ndarray, theta: np.ndarray) -> Sections:
    """Strains are those of the arcs between two sections, the last one's at the tip."""
    shape = rod.shape(x, theta)
    step = np.diff(shape.arc_length)[:, None]
    R, turns = shape.R[:-1], Rotation.from_matrix(np.swapaxes(shape.R[:-1], 1, 2) @ shape.R[1:])
    half = R @ Rotation.from_rotvec(0.5 * turns.as_rotvec()).as_matrix()
    stretch = np.einsum('sji,sj->si', half, np.diff(shape.position, axis=0))
    strain = np.hstack([turns.as_rotvec(), stretch]) / step
    return Sections(
        shape.arc_length,
        shape.position,
        Rotation.from_matrix(shape.R).as_quat(),
        np.vstack([strain, strain[-1:]]),
    )
