"""Robots as filters and predictive controllers see them: many states, one step ahead, at once."""

from pathlib import Path

from continua.description import Robot
from continua.prediction.collocation import collocation_model, linear_model
from continua.prediction.model import PredictionModel, Sections
from continua.prediction.rod import rod_model
from continua.prediction.student import student_model

__all__ = [
    'MODELS',
    'STUDENT',
    'PredictionModel',
    'Sections',
    'collocation_model',
    'linear_model',
    'make_model',
    'rod_model',
    'student_model',
]

# Those that a robot alone makes; the one-step network needs its weights too.
MODELS = {'collocation': collocation_model, 'linear': linear_model, 'gvs': rod_model}
STUDENT = 'student'


def make_model(name: str, robot: Robot, weights: str = '') -> PredictionModel:
    """One of `MODELS`, or the one-step network in the file `weights`.

    Raises ValueError where that file is not given, and as these do.
    """
    if name != STUDENT:
        return MODELS[name](robot)
    if not weights:
        raise ValueError(
            'weights: expected the file of a one-step network, got none; `continua train` makes one'
        )
    return student_model(robot, Path(weights))
