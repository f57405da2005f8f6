"""Robots as filters and predictive controllers see them: many states, one step ahead, at once."""

from continua.prediction.collocation import collocation_model
from continua.prediction.model import PredictionModel
from continua.prediction.rod import rod_model

__all__ = ['MODELS', 'PredictionModel', 'collocation_model', 'rod_model']

MODELS = {'collocation': collocation_model, 'rod': rod_model}
