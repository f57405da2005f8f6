"""Rigid motions: exponential, adjoint maps and the tangent map of the exponential.

The tangent map turns the rate of exponential coordinates into a body twist: for h = exp(hat(X)),
`h^-1 dh/dt = T(X) dX/dt` with `T(X) = sum_k (-ad_X)^k / (k + 1)!`.

se(3) is so(3) over the dual numbers: with w + eps v in place of w, every power series in hat(w) gives the
matching series in ad. So with A(w) the tangent map of SO(3),

    T(X) = [[A, 0], [B, A]],   A = A(w),   B = DA(w)[v],

and the derivatives of T along curves are directional derivatives of A up to third order in its argument,
each a sum of outer products. This replaces the usual long expressions in powers of ad.
"""

import numpy as np

from continua.jit import njit
from continua.lie.so3 import coefficients

__all__ = ['Ad_inv', 'Ad_inv_T', 'ad', 'ad_T', 'exp_se3', 'tangent', 'tangent_second_rate']


@njit
def exp_se3(X: np.ndarray, R: np.ndarray, p: np.ndarray) -> None:
    """Pose R (3, 3), p (3,) m = exp(hat(X)) of X (6,): rotation vector, then translation part."""
    w0, w1, w2 = X[0], X[1], X[2]
    v0, v1, v2 = X[3], X[4], X[5]
    x = w0 * w0 + w1 * w1 + w2 * w2
    series1, series2 = coefficients(x)
    b1, b2 = series1[0], series2[0]
    s = 1.0 - x * b2
    c = 1.0 - x * b1
    R[0, 0] = c + b1 * w0 * w0
    R[1, 1] = c + b1 * w1 * w1
    R[2, 2] = c + b1 * w2 * w2
    R[0, 1] = b1 * w0 * w1 - s * w2
    R[1, 0] = b1 * w0 * w1 + s * w2
    R[0, 2] = b1 * w0 * w2 + s * w1
    R[2, 0] = b1 * w0 * w2 - s * w1
    R[1, 2] = b1 * w1 * w2 - s * w0
    R[2, 1] = b1 * w1 * w2 + s * w0
    # p = (I + b1 hat(w) + b2 hat(w)^2) v
    wv = w0 * v0 + w1 * v1 + w2 * v2
    p[0] = s * v0 + b1 * (w1 * v2 - w2 * v1) + b2 * wv * w0
    p[1] = s * v1 + b1 * (w2 * v0 - w0 * v2) + b2 * wv * w1
    p[2] = s * v2 + b1 * (w0 * v1 - w1 * v0) + b2 * wv * w2


@njit
def Ad_inv(R: np.ndarray, p: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """out (6,) = Ad(g)^-1 x: a twist x of the outer frame seen from the inner frame of g = (R, p)."""
    u0 = x[3] - (p[1] * x[2] - p[2] * x[1])
    u1 = x[4] - (p[2] * x[0] - p[0] * x[2])
    u2 = x[5] - (p[0] * x[1] - p[1] * x[0])
    for i in range(3):
        out[i] = R[0, i] * x[0] + R[1, i] * x[1] + R[2, i] * x[2]
        out[i + 3] = R[0, i] * u0 + R[1, i] * u1 + R[2, i] * u2


@njit
def Ad_inv_T(R: np.ndarray, p: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """out (6,) += Ad(g)^-T y: a wrench y of the inner frame of g, added in the outer frame."""
    m = (
        R[0, 0] * y[0] + R[0, 1] * y[1] + R[0, 2] * y[2],
        R[1, 0] * y[0] + R[1, 1] * y[1] + R[1, 2] * y[2],
        R[2, 0] * y[0] + R[2, 1] * y[1] + R[2, 2] * y[2],
    )
    f = (
        R[0, 0] * y[3] + R[0, 1] * y[4] + R[0, 2] * y[5],
        R[1, 0] * y[3] + R[1, 1] * y[4] + R[1, 2] * y[5],
        R[2, 0] * y[3] + R[2, 1] * y[4] + R[2, 2] * y[5],
    )
    out[0] += m[0] + p[1] * f[2] - p[2] * f[1]
    out[1] += m[1] + p[2] * f[0] - p[0] * f[2]
    out[2] += m[2] + p[0] * f[1] - p[1] * f[0]
    out[3] += f[0]
    out[4] += f[1]
    out[5] += f[2]


@njit
def ad(x: np.ndarray, y: np.ndarray, scale: float, out: np.ndarray) -> None:
    """out (6,) += scale * ad_x y, the Lie bracket of the twists x and y."""
    out[0] += scale * (x[1] * y[2] - x[2] * y[1])
    out[1] += scale * (x[2] * y[0] - x[0] * y[2])
    out[2] += scale * (x[0] * y[1] - x[1] * y[0])
    out[3] += scale * (x[4] * y[2] - x[5] * y[1] + x[1] * y[5] - x[2] * y[4])
    out[4] += scale * (x[5] * y[0] - x[3] * y[2] + x[2] * y[3] - x[0] * y[5])
    out[5] += scale * (x[3] * y[1] - x[4] * y[0] + x[0] * y[4] - x[1] * y[3])


@njit
def ad_T(x: np.ndarray, y: np.ndarray, scale: float, out: np.ndarray) -> None:
    """out (6,) += scale * ad_x^T y for a twist x and a wrench y (moment, then force)."""
    out[0] += scale * (y[1] * x[2] - y[2] * x[1] + y[4] * x[5] - y[5] * x[4])
    out[1] += scale * (y[2] * x[0] - y[0] * x[2] + y[5] * x[3] - y[3] * x[5])
    out[2] += scale * (y[0] * x[1] - y[1] * x[0] + y[3] * x[4] - y[4] * x[3])
    out[3] += scale * (y[4] * x[2] - y[5] * x[1])
    out[4] += scale * (y[5] * x[0] - y[3] * x[2])
    out[5] += scale * (y[3] * x[1] - y[4] * x[0])


@njit
def _dot(a: np.ndarray, i: int, b: np.ndarray, k: int) -> float:
    """Scalar product of a[i:i+3] and b[k:k+3]."""
    return a[i] * b[k] + a[i + 1] * b[k + 1] + a[i + 2] * b[k + 2]


@njit
def _add(out: np.ndarray, row: int, diagonal: float, skew: float, z: np.ndarray, i: int) -> None:
    """Add diagonal * I - skew * hat(z[i:i+3]) to the 3 x 3 block of out at (row, 0)."""
    for k in range(3):
        out[row + k, k] += diagonal
    out[row, 1] += skew * z[i + 2]
    out[row + 1, 0] -= skew * z[i + 2]
    out[row, 2] -= skew * z[i + 1]
    out[row + 2, 0] += skew * z[i + 1]
    out[row + 1, 2] += skew * z[i]
    out[row + 2, 1] -= skew * z[i]


@njit
def _add_outer(out: np.ndarray, row: int, c: float, a: np.ndarray, i: int, b: np.ndarray, k: int) -> None:
    """Add c * (a bT + b aT) of a[i:i+3] and b[k:k+3] to the 3 x 3 block of out at (row, 0)."""
    for r in range(3):
        for s in range(3):
            out[row + r, s] += c * (a[i + r] * b[k + s] + b[k + r] * a[i + s])


@njit
def _close(out: np.ndarray) -> None:
    """Complete [[A, .], [B, .]] to [[A, 0], [B, A]]."""
    for r in range(3):
        for s in range(3):
            out[r, s + 3] = 0.0
            out[r + 3, s + 3] = out[r, s]


@njit
def tangent(X: np.ndarray, Xd: np.ndarray, T: np.ndarray, Td: np.ndarray) -> None:
    """Tangent map T (6, 6) at X (6,) and its rate Td (6, 6) = DT(X)[Xd] along Xd (6,)."""
    x = _dot(X, 0, X, 0)
    x_v = 2.0 * _dot(X, 0, X, 3)
    x_t = 2.0 * _dot(X, 0, Xd, 0)
    x_vt = 2.0 * (_dot(Xd, 0, X, 3) + _dot(X, 0, Xd, 3))
    (b, b_1, b_2, _), (c, c_1, c_2, _) = coefficients(x)
    s_1 = -c - x * c_1
    s_2 = -2.0 * c_1 - x * c_2
    # Each coefficient f(x): value f, along v: f_v, along time: f_t, along both: f_vt.
    b_v, b_t, b_vt = b_1 * x_v, b_1 * x_t, b_2 * x_v * x_t + b_1 * x_vt
    c_v, c_t, c_vt = c_1 * x_v, c_1 * x_t, c_2 * x_v * x_t + c_1 * x_vt
    T[:] = 0.0
    _add(T, 0, 1.0 - x * c, b, X, 0)
    _add_outer(T, 0, 0.5 * c, X, 0, X, 0)
    _add(T, 3, s_1 * x_v, b_v, X, 0)
    _add(T, 3, 0.0, b, X, 3)
    _add_outer(T, 3, 0.5 * c_v, X, 0, X, 0)
    _add_outer(T, 3, c, X, 0, X, 3)
    _close(T)
    Td[:] = 0.0
    _add(Td, 0, s_1 * x_t, b_t, X, 0)
    _add(Td, 0, 0.0, b, Xd, 0)
    _add_outer(Td, 0, 0.5 * c_t, X, 0, X, 0)
    _add_outer(Td, 0, c, X, 0, Xd, 0)
    _add(Td, 3, s_2 * x_v * x_t + s_1 * x_vt, b_vt, X, 0)
    _add(Td, 3, 0.0, b_v, Xd, 0)
    _add(Td, 3, 0.0, b_t, X, 3)
    _add(Td, 3, 0.0, b, Xd, 3)
    _add_outer(Td, 3, 0.5 * c_vt, X, 0, X, 0)
    _add_outer(Td, 3, c_v, X, 0, Xd, 0)
    _add_outer(Td, 3, c_t, X, 0, X, 3)
    _add_outer(Td, 3, c, Xd, 0, X, 3)
    _add_outer(Td, 3, c, X, 0, Xd, 3)
    _close(Td)


@njit
def tangent_second_rate(X: np.ndarray, Xd: np.ndarray, Xdd: np.ndarray, Tdd: np.ndarray) -> None:
    """Second rate Tdd (6, 6) of the tangent map along a curve with rates Xd, Xdd (6,)."""
    x = _dot(X, 0, X, 0)
    x_v = 2.0 * _dot(X, 0, X, 3)
    x_t = 2.0 * _dot(X, 0, Xd, 0)
    x_tt = 2.0 * (_dot(Xd, 0, Xd, 0) + _dot(X, 0, Xdd, 0))
    x_vt = 2.0 * (_dot(Xd, 0, X, 3) + _dot(X, 0, Xd, 3))
    x_vtt = 2.0 * (_dot(Xdd, 0, X, 3) + 2.0 * _dot(Xd, 0, Xd, 3) + _dot(X, 0, Xdd, 3))
    (b, b_1, b_2, b_3), (c, c_1, c_2, c_3) = coefficients(x)
    s_1 = -c - x * c_1
    s_2 = -2.0 * c_1 - x * c_2
    s_3 = -3.0 * c_2 - x * c_3
    b_v, b_t, b_tt, b_vt, b_vtt = _second_order(b_1, b_2, b_3, x_v, x_t, x_tt, x_vt, x_vtt)
    c_v, c_t, c_tt, c_vt, c_vtt = _second_order(c_1, c_2, c_3, x_v, x_t, x_tt, x_vt, x_vtt)
    _, _, s_tt, _, s_vtt = _second_order(s_1, s_2, s_3, x_v, x_t, x_tt, x_vt, x_vtt)
    Tdd[:] = 0.0
    _add(Tdd, 0, s_tt, b_tt, X, 0)
    _add(Tdd, 0, 0.0, 2.0 * b_t, Xd, 0)
    _add(Tdd, 0, 0.0, b, Xdd, 0)
    _add_outer(Tdd, 0, 0.5 * c_tt, X, 0, X, 0)
    _add_outer(Tdd, 0, 2.0 * c_t, X, 0, Xd, 0)
    _add_outer(Tdd, 0, c, Xd, 0, Xd, 0)
    _add_outer(Tdd, 0, c, X, 0, Xdd, 0)
    _add(Tdd, 3, s_vtt, b_vtt, X, 0)
    _add(Tdd, 3, 0.0, 2.0 * b_vt, Xd, 0)
    _add(Tdd, 3, 0.0, b_v, Xdd, 0)
    _add(Tdd, 3, 0.0, b_tt, X, 3)
    _add(Tdd, 3, 0.0, 2.0 * b_t, Xd, 3)
    _add(Tdd, 3, 0.0, b, Xdd, 3)
    _add_outer(Tdd, 3, 0.5 * c_vtt, X, 0, X, 0)
    _add_outer(Tdd, 3, 2.0 * c_vt, X, 0, Xd, 0)
    _add_outer(Tdd, 3, c_v, Xd, 0, Xd, 0)
    _add_outer(Tdd, 3, c_v, X, 0, Xdd, 0)
    _add_outer(Tdd, 3, c_tt, X, 0, X, 3)
    _add_outer(Tdd, 3, 2.0 * c_t, Xd, 0, X, 3)
    _add_outer(Tdd, 3, 2.0 * c_t, X, 0, Xd, 3)
    _add_outer(Tdd, 3, c, Xdd, 0, X, 3)
    _add_outer(Tdd, 3, 2.0 * c, Xd, 0, Xd, 3)
    _add_outer(Tdd, 3, c, X, 0, Xdd, 3)
    _close(Tdd)


@njit
def _second_order(f_1, f_2, f_3, x_v, x_t, x_tt, x_vt, x_vtt):
    """Chain rule for f(x): derivatives along v, t, tt, vt and vtt."""
    return (
        f_1 * x_v,
        f_1 * x_t,
        f_2 * x_t * x_t + f_1 * x_tt,
        f_2 * x_v * x_t + f_1 * x_vt,
        f_3 * x_v * x_t * x_t + f_2 * (x_v * x_tt + 2.0 * x_t * x_vt) + f_1 * x_vtt,
    )
