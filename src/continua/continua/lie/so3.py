"""Rotations: the scalar functions of the angle, and quaternions.

All maps of this library are power series in `hat(w)` whose coefficients depend on `x = |w|^2` alone:

    exp(w)  = I + s hat(w) + b1 hat(w)^2,      s = sin|w| / |w|
    dexp(-w) = I - b1 hat(w) + b2 hat(w)^2,    b1 = (1 - cos|w|) / x,   b2 = (1 - s) / x

with the derivatives of b1 and b2 in x taken from their Taylor series for |w| < 1, where the closed forms
cancel, and from recursions beyond.
"""

import math

import numpy as np

from continua.jit import inner, njit

__all__ = ['coefficients', 'matrix_from_quaternion', 'quaternion_from_matrix', 'rotation_vector']

# Taylor coefficients of b1 and b2 in x; 11 terms leave a remainder below 1e-21 at x = 1.
_TERMS = 11
_B1 = np.array([(-1) ** k / math.factorial(2 * k + 2) for k in range(_TERMS)])
_B2 = np.array([(-1) ** k / math.factorial(2 * k + 3) for k in range(_TERMS)])


@inner
def _series(c: np.ndarray, x: float) -> tuple[float, float, float, float]:
    """Value and first three derivatives of sum c[k] x^k (Horner)."""
    f, df, ddf, dddf = c[-1], 0.0, 0.0, 0.0
    for k in range(c.size - 2, -1, -1):
        dddf = dddf * x + 3.0 * ddf
        ddf = ddf * x + 2.0 * df
        df = df * x + f
        f = f * x + c[k]
    return f, df, ddf, dddf


@njit
def coefficients(x: float):
    """b1 and b2 with their first three derivatives in x = |w|^2 (rad^2): two tuples of four numbers."""
    if x < 1.0:
        return _series(_B1, x), _series(_B2, x)
    angle = math.sqrt(x)
    s = math.sin(angle) / angle
    c = math.cos(angle)
    s1 = 0.5 * (c - s) / x
    s2 = 0.5 * (-0.5 * s - 3.0 * s1) / x
    s3 = 0.5 * (-0.5 * s1 - 5.0 * s2) / x
    b1 = (1.0 - c) / x
    b1_1 = (0.5 * s - b1) / x
    b1_2 = (0.5 * s1 - 2.0 * b1_1) / x
    b1_3 = (0.5 * s2 - 3.0 * b1_2) / x
    b2 = (1.0 - s) / x
    b2_1 = (-s1 - b2) / x
    b2_2 = (-s2 - 2.0 * b2_1) / x
    b2_3 = (-s3 - 3.0 * b2_2) / x
    return (b1, b1_1, b1_2, b1_3), (b2, b2_1, b2_2, b2_3)


def matrix_from_quaternion(xyzw: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), xyzw."""
    x, y, z, w = np.moveaxis(np.asarray(xyzw, dtype=float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_from_matrix(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (..., 4), xyzw with w >= 0, of rotation matrices (..., 3, 3).

    Takes the largest of the four candidates for each matrix (Shepperd's method), so no division by a
    small number occurs.
    """
    R = np.asarray(R, dtype=float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    a, b, c = R[..., 2, 1], R[..., 0, 2], R[..., 1, 0]
    d, e, f = R[..., 1, 2], R[..., 2, 0], R[..., 0, 1]
    rows = [
        [1 + xx - yy - zz, c + f, b + e, a - d],
        [c + f, 1 - xx + yy - zz, a + d, b - e],
        [b + e, a + d, 1 - xx - yy + zz, c - f],
        [a - d, b - e, c - f, 1 + xx + yy + zz],
    ]
    candidates = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    best = np.argmax(np.stack([xx - yy - zz, yy - xx - zz, zz - xx - yy, xx + yy + zz], -1), axis=-1)
    q = np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., 3:] < 0, -q, q)


@inner
def rotation_vector(R: np.ndarray, out: np.ndarray) -> None:
    """out[:3] rad: the logarithm of the rotation R (3, 3); not unique at half a turn."""
    x, y, z = 0.5 * (R[2, 1] - R[1, 2]), 0.5 * (R[0, 2] - R[2, 0]), 0.5 * (R[1, 0] - R[0, 1])
    sine, cosine = math.sqrt(x * x + y * y + z * z), 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    factor = angle / sine if sine > 1e-7 else 1.0
    out[0], out[1], out[2] = factor * x, factor * y, factor * z
