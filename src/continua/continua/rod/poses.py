"""Poses of any sections of a robot: from its coordinates, or from the shape of its backbone alone.

Both are functions of arc lengths (m,) m and the links (m,) that these are on, and give rotations (m, 3, 3)
world <- section and positions (m, 3) m in the world.
"""

from collections.abc import Callable, Sequence

import numpy as np

from continua.description import Robot
from continua.lie.so3 import matrix_from_quaternion
from continua.rod.backbone import Backbone
from continua.rod.rod import Rod

__all__ = ['Poses', 'points_at', 'poses_of_coordinates', 'poses_of_shape']

Poses = Callable[[np.ndarray, Sequence[str]], tuple[np.ndarray, np.ndarray]]


def poses_of_coordinates(rod: Rod, q: np.ndarray) -> Poses:
    """At coordinates q (n,)."""
    return lambda arc_length, links: rod.sampler(arc_length, links).poses(q)


def poses_of_shape(robot: Robot, shape) -> Poses:
    """Along the backbone, linear between the sections of a shape, which has the attributes of `Shape`;
    NaN off the backbone."""
    backbone = Backbone(robot)
    R = matrix_from_quaternion(np.asarray(shape.orientation_xyzw))
    known = np.concatenate([np.asarray(shape.position), R.reshape(-1, 9)], axis=1)

    def poses(arc_length: np.ndarray, links: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        s = backbone.arc_length(links, arc_length)
        found = np.stack([np.interp(s, shape.arc_length, column) for column in known.T], axis=1)
        R = found[:, 3:].reshape(-1, 3, 3)
        return R / np.linalg.norm(R, axis=1, keepdims=True), found[:, :3]

    return poses


def points_at(poses: Poses, arc_length: np.ndarray, links: Sequence[str], offset: np.ndarray) -> np.ndarray:
    """Points (m, 3) m in the world at offsets (m, 2) m, y and z, in the sections at arc_length on links."""
    R, p = poses(np.asarray(arc_length, dtype=float), links)
    return p + np.einsum('mij,mj->mi', R[:, :, 1:], np.reshape(offset, (-1, 2)))
