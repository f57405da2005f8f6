"""The equation of motion as one residual: inverse dynamics minus actuation, and its exact derivative."""

from typing import NamedTuple

import numpy as np

from continua.actuation.threadlike import (
    TendonArrays,
    TendonState,
    add_tendon_stiffness,
    make_tendon_state,
    subtract_tendon_force,
    tendon_geometry,
)
from continua.jit import njit
from continua.rod.arrays import RodArrays, Workspace, make_workspace
from continua.rod.inverse_dynamics import inverse_dynamics
from continua.rod.tangent_dynamics import tangent_dynamics

__all__ = ['Model', 'make_model', 'residual', 'residual_tangent']


class Model(NamedTuple):
    """A rod, its tendons, and the buffers of their kernels: one model serves one thread."""

    rod: RodArrays
    tendons: TendonArrays
    work: Workspace  # both of the last evaluation
    routing: TendonState


def make_model(rod: RodArrays, tendons: TendonArrays) -> Model:
    """Allocate the buffers for a rod and its tendons."""
    K, N = tendons.weight.shape
    return Model(rod, tendons, make_workspace(N - 1, rod.stiffness.shape[0]), make_tendon_state(K, N))


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
    tendon_geometry(m.tendons, m.rod.phi, m.rod.ref, m.rod.parent, m.work.rel_R, q, m.routing)
    subtract_tendon_force(m.tendons, m.rod.phi, tension, m.routing, r)


@njit
def residual_tangent(m: Model, a0: float, a1: float, a2: float, tension: np.ndarray, out: np.ndarray) -> None:
    """out (n, n) = a0 dr/dq + a1 dr/dqd + a2 dr/dqdd at the point of the last `residual`."""
    tangent_dynamics(m.rod, a0, a1, a2, m.work, out)
    add_tendon_stiffness(
        m.tendons, m.rod.phi, tension, a0, m.routing, m.work.matrix[0], m.work.columns[0], out
    )
