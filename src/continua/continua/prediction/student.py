"""The one-step network as a model for prediction, in place of the collocation rod that it learned from."""

from dataclasses import replace
from pathlib import Path

from continua.arrays import Arrays
from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.prediction.collocation import collocation_model
from continua.prediction.model import PredictionModel
from continua.surrogate.fingerprint import check_card
from continua.surrogate.one_step import OneStepNetwork

__all__ = ['student_model']


def student_model(robot: Robot, weights: Path, nodes: int = 6) -> PredictionModel:
    """The collocation model with the network of that file for its steps, all as long as those that it
    learned from; states, equilibria, positions and shapes stay the rod's. Raises ValueError where the network
    stands in for another rod.
    """
    network = OneStepNetwork.load(weights)
    check_card(network.card, CollocationRod(robot, nodes))
    model, single = collocation_model(robot, nodes), Arrays('numpy', 'float32')
    return replace(model, transition=single.wrap(network))
