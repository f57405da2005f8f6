"""A rod whose section, tip and gravity know no direction across it moves the same way when all is turned, or
mirrored, about its axis; a network that sees only states turned to one direction has that much less to learn.

Vectors are in groups of three, as in the states of the collocation rod, where linear ones (velocity, force)
and angular ones (angular velocity, moment) take turns.
"""

from typing import Any

import numpy as np

from continua.cosserat import CollocationRod

__all__ = ['bending_direction', 'is_symmetric', 'mirror_signs', 'turned']

_SMALL = 1e-12  # N m: the direction of a rod that is not bent


def is_symmetric(rod: CollocationRod) -> bool:
    """Whether the rod's equations stay the same after any turn about its axis."""
    own, quarter = rod.properties, np.kron(np.eye(2), [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    tensors = [np.diag(own.compliance), np.diag(own.damping), np.diag(own.inertia), own.tip_inertia]
    return bool(
        all(np.allclose(quarter @ each @ quarter.T, each, rtol=1e-6, atol=1e-12) for each in tensors)
        and np.allclose(own.gravity[:2], 0.0, atol=1e-6)
    )


def bending_direction(x: Any, functions: Any) -> Any:
    """Unit vectors (B, 2) along the sum of the moments across the rod of states x (B, n)."""
    triples = x.reshape(len(x), -1, 3)
    moment = triples[:, 1, :2] + triples[:, 3::4, :2].sum(1)
    mx, my = moment[:, :1], moment[:, 1:] + _SMALL
    return functions.concatenate([mx, my], -1) / functions.sqrt(mx * mx + my * my)


def turned(values: Any, direction: Any, functions: Any, back: bool = False) -> Any:
    """Vectors (B, 3 k) turned about z so that `direction` (B, 2) becomes (0, 1), or back."""
    triples = values.reshape(len(values), -1, 3)
    cosine, sine = direction[:, 1:], -direction[:, :1] if back else direction[:, :1]
    x, y = triples[..., 0], triples[..., 1]
    new = functions.stack([cosine * x - sine * y, sine * x + cosine * y, triples[..., 2]], -1)
    return new.reshape(values.shape)


def mirror_signs(n: int) -> np.ndarray:
    """Signs (n,) of a state's entries in the mirror that turns y into -y, which keeps moments along y."""
    return np.tile([1.0, -1.0, 1.0, -1.0, 1.0, -1.0], n // 6)
