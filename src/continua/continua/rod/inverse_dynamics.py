"""Inverse dynamics of a strain-parameterised linkage: one sweep out, one sweep back.

The residual that statics and the implicit integrators drive to the actuation is

    tau(q, qd, qdd) = M qdd + C qd + D qd + K q - F        (soft_synergies eq 9)

computed as Newton-Euler recursion over the stations rather than through M, C and F: the cost is linear in
stations times degrees of freedom. `forward` goes out, then whatever acts on the stations adds its wrench
(negative: w.wrench is what the segments have to bear), then `project` comes back. Gravity enters as an upward
acceleration of the base.
"""

import numpy as np

from continua.jit import inner, njit
from continua.lie.se3 import Ad_inv, Ad_inv_T, ad, ad_T, exp_se3, tangent
from continua.linalg import assign
from continua.rod.arrays import RodArrays, Workspace

__all__ = ['add_loads', 'forward', 'project']


@njit
def forward(
    a: RodArrays, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, gravity: float, w: Workspace
) -> None:
    """Poses, twists and accelerations of all stations (soft_synergies eqs 4, 7, 8), left in w.

    q, qd, qdd: (n,) generalised coordinates and rates. gravity: 1 with, 0 without gravity.
    """
    assign(a.base_R, w.R[0])
    assign(a.base_p, w.p[0])
    for i in range(3):
        w.acc[0, i + 3] = -gravity * (
            a.base_R[0, i] * a.gravity[0] + a.base_R[1, i] * a.gravity[1] + a.base_R[2, i] * a.gravity[2]
        )
    for s in range(a.h.size):
        parent, child = a.parent[s], s + 1
        _zannah_strains(a.phi_1[s], a.ref_1[s], a.span[child], q, qd, qdd, w.xi[s, 0:3])
        _zannah_strains(a.phi_2[s], a.ref_2[s], a.span[child], q, qd, qdd, w.xi[s, 3:6])
        magnus(0.5 * a.h[s], a.commutator[s], w.xi[s], w.omega[s])
        exp_se3(w.omega[s, 0], w.rel_R[s], w.rel_p[s])
        tangent(w.omega[s, 0], w.omega[s, 1], w.T[s], w.Td[s])
        _compose(w.R[parent], w.p[parent], w.rel_R[s], w.rel_p[s], w.R[child], w.p[child])
        zeta, zeta_d = w.zeta[s, 0], w.zeta[s, 1]
        for i in range(6):
            u, v = 0.0, 0.0
            for k in range(6):
                u += w.T[s, i, k] * w.omega[s, 1, k]
                v += w.T[s, i, k] * w.omega[s, 2, k] + w.Td[s, i, k] * w.omega[s, 1, k]
            zeta[i] = u
            zeta_d[i] = v
        Ad_inv(w.rel_R[s], w.rel_p[s], w.eta[parent], w.eta[child])
        Ad_inv(w.rel_R[s], w.rel_p[s], w.acc[parent], w.acc[child])
        for i in range(6):
            w.eta[child, i] += zeta[i]
            w.acc[child, i] += zeta_d[i]
        ad(w.eta[child], zeta, 1.0, w.acc[child])


@inner
def add_loads(dead: np.ndarray, following: np.ndarray, w: Workspace) -> None:
    """Start the wrenches through the stations with loads (N, 6), dead in world, following in body axes."""
    for j in range(dead.shape[0]):
        for i in range(3):
            w.load[j, i] = w.R[j, 0, i] * dead[j, 0] + w.R[j, 1, i] * dead[j, 1] + w.R[j, 2, i] * dead[j, 2]
            w.load[j, i + 3] = (
                w.R[j, 0, i] * dead[j, 3] + w.R[j, 1, i] * dead[j, 4] + w.R[j, 2, i] * dead[j, 5]
            )
        for i in range(6):
            w.wrench[j, i] = -w.load[j, i] - following[j, i]


@inner
def project(a: RodArrays, q: np.ndarray, qd: np.ndarray, w: Workspace, tau: np.ndarray) -> None:
    """tau (n,) of the module's equation after `forward`, with all that acts on the stations in w.wrench."""
    n = q.size
    for c in range(n):
        tau[c] = 0.0
        for b in range(n):
            tau[c] += a.stiffness[c, b] * q[b] + a.damping[c, b] * qd[b]
    for s in range(a.h.size - 1, -1, -1):
        child = s + 1
        _add_inertia(a.inertia[child], w, child)
        total = w.wrench[child]
        lam, lam_1, lam_2 = w.lam[s], w.vector[0], w.vector[1]
        for i in range(6):
            lam[i] = 0.0
            for k in range(6):
                lam[i] += w.T[s, k, i] * total[k]
            lam_1[i] = 0.5 * a.h[s] * lam[i]
            lam_2[i] = lam_1[i]
        ad_T(w.xi[s, 3], lam, -a.commutator[s], lam_1)
        ad_T(w.xi[s, 0], lam, a.commutator[s], lam_2)
        for i in range(6):
            for c in range(a.span[child, i, 0], a.span[child, i, 1]):
                tau[c] += a.phi_1[s, i, c] * lam_1[i] + a.phi_2[s, i, c] * lam_2[i]
        Ad_inv_T(w.rel_R[s], w.rel_p[s], total, w.wrench[a.parent[s]])


@inner
def magnus(half: float, commutator: float, xi: np.ndarray, omega: np.ndarray) -> None:
    """Magnus expansion and its first two rates, omega (3, 6), of the Zannah strains and rates xi (6, 6)."""
    for r in range(3):
        for i in range(6):
            omega[r, i] = half * (xi[r, i] + xi[r + 3, i])
    if commutator == 0.0:
        return
    ad(xi[0], xi[3], commutator, omega[0])
    ad(xi[1], xi[3], commutator, omega[1])
    ad(xi[0], xi[4], commutator, omega[1])
    ad(xi[2], xi[3], commutator, omega[2])
    ad(xi[1], xi[4], 2.0 * commutator, omega[2])
    ad(xi[0], xi[5], commutator, omega[2])


@inner
def _zannah_strains(
    phi: np.ndarray,
    ref: np.ndarray,
    span: np.ndarray,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    xi: np.ndarray,
) -> None:
    """Strain, rate and acceleration, rows of xi (3, 6), at one Zannah point (soft_synergies eq 6)."""
    for i in range(6):
        u, v, x = 0.0, 0.0, 0.0
        for c in range(span[i, 0], span[i, 1]):
            u += phi[i, c] * q[c]
            v += phi[i, c] * qd[c]
            x += phi[i, c] * qdd[c]
        xi[0, i] = u + ref[i]
        xi[1, i] = v
        xi[2, i] = x


@inner
def _compose(
    Ra: np.ndarray, pa: np.ndarray, Rb: np.ndarray, pb: np.ndarray, R: np.ndarray, p: np.ndarray
) -> None:
    """(R, p) = (Ra, pa) (Rb, pb)."""
    for i in range(3):
        for k in range(3):
            R[i, k] = Ra[i, 0] * Rb[0, k] + Ra[i, 1] * Rb[1, k] + Ra[i, 2] * Rb[2, k]
        p[i] = pa[i] + Ra[i, 0] * pb[0] + Ra[i, 1] * pb[1] + Ra[i, 2] * pb[2]


@inner
def _add_inertia(inertia: np.ndarray, w: Workspace, j: int) -> None:
    """Add M acc - ad_eta^T M eta of station j to the wrench through it."""
    momentum = w.vector[0]
    for i in range(6):
        momentum[i] = 0.0
        for k in range(6):
            momentum[i] += inertia[i, k] * w.eta[j, k]
            w.wrench[j, i] += inertia[i, k] * w.acc[j, k]
    ad_T(w.eta[j], momentum, -1.0, w.wrench[j])
