"""Which rod a network stands in for."""

import hashlib
from typing import Any

import numpy as np

from continua.cosserat import CollocationRod

__all__ = ['check_card', 'fingerprint']


def fingerprint(rod: CollocationRod) -> str:
    """Of what decides how states move: nodes, grid, and all numbers of the equations; not names, limits or
    where the robot stands."""
    own = rod.properties
    numbers = np.concatenate([own.vector(own.theta), own.pressure_wrench.ravel()])
    digest = hashlib.sha256(f'{rod.nodes} {rod.subintervals} '.encode())
    digest.update(np.char.mod('%.9e', numbers).tobytes())
    return f'collocation-{rod.nodes}-{digest.hexdigest()[:16]}'


def check_card(card: dict[str, Any], rod: CollocationRod) -> None:
    """Raises ValueError where a network of that card stands in for another rod."""
    if card.get('model') != fingerprint(rod):
        raise ValueError(
            f'{card.get("network", "network")}: expected one of {rod.robot.name} as it is '
            f'({fingerprint(rod)}), got one of {card.get("robot")} ({card.get("model")}); train it anew: '
            'continua train'
        )
