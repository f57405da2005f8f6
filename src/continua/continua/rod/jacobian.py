"""Geometric Jacobian of every station, its time derivative, and the matrices of the dynamics.

eta = J qd,   eta_d = J qdd + Jd qd                                   (soft_synergies eqs 7, 8)
M = sum J^T Mbar J,   C = sum J^T (Mbar Jd - ad_eta^T Mbar J)          (eqs 36a, 36b)
"""

import numpy as np

from continua.jit import njit
from continua.lie.blocks import Ad_inv_matrix, ad_matrix, add_gram, add_product, clear
from continua.rod.arrays import RodArrays, Workspace
from continua.rod.inverse_dynamics import forward
from continua.rod.tangent_dynamics import magnus_jacobian

__all__ = ['jacobians', 'mass_and_coriolis']


@njit
def jacobians(
    a: RodArrays, q: np.ndarray, qd: np.ndarray, w: Workspace, J: np.ndarray, Jd: np.ndarray
) -> None:
    """Body Jacobians J and their time derivatives Jd, both (N, 6, n), of all stations.

    Also leaves poses and twists of the stations in w.
    """
    matrix, E, none = w.matrix[0], w.columns[0], w.columns[1, 0]
    none[:] = 0.0
    forward(a, q, qd, none, 0.0, w)
    J[0] = 0.0
    Jd[0] = 0.0
    for s in range(a.h.size):
        parent, child = a.parent[s], s + 1
        own, before = a.own[child], a.reach[parent]
        magnus_jacobian(a, s, w, w.Z[s], w.Zd)
        J[child] = 0.0
        Jd[child] = 0.0
        add_product(w.T[s], w.Z[s], 1.0, own, J[child])
        add_product(w.Td[s], w.Z[s], 1.0, own, Jd[child])
        add_product(w.T[s], w.Zd, 1.0, own, Jd[child])
        if parent > 0:
            Ad_inv_matrix(w.rel_R[s], w.rel_p[s], matrix)
            clear(E, before)
            add_product(matrix, J[parent], 1.0, before, E)
            add_product(matrix, Jd[parent], 1.0, before, Jd[child])
            ad_matrix(w.zeta[s, 0], -1.0, matrix)
            add_product(matrix, E, 1.0, before, Jd[child])
            for i in range(6):
                for b in range(before[0], before[1]):
                    J[child, i, b] += E[i, b]


@njit
def mass_and_coriolis(
    a: RodArrays, w: Workspace, J: np.ndarray, Jd: np.ndarray, M: np.ndarray, C: np.ndarray
) -> None:
    """Mass matrix M and Coriolis matrix C, both (n, n), from the Jacobians of the last `jacobians` on w."""
    matrix, MJ, CJ = w.matrix[0], w.columns[0], w.columns[1]
    M[:] = 0.0
    C[:] = 0.0
    for j in range(1, a.h.size + 1):
        if a.inertia[j, 3, 3] == 0.0:
            continue
        reach = a.reach[j]
        MJ[:] = 0.0
        add_product(a.inertia[j], J[j], 1.0, reach, MJ)
        add_gram(J[j], MJ, reach, M)
        CJ[:] = 0.0
        ad_matrix(w.eta[j], -1.0, matrix)
        add_product(matrix.T, MJ, 1.0, reach, CJ)
        add_product(a.inertia[j], Jd[j], 1.0, reach, CJ)
        add_gram(J[j], CJ, reach, C)
