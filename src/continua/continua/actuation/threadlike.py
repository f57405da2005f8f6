"""Threadlike tendons inside a rod: generalised force, its derivative, and displacement.

A tendon at offset d(X) = [0, y, z] of the section runs along v = l + k x d + d' in the section's frame, with
k, l the angular and linear strain. Under tension T it puts the wrench -T [d x t; t], t = v / |v|, on the
rod (soft_synergies eq 10; sdre eq 11; the papers' negative force is our positive tension, and this module
is the place where the sign turns). Its length inside the rod is the integral of |v|, so the displacement
(tendon that has left the body) and the actuation matrix are

    displacement(q) = length(0) - length(q),     B(q) = d displacement / dq.

With friction, tension decays along the tendon by the Capstan law exp(-mu phi), where phi is the angle that
its tangent has turned through since the drive's end (soft_synergies eq 26).
"""

from typing import NamedTuple

import numpy as np

from continua.jit import njit
from continua.lie.blocks import add_gram, add_product

__all__ = ['TendonArrays', 'add_tendon_stiffness', 'tendon_matrix']


class TendonArrays(NamedTuple):
    """K tendons sampled at the N stations of a rod."""

    offset: np.ndarray  # (K, N, 3) m, d in the section's frame
    slope: np.ndarray  # (K, N, 3) -, d' along the arc length
    weight: np.ndarray  # (K, N) m, quadrature weight; zero where the tendon does not run
    active: np.ndarray  # (K, N) bool, True at the stations that the tendon passes, its ends included
    friction: np.ndarray  # (K,) -, Capstan coefficient mu


@njit
def tendon_matrix(
    t: TendonArrays,
    phi: np.ndarray,
    ref: np.ndarray,
    parent: np.ndarray,
    rel_R: np.ndarray,
    q: np.ndarray,
    xi: np.ndarray,
    tangent: np.ndarray,
    decay: np.ndarray,
    B: np.ndarray,
    length: np.ndarray,
) -> None:
    """Actuation matrix B (n, K), sdre eq 11, and tendon lengths (K,) m inside the rod.

    phi (N, 6, n), ref (N, 6): basis and reference strain at the stations; parent (S,), rel_R (S, 3, 3):
    how the stations hang together; friction looks only at rel_R. Buffers: xi (N, 6), tangent (K, N, 3),
    decay (K, N), left behind for `add_tendon_stiffness`.
    """
    K, N = t.weight.shape
    n = q.size
    for j in range(N):
        for i in range(6):
            xi[j, i] = ref[j, i]
            for c in range(n):
                xi[j, i] += phi[j, i, c] * q[c]
    B[:] = 0.0
    for k in range(K):
        length[k] = 0.0
        _tangents(t, k, xi, parent, rel_R, tangent[k], decay[k])
        for j in range(N):
            if t.weight[k, j] == 0.0:
                continue
            norm, d, u = decay[k, j], t.offset[k, j], tangent[k, j]
            speed = _speed(xi[j], d, t.slope[k, j])
            length[k] += t.weight[k, j] * speed
            c = -t.weight[k, j] * norm
            moment = (
                c * (d[1] * u[2] - d[2] * u[1]),
                c * (d[2] * u[0] - d[0] * u[2]),
                c * (d[0] * u[1] - d[1] * u[0]),
            )
            for b in range(n):
                B[b, k] += (
                    phi[j, 0, b] * moment[0]
                    + phi[j, 1, b] * moment[1]
                    + phi[j, 2, b] * moment[2]
                    + c * (phi[j, 3, b] * u[0] + phi[j, 4, b] * u[1] + phi[j, 5, b] * u[2])
                )


@njit
def add_tendon_stiffness(
    t: TendonArrays,
    phi: np.ndarray,
    tension: np.ndarray,
    scale: float,
    xi: np.ndarray,
    tangent: np.ndarray,
    decay: np.ndarray,
    H: np.ndarray,
    work: np.ndarray,
    out: np.ndarray,
) -> None:
    """out (n, n) -= scale * d(B(q) tension)/dq, at the point of the last `tendon_matrix`; tension (K,) N.

    The derivative of the friction's decay is left out: it vanishes without friction and only slows Newton's
    method with it. H (6, 6) and work (6, n) are scratch.
    """
    K, N = t.weight.shape
    for j in range(N):
        any_tendon = False
        H[:] = 0.0
        for k in range(K):
            if t.weight[k, j] != 0.0 and tension[k] != 0.0:
                any_tendon = True
                d, u = t.offset[k, j], tangent[k, j]
                speed = _speed(xi[j], d, t.slope[k, j])
                _add_section_stiffness(tension[k] * decay[k, j] * t.weight[k, j] * scale / speed, d, u, H)
        if any_tendon:
            work[:] = 0.0
            add_product(H, phi[j], 1.0, work)
            add_gram(phi[j], work, 1.0, out)


@njit
def _velocity(xi: np.ndarray, d: np.ndarray, slope: np.ndarray) -> tuple[float, float, float]:
    """l + k x d + d'."""
    return (
        xi[3] + xi[1] * d[2] - xi[2] * d[1] + slope[0],
        xi[4] + xi[2] * d[0] - xi[0] * d[2] + slope[1],
        xi[5] + xi[0] * d[1] - xi[1] * d[0] + slope[2],
    )


@njit
def _speed(xi: np.ndarray, d: np.ndarray, slope: np.ndarray) -> float:
    v = _velocity(xi, d, slope)
    return np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@njit
def _tangents(
    t: TendonArrays,
    k: int,
    xi: np.ndarray,
    parent: np.ndarray,
    rel_R: np.ndarray,
    tangent: np.ndarray,
    decay: np.ndarray,
) -> None:
    """Unit tangents (N, 3) of tendon k in the section frames, and what friction leaves of tension (N,)."""
    for j in range(decay.size):
        decay[j] = 1.0
        if not t.active[k, j]:
            continue
        v = _velocity(xi[j], t.offset[k, j], t.slope[k, j])
        inverse = 1.0 / np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        for i in range(3):
            tangent[j, i] = v[i] * inverse
        if j == 0 or t.friction[k] == 0.0:
            continue
        before = parent[j - 1]
        if t.active[k, before]:
            turned = _angle(tangent[before], rel_R[j - 1], tangent[j])
            decay[j] = decay[before] * np.exp(-t.friction[k] * turned)


@njit
def _angle(a: np.ndarray, R: np.ndarray, b: np.ndarray) -> float:
    """Angle between the unit vectors a and R b; rad."""
    c0 = R[0, 0] * b[0] + R[0, 1] * b[1] + R[0, 2] * b[2]
    c1 = R[1, 0] * b[0] + R[1, 1] * b[1] + R[1, 2] * b[2]
    c2 = R[2, 0] * b[0] + R[2, 1] * b[1] + R[2, 2] * b[2]
    x, y, z = a[1] * c2 - a[2] * c1, a[2] * c0 - a[0] * c2, a[0] * c1 - a[1] * c0
    return np.arctan2(np.sqrt(x * x + y * y + z * z), a[0] * c0 + a[1] * c1 + a[2] * c2)


@njit
def _add_section_stiffness(c: float, d: np.ndarray, u: np.ndarray, H: np.ndarray) -> None:
    """H (6, 6) += c P^T (I - u u^T) P with P = [-hat(d), I]: the derivative of [d x t; t] in the strain."""
    P = np.zeros((3, 6))
    P[0, 1], P[0, 2] = d[2], -d[1]
    P[1, 0], P[1, 2] = -d[2], d[0]
    P[2, 0], P[2, 1] = d[1], -d[0]
    for i in range(3):
        P[i, i + 3] = 1.0
    for r in range(6):
        along = u[0] * P[0, r] + u[1] * P[1, r] + u[2] * P[2, r]
        for s in range(6):
            value = -along * (u[0] * P[0, s] + u[1] * P[1, s] + u[2] * P[2, s])
            for i in range(3):
                value += P[i, r] * P[i, s]
            H[r, s] += c * value
