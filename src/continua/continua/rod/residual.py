"""The equation of motion as one residual: inverse dynamics minus actuation, and its exact derivative."""

from typing import NamedTuple

import numpy as np

from continua.actuation.threadlike import TendonArrays, add_tendon_stiffness, tendon_matrix
from continua.jit import njit
from continua.rod.arrays import RodArrays, Workspace, make_workspace
from continua.rod.inverse_dynamics import inverse_dynamics
from continua.rod.tangent_dynamics import tangent_dynamics

__all__ = ['Model', 'make_model', 'residual', 'residual_tangent']


class Model(NamedTuple):
    """A rod, its tendons, and the buffers of their kernels: one model serves one thread."""

    rod: RodArrays
    tendons: TendonArrays
    work: Workspace
    B: np.ndarray  # (n, K) actuation matrix of the last evaluation
    length: np.ndarray  # (K,) m, tendon lengths of the last evaluation
    xi: np.ndarray  # (N, 6) strains at the stations
    tangent: np.ndarray  # (K, N, 3) tendon tangents
    decay: np.ndarray  # (K, N) what friction leaves of the tension


def make_model(rod: RodArrays, tendons: TendonArrays) -> Model:
    """Allocate the buffers for a rod and its tendons."""
    K, N = tendons.weight.shape
    n = rod.stiffness.shape[0]
    return Model(
        rod,
        tendons,
        make_workspace(N - 1, n),
        np.zeros((n, K)),
        np.zeros(K),
        np.zeros((N, 6)),
        np.zeros((K, N, 3)),
        np.zeros((K, N)),
    )


@njit
def residual(
    m: Model,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    tension: np.ndarray,
    gravity: float,
    load: np.ndarray,
    r: np.ndarray,
) -> None:
    """r (n,) = tau(q, qd, qdd) - B(q) tension (soft_synergies eq 9 with everything on one side).

    tension (K,) N; gravity 1 or 0; load (N, 6) dead wrenches at the stations in world axes.
    """
    inverse_dynamics(m.rod, q, qd, qdd, gravity, load, m.work, r)
    tendon_matrix(
        m.tendons,
        m.rod.phi,
        m.rod.ref,
        m.rod.parent,
        m.work.rel_R,
        q,
        m.xi,
        m.tangent,
        m.decay,
        m.B,
        m.length,
    )
    for k in range(tension.size):
        for c in range(r.size):
            r[c] -= m.B[c, k] * tension[k]


@njit
def residual_tangent(m: Model, a0: float, a1: float, a2: float, tension: np.ndarray, out: np.ndarray) -> None:
    """out (n, n) = a0 dr/dq + a1 dr/dqd + a2 dr/dqdd at the point of the last `residual`."""
    tangent_dynamics(m.rod, a0, a1, a2, m.work, out)
    add_tendon_stiffness(
        m.tendons, m.rod.phi, tension, a0, m.xi, m.tangent, m.decay, m.work.m[0], m.work.A[0], out
    )
