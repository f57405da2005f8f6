"""Rigid motions: exponential, adjoint maps and the tangent map of the exponential.

The tangent map turns the rate of exponential coordinates into a body twist: for h = exp(hat(X)),
`h^-1 dh/dt = T(X) dX/dt` with `T(X) = sum_k (-ad_X)^k / (k + 1)!`.

se(3) is so(3) over the dual numbers: with w + eps v in place of w, every power series in hat(w) gives the
matching series in ad. So with A(w) the tangent map of SO(3),

    T(X) = [[A, 0], [B, A]],   A(w) = (1 - b2 x) I - b1 hat(w) + b2 w wT,   B = DA(w)[v],   x = |w|^2,

and the derivatives of T along curves are directional derivatives of A up to third order, by the product rule.
This replaces the usual long expressions in powers of ad. Below, b and c stand for b1 and b2, s for 1 - c x; a
suffix `_1` is a derivative in x, `_v` along v, `_t` along time. Every 3 x 3 block has the form

    f I - hat(z) + w yT + y wT + ...
"""

import numpy as np

from continua.jit import inner, njit
from continua.lie.so3 import coefficients

__all__ = [
    'Ad_inv',
    'Ad_inv_T',
    'ad',
    'ad_T',
    'exp_se3',
    'tangent',
    'tangent_second_rate',
    'transposed_tangent_derivative',
]


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
def tangent(X: np.ndarray, Xd: np.ndarray, T: np.ndarray, Td: np.ndarray) -> None:
    """Tangent map T (6, 6) at X (6,) and its rate Td (6, 6) = DT(X)[Xd] along Xd (6,)."""
    x = _dot(X, 0, X, 0)
    x_v = 2.0 * _dot(X, 0, X, 3)
    x_t = 2.0 * _dot(X, 0, Xd, 0)
    x_vt = 2.0 * (_dot(Xd, 0, X, 3) + _dot(X, 0, Xd, 3))
    (b, b_1, b_2, _), (c, c_1, c_2, _) = coefficients(x)
    s_1, s_2 = -c - x * c_1, -2.0 * c_1 - x * c_2
    b_v, b_t, b_vt = b_1 * x_v, b_1 * x_t, b_2 * x_v * x_t + b_1 * x_vt
    c_v, c_t, c_vt = c_1 * x_v, c_1 * x_t, c_2 * x_v * x_t + c_1 * x_vt
    s_vt = s_2 * x_v * x_t + s_1 * x_vt
    _set_block(T, 0, 1.0 - x * c, _mix(X, b, 0.0), X, _mix(X, 0.5 * c, 0.0))
    _set_block(T, 3, s_1 * x_v, _mix(X, b_v, b), X, _mix(X, 0.5 * c_v, c))
    _close(T)
    _set_block(Td, 0, s_1 * x_t, _mix2(X, b_t, 0.0, Xd, b, 0.0), X, _mix2(X, 0.5 * c_t, 0.0, Xd, c, 0.0))
    _set_block(Td, 3, s_vt, _mix2(X, b_vt, b_t, Xd, b_v, b), X, _mix2(X, 0.5 * c_vt, c_t, Xd, c_v, c))
    _add_symmetric(Td, 3, Xd, _mix(X, 0.0, c))
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
    s_1, s_2, s_3 = -c - x * c_1, -2.0 * c_1 - x * c_2, -3.0 * c_2 - x * c_3
    b_v, b_t, b_tt, b_vt, b_vtt = _second_order(b_1, b_2, b_3, x_v, x_t, x_tt, x_vt, x_vtt)
    c_v, c_t, c_tt, c_vt, c_vtt = _second_order(c_1, c_2, c_3, x_v, x_t, x_tt, x_vt, x_vtt)
    _, _, s_tt, _, s_vtt = _second_order(s_1, s_2, s_3, x_v, x_t, x_tt, x_vt, x_vtt)
    z = _mix3(X, b_tt, 0.0, Xd, 2.0 * b_t, 0.0, Xdd, b, 0.0)
    y = _mix3(X, 0.5 * c_tt, 0.0, Xd, 2.0 * c_t, 0.0, Xdd, c, 0.0)
    _set_block(Tdd, 0, s_tt, z, X, y)
    _add_symmetric(Tdd, 0, Xd, _mix(Xd, c, 0.0))
    z = _mix3(X, b_vtt, b_tt, Xd, 2.0 * b_vt, 2.0 * b_t, Xdd, b_v, b)
    y = _mix3(X, 0.5 * c_vtt, c_tt, Xd, 2.0 * c_vt, 2.0 * c_t, Xdd, c_v, c)
    _set_block(Tdd, 3, s_vtt, z, X, y)
    _add_symmetric(Tdd, 3, Xd, _mix2(X, 0.0, 2.0 * c_t, Xd, c_v, 2.0 * c))
    _add_symmetric(Tdd, 3, Xdd, _mix(X, 0.0, c))
    _close(Tdd)


@njit
def transposed_tangent_derivative(X: np.ndarray, y: np.ndarray, G: np.ndarray) -> None:
    """G (6, 6) = d(T(X)^T y)/dX for a fixed wrench y = [m, f] (6,).

    T^T y is A^T f + eps (A^T m + B^T f) in dual numbers, hence G = [[Q, P], [P, 0]] with

        P = d(A^T f)/dw = 2 g wT - b hat(f) + c (w.f) I + c w fT,   g = s_1 f + b_1 w x f + c_1 (w.f) w

    and Q its derivative along v (written `_v` below), with m as the derivative of f.
    """
    x = _dot(X, 0, X, 0)
    x_v = 2.0 * _dot(X, 0, X, 3)
    (b, b_1, b_2, _), (c, c_1, c_2, _) = coefficients(x)
    s_1, s_2 = -c - x * c_1, -2.0 * c_1 - x * c_2
    c_v = c_1 * x_v
    wf, wf_v = _dot(X, 0, y, 3), _dot(X, 3, y, 3) + _dot(X, 0, y, 0)
    skew, skew_v = _mix(y, 0.0, b), _mix(y, b, b_1 * x_v)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        cross = X[j] * y[k + 3] - X[k] * y[j + 3]
        cross_v = X[j + 3] * y[k + 3] - X[k + 3] * y[j + 3] + X[j] * y[k] - X[k] * y[j]
        g = s_1 * y[i + 3] + b_1 * cross + c_1 * wf * X[i]
        g_v = (s_2 * y[i + 3] + b_2 * cross + c_2 * wf * X[i]) * x_v
        g_v += s_1 * y[i] + b_1 * cross_v + c_1 * (wf_v * X[i] + wf * X[i + 3])
        for r in range(3):
            G[i, r + 3] = 2.0 * g * X[r] + c * X[i] * y[r + 3]
            G[i, r] = 2.0 * (g_v * X[r] + g * X[r + 3])
            G[i, r] += c_v * X[i] * y[r + 3] + c * (X[i + 3] * y[r + 3] + X[i] * y[r])
        G[i, i + 3] += c * wf
        G[i, j + 3] += skew[k]
        G[i, k + 3] -= skew[j]
        G[i, i] += c_v * wf + c * wf_v
        G[i, j] += skew_v[k]
        G[i, k] -= skew_v[j]
    for i in range(3):
        for r in range(3):
            G[i + 3, r] = G[i, r + 3]
            G[i + 3, r + 3] = 0.0


@inner
def _dot(a: np.ndarray, i: int, b: np.ndarray, k: int) -> float:
    """Scalar product of a[i:i+3] and b[k:k+3]."""
    return a[i] * b[k] + a[i + 1] * b[k + 1] + a[i + 2] * b[k + 2]


@inner
def _mix(X: np.ndarray, a: float, b: float) -> tuple[float, float, float]:
    """a * X[:3] + b * X[3:]."""
    return a * X[0] + b * X[3], a * X[1] + b * X[4], a * X[2] + b * X[5]


@inner
def _mix2(X, a, b, Y, c, d) -> tuple[float, float, float]:
    """The sum of two such combinations."""
    u, v = _mix(X, a, b), _mix(Y, c, d)
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@inner
def _mix3(X, a, b, Y, c, d, Z, e, f) -> tuple[float, float, float]:
    """The sum of three."""
    u, v = _mix2(X, a, b, Y, c, d), _mix(Z, e, f)
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@inner
def _set_block(
    out: np.ndarray,
    row: int,
    diagonal: float,
    z: tuple[float, float, float],
    X: np.ndarray,
    y: tuple[float, float, float],
) -> None:
    """The 3 x 3 block of out at (row, 0) = diagonal I - hat(z) + w yT + y wT with w = X[:3]."""
    for r in range(3):
        out[row + r, r] = diagonal + 2.0 * X[r] * y[r]
        s, t = (r + 1) % 3, (r + 2) % 3
        both = X[r] * y[s] + X[s] * y[r]
        out[row + r, s] = both + z[t]
        out[row + s, r] = both - z[t]


@inner
def _add_symmetric(out: np.ndarray, row: int, X: np.ndarray, y: tuple[float, float, float]) -> None:
    """Add w yT + y wT with w = X[:3] to the 3 x 3 block of out at (row, 0)."""
    for r in range(3):
        for s in range(3):
            out[row + r, s] += X[r] * y[s] + X[s] * y[r]


@inner
def _close(out: np.ndarray) -> None:
    """Complete [[A, .], [B, .]] to [[A, 0], [B, A]]."""
    for r in range(3):
        for s in range(3):
            out[r, s + 3] = 0.0
            out[r + 3, s + 3] = out[r, s]


@inner
def _second_order(f_1, f_2, f_3, x_v, x_t, x_tt, x_vt, x_vtt):
    """Chain rule for f(x): derivatives along v, t, tt, vt and vtt."""
    return (
        f_1 * x_v,
        f_1 * x_t,
        f_2 * x_t * x_t + f_1 * x_tt,
        f_2 * x_v * x_t + f_1 * x_vt,
        f_3 * x_v * x_t * x_t + f_2 * (x_v * x_tt + 2.0 * x_t * x_vt) + f_1 * x_vtt,
    )
