"""Where the tendons of a robot run, as polylines in the world."""

import numpy as np

from continua.lie.so3 import matrix_from_quaternion
from continua.rod.rod import Rod

__all__ = ['tendon_paths']


def tendon_paths(rod: Rod, q: np.ndarray, points: int = 50) -> dict[str, np.ndarray]:
    """Points (m, 3) m in the world of each tendon, by name, from its drive to its end, at q (n,).

    m is `points` for a tendon in the body; a cable has those that it runs through, straight in between.
    """
    paths = {}
    for tendon in rod.robot.tendons:
        waypoints = tendon.waypoints(rod.robot)
        if waypoints is None:
            X = np.linspace(*tendon.range, points)
            paths[tendon.name] = _places(rod, q, tendon.link, X, tendon.path.offset(X))
        else:
            places = [_places(rod, q, link, np.array([X]), np.array([yz])) for link, X, yz in waypoints]
            paths[tendon.name] = np.concatenate(places)
    return paths


def _places(rod: Rod, q: np.ndarray, link: str, X: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Points (m, 3) m in the world at offsets (m, 2) m in the sections at X (m,) m of a link."""
    shape = rod.shape(q, X, link)
    across = matrix_from_quaternion(shape.orientation_xyzw)[:, :, 1:]
    return shape.position + np.einsum('mij,mj->mi', across, offset)
