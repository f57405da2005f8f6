"""Robots as filters and predictive controllers see them: many states, one step ahead, at once."""

from continua.prediction.collocation import collocation_model, linear_model
from continua.prediction.model import PredictionModel, Sections
from continua.prediction.rod import rod_model

__all__ = ['MODELS', 'PredictionModel', 'Sections', 'collocation_model', 'linear_model', 'rod_model']

MODELS = {'collocation': collocation_model, 'linear': linear_model, 'gvs': rod_model}
