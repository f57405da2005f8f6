"""Readings that are poses: how far one is from another."""

import numpy as np

__all__ = ['pose_difference']


def pose_difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Poses a (k, 7) seen from b (7,), (k, 6): the rotation vector from b to a in the frame of b, rad, then
    the difference of the positions, m.

    A pose is x, y, z in m and a unit quaternion xyzw; NaN passes through, rotation and position apart.
    """
    x, y, z, w = b[3:]
    conjugate = np.array([[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z], [x, y, z, w]])
    turn = a[:, 3:] @ conjugate.T
    turn *= np.where(turn[:, 3:] < 0.0, -1.0, 1.0)
    sine = np.linalg.norm(turn[:, :3], axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, turn[:, 3:])
    # For a small sine, angle / sine = 2 / cosine.
    factor = np.where(sine > 1e-9, angle / np.where(sine > 0.0, sine, 1.0), 2.0)
    return np.hstack([factor * turn[:, :3], a[:, :3] - b[:3]])
