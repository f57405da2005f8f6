"""Exact derivative of the inverse dynamics, by a recursion that mirrors it.

For any weights (a0, a1, a2) the kernel gives the n x n matrix

    a0 d tau/dq + a1 d tau/dqd + a2 d tau/dqdd

in one pass out (`forward_tangent`) and one back (`project_tangent`), between which whatever acts on the
stations adds the variation of its wrench: (1, 0, 0) is the Newton matrix of statics, (0, 0, 1) the mass
matrix, and an implicit integrator passes its own weights. Body-frame variations (delta = g^-1 dg) obey, per
segment with relative pose exp(Omega), delta_r = T dOmega, Y = Td dOmega + T dOmega_d,

    d_pose = Ad^-1 d_pose_parent + delta_r
    d_eta  = Ad^-1 d_eta_parent + ad_eta delta_r + Y
    d_acc  = Ad^-1 d_acc_parent + ad_acc delta_r + ad_eta Y - ad_zeta Ad^-1 d_eta_parent + d/dt Y|_Omega,

which follow from the equality of mixed derivatives (soft_synergies eq 3) and need the tangent map only to
its second rate.
"""

import numpy as np

from continua.jit import inner
from continua.lie.blocks import (
    Ad_inv_matrix,
    ad_matrix,
    add_basis_gram,
    add_basis_product,
    add_product,
    clear,
    momentum_matrix,
)
from continua.lie.se3 import tangent_second_rate, transposed_tangent_derivative
from continua.rod.arrays import RodArrays, Workspace

__all__ = ['forward_tangent', 'magnus_jacobian', 'project_tangent']


@inner
def forward_tangent(a: RodArrays, a0: float, a1: float, a2: float, w: Workspace) -> None:
    """Variations of pose, twist and acceleration of all stations, and of what dead loads do there."""
    for s in range(a.h.size):
        _outward(a, s, a0, a1, a2, w)
    for j in range(a.h.size + 1):
        w.d_wrench[j] = 0.0
        _add_dead_load_tangent(a.reach[j], j, w)


@inner
def project_tangent(a: RodArrays, a0: float, a1: float, w: Workspace, out: np.ndarray) -> None:
    """out[:n, :n] as in the module's equation, at the point of the last `project` on w."""
    n = a.stiffness.shape[0]
    for c in range(n):
        for b in range(n):
            out[c, b] = a0 * a.stiffness[c, b] + a1 * a.damping[c, b]
    for s in range(a.h.size - 1, -1, -1):
        _inward(a, s, a0, w, out)


@inner
def magnus_jacobian(a: RodArrays, s: int, w: Workspace, Z: np.ndarray, Zd: np.ndarray) -> None:
    """Z = dOmega/dq of segment s and its rate Zd, in the station's own columns of (6, n)."""
    half, c, span, own = 0.5 * a.h[s], a.commutator[s], a.span[s + 1], a.own[s + 1]
    for i in range(6):
        for b in range(own[0], own[1]):
            Z[i, b] = half * (a.phi_1[s, i, b] + a.phi_2[s, i, b])
            Zd[i, b] = 0.0
    if c == 0.0:
        return
    matrix = w.matrix[0]
    ad_matrix(w.xi[s, 0], c, matrix)
    add_basis_product(matrix, a.phi_2[s], 1.0, span, Z)
    ad_matrix(w.xi[s, 3], -c, matrix)
    add_basis_product(matrix, a.phi_1[s], 1.0, span, Z)
    ad_matrix(w.xi[s, 1], c, matrix)
    add_basis_product(matrix, a.phi_2[s], 1.0, span, Zd)
    ad_matrix(w.xi[s, 4], -c, matrix)
    add_basis_product(matrix, a.phi_1[s], 1.0, span, Zd)


@inner
def _outward(a: RodArrays, s: int, a0: float, a1: float, a2: float, w: Workspace) -> None:
    """Variations of pose, twist and acceleration of the station at the end of segment s."""
    parent, child = a.parent[s], s + 1
    own, reach, before = a.own[child], a.reach[child], a.reach[parent]
    T, Td, Tdd, matrix = w.T[s], w.Td[s], w.matrix[1], w.matrix[0]
    Z, Zd, P0, P1, P2, E = w.Z[s], w.Zd, w.TZ[s], w.columns[0], w.columns[1], w.columns[2]
    magnus_jacobian(a, s, w, Z, Zd)
    tangent_second_rate(w.omega[s, 0], w.omega[s, 1], w.omega[s, 2], Tdd)
    clear(P0, own)
    clear(P1, own)
    clear(P2, own)
    clear(E, own)
    add_product(T, Z, 1.0, own, P0)
    add_product(Td, Z, 1.0, own, P1)
    add_product(T, Zd, 1.0, own, P1)
    add_product(Tdd, Z, 1.0, own, P2)
    add_product(Td, Zd, 2.0, own, P2)
    if a.commutator[s] != 0.0:
        # T Zdd, with Zdd = E the second rate of Z
        ad_matrix(w.xi[s, 2], a.commutator[s], matrix)
        add_basis_product(matrix, a.phi_2[s], 1.0, a.span[child], E)
        ad_matrix(w.xi[s, 5], -a.commutator[s], matrix)
        add_basis_product(matrix, a.phi_1[s], 1.0, a.span[child], E)
        add_product(T, E, 1.0, own, P2)
    clear(w.d_pose[child], reach)
    clear(w.d_eta[child], reach)
    clear(w.d_acc[child], reach)
    for i in range(6):
        for b in range(own[0], own[1]):
            w.d_pose[child, i, b] = a0 * P0[i, b]
            w.d_eta[child, i, b] = a0 * P1[i, b] + a1 * P0[i, b]
            w.d_acc[child, i, b] = a0 * P2[i, b] + 2.0 * a1 * P1[i, b] + a2 * P0[i, b]
    # d_eta still holds Y alone
    ad_matrix(w.eta[child], 1.0, matrix)
    add_product(matrix, w.d_eta[child], 1.0, own, w.d_acc[child])
    add_product(matrix, P0, a0, own, w.d_eta[child])
    ad_matrix(w.acc[child], a0, matrix)
    add_product(matrix, P0, 1.0, own, w.d_acc[child])
    if parent > 0:
        Ad_inv_matrix(w.rel_R[s], w.rel_p[s], matrix)
        clear(E, before)
        add_product(matrix, w.d_eta[parent], 1.0, before, E)
        add_product(matrix, w.d_pose[parent], 1.0, before, w.d_pose[child])
        add_product(matrix, w.d_acc[parent], 1.0, before, w.d_acc[child])
        ad_matrix(w.zeta[s, 0], -1.0, matrix)
        add_product(matrix, E, 1.0, before, w.d_acc[child])
        for i in range(6):
            for b in range(before[0], before[1]):
                w.d_eta[child, i, b] += E[i, b]


@inner
def _inward(a: RodArrays, s: int, a0: float, w: Workspace, out: np.ndarray) -> None:
    """Variation of the wrench through segment s, projected on the coordinates and passed to the parent."""
    parent, child, half, c = a.parent[s], s + 1, 0.5 * a.h[s], a.commutator[s]
    own, span, whole = a.own[child], a.span[child], (np.uint64(0), np.uint64(a.stiffness.shape[0]))
    d_wrench, total, matrix, d_lam = w.d_wrench[child], w.wrench[child], w.matrix[0], w.columns[0]
    _d_inertia(a.inertia[child], a.reach[child], child, w)
    # lam = T^T wrench
    d_lam[:] = 0.0
    add_product(w.T[s].T, d_wrench, 1.0, whole, d_lam)
    transposed_tangent_derivative(w.omega[s, 0], total, matrix)
    add_product(matrix, w.Z[s], a0, own, d_lam)
    # out += phi_1^T d(half lam - c ad_xi_2^T lam) + phi_2^T d(half lam + c ad_xi_1^T lam)
    share = w.columns[1]
    _d_share(half, -c, w.xi[s, 3], a.phi_2[s], span, a0, w.lam[s], d_lam, matrix, share)
    add_basis_gram(a.phi_1[s], span, share, whole, out)
    _d_share(half, c, w.xi[s, 0], a.phi_1[s], span, a0, w.lam[s], d_lam, matrix, share)
    add_basis_gram(a.phi_2[s], span, share, whole, out)
    if parent > 0:
        # what the parent sees changes also because the segment turns
        momentum_matrix(total, -a0, matrix)
        add_product(matrix, w.TZ[s], 1.0, own, d_wrench)
        Ad_inv_matrix(w.rel_R[s], w.rel_p[s], matrix)
        add_product(matrix.T, d_wrench, 1.0, whole, w.d_wrench[parent])


@inner
def _d_share(
    half: float,
    c: float,
    xi: np.ndarray,
    phi: np.ndarray,
    span: np.ndarray,
    a0: float,
    lam: np.ndarray,
    d_lam: np.ndarray,
    matrix: np.ndarray,
    share: np.ndarray,
) -> None:
    """share (6, n) = d(half lam + c ad_xi^T lam) where d xi = a0 phi; matrix (6, 6) is scratch."""
    for i in range(6):
        for b in range(share.shape[1]):
            share[i, b] = half * d_lam[i, b]
    if c != 0.0:
        ad_matrix(xi, c, matrix)
        add_product(matrix.T, d_lam, 1.0, (np.uint64(0), np.uint64(share.shape[1])), share)
        momentum_matrix(lam, c * a0, matrix)
        add_basis_product(matrix, phi, 1.0, span, share)


@inner
def _d_inertia(inertia: np.ndarray, reach: np.ndarray, j: int, w: Workspace) -> None:
    """Add M d_acc - (ad_eta^T M + L(M eta)) d_eta of station j to d_wrench."""
    matrix, ad_eta, momentum = w.matrix[0], w.matrix[1], w.vector[0]
    add_product(inertia, w.d_acc[j], 1.0, reach, w.d_wrench[j])
    for i in range(6):
        momentum[i] = 0.0
        for k in range(6):
            momentum[i] += inertia[i, k] * w.eta[j, k]
    momentum_matrix(momentum, -1.0, matrix)
    ad_matrix(w.eta[j], 1.0, ad_eta)
    for i in range(6):
        for k in range(6):
            for r in range(6):
                matrix[i, k] -= ad_eta[r, i] * inertia[r, k]
    add_product(matrix, w.d_eta[j], 1.0, reach, w.d_wrench[j])


@inner
def _add_dead_load_tangent(reach: np.ndarray, j: int, w: Workspace) -> None:
    """A dead load turns in body axes, d(R^T f) = (R^T f) x d_angle: take it from the wrench of station j."""
    load, matrix = w.load[j], w.matrix[0]
    if not np.any(load):
        return
    matrix[:] = 0.0
    for row in (0, 3):
        matrix[row, 1] = load[row + 2]
        matrix[row + 1, 0] = -load[row + 2]
        matrix[row, 2] = -load[row + 1]
        matrix[row + 2, 0] = load[row + 1]
        matrix[row + 1, 2] = load[row]
        matrix[row + 2, 1] = -load[row]
    add_product(matrix, w.d_pose[j], 1.0, reach, w.d_wrench[j])
