"""Where the tendons of a robot run, as polylines in the world."""

import numpy as np

from continua.lie.so3 import matrix_from_quaternion
from continua.rod.rod import Rod

__all__ = ['tendon_paths']


def tendon_paths(rod: Rod, q: np.ndarray, points: int = 50) -> dict[str, np.ndarray]:
    """Points (points, 3) m in the world of each tendon, by name, from its drive to its end, at q (n,)."""
    return {tendon.name: _in_the_body(rod, q, tendon, points) for tendon in rod.robot.tendons}


def _in_the_body(rod: Rod, q: np.ndarray, tendon, points: int) -> np.ndarray:
    X = np.linspace(*tendon.range, points)
    shape = rod.shape(q, X)
    across = matrix_from_quaternion(shape.orientation_xyzw)[:, :, 1:]
    return shape.position + np.einsum('mij,mj->mi', across, tendon.path.offset(X))
