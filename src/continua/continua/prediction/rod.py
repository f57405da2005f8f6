"""The rod engine as a model for prediction: state [q, qd], one state after the other."""

import numpy as np

from continua.description import Robot
from continua.prediction.model import PredictionModel
from continua.rod import Integrator, Rod

__all__ = ['rod_model']

# A state's next one is not to depend, visibly, on which state was stepped before it.
_TOLERANCE = 1e-9
_STATIONS = 31


def rod_model(robot: Robot) -> PredictionModel:
    """State: coordinates and their rates; no parameters. Raises ValueError for a robot with loops."""
    rod = Rod(robot)
    if rod.n_constraints:
        raise ValueError(f'robot {robot.name}: prediction needs independent coordinates; it has loops')
    motion, tip, n = Integrator(rod, _TOLERANCE), rod.sampler(np.array([rod.length])), rod.dof

    stations = np.linspace(0.0, rod.length, _STATIONS)

    def equilibrium(u: np.ndarray) -> np.ndarray:
        rest = rod.statics(u)
        return np.concatenate([rest.q, np.zeros(n)]) if rest.converged else np.full(2 * n, np.nan)

    def transition(x: np.ndarray, u: np.ndarray, parameters: np.ndarray, dt: float) -> np.ndarray:
        after = np.full_like(x, np.nan)
        for k in np.flatnonzero(np.isfinite(x).all(axis=1)):
            motion.reset(x[k, :n], x[k, n:])
            if motion.step(dt, u[k]):
                after[k, :n], after[k, n:] = motion.q, motion.qd
        return after

    return PredictionModel(
        id=rod.model_id,
        equilibrium=equilibrium,
        scale=np.concatenate([rod.scale, rod.scale * 2.0 * np.pi / rod.period]),
        parameter_names=(),
        parameters=np.zeros(0),
        input_names=rod.input_names,
        transition=transition,
        position=lambda x, parameters: np.array([tip.poses(each[:n])[1][0] for each in x]),
        orientation=lambda x, parameters: np.array([tip.shape(each[:n]).orientation_xyzw[0] for each in x]),
        shape=lambda x, parameters: rod.shape(x[:n], stations),
    )
