"""The equation of motion as one residual, and its exact derivative.

Of n coordinates and k constraints, with multipliers lambda (the reactions):

    r[:n] = M qdd + (C + D) qd + K q - F - B u - A^T lambda      (soft_synergies eq 9)
    r[n:] = A qd + rate e(q)                                     (`constraints`)
"""

from typing import NamedTuple

import numpy as np

from continua.actuation.cables import (
    CableArrays,
    CableState,
    add_cable_forces,
    add_cable_tangent,
    make_cable_state,
)
from continua.actuation.threadlike import (
    TendonArrays,
    TendonState,
    add_friction_stiffness,
    add_tendon_stiffness,
    make_tendon_state,
    subtract_tendon_force,
    tendon_geometry,
)
from continua.jit import Held, njit
from continua.linalg import assign
from continua.rod.arrays import Conditions, RodArrays, Workspace, make_workspace
from continua.rod.constraints import (
    ConstraintArrays,
    ConstraintState,
    add_constraint_tangent,
    add_reactions,
    constraint_rows,
    make_constraint_state,
)
from continua.rod.contacts import (
    ContactArrays,
    ContactState,
    add_contact_forces,
    add_contact_tangent,
    make_contact_state,
)
from continua.rod.inverse_dynamics import add_loads, forward, project
from continua.rod.springs import SpringArrays, add_spring_forces, add_spring_tangent
from continua.rod.tangent_dynamics import forward_tangent, project_tangent

__all__ = [
    'DriveArrays',
    'Model',
    'Parts',
    'make_model',
    'residual',
    'residual_tangent',
]


class DriveArrays(NamedTuple):
    """P force drives: inputs that act on a coordinate of a joint (S^T u, soft_synergies eq 36e)."""

    input: np.ndarray  # (P,)
    direction: np.ndarray  # (P, n) the joint coordinate, x = direction . q


class Parts(NamedTuple):
    """Constant data of a linkage with everything that acts in it."""

    rod: RodArrays
    springs: SpringArrays
    tendons: TendonArrays
    cables: CableArrays
    drives: DriveArrays
    contacts: ContactArrays
    constraints: ConstraintArrays


class Model(NamedTuple):
    """The parts, and the buffers of their kernels: one model serves one thread."""

    rod: RodArrays
    springs: SpringArrays
    tendons: TendonArrays
    cables: CableArrays
    drives: DriveArrays
    contacts: ContactArrays
    constraints: ConstraintArrays
    work: Workspace  # this and all below: of the last evaluation
    routing: TendonState
    spans: CableState
    touch: ContactState
    closure: ConstraintState
    q: np.ndarray  # (n,)


def make_model(parts: Parts) -> Held:
    """The parts with buffers: a held `Model`."""
    K, N = parts.tendons.weight.shape
    n = parts.rod.stiffness.shape[0]
    model = Model(
        *parts,
        work=make_workspace(N - 1, n),
        routing=make_tendon_state(K, N, n),
        spans=make_cable_state(parts.cables.input.size),
        touch=make_contact_state(parts.contacts.radius.size, parts.contacts.station.size),
        closure=make_constraint_state(parts.constraints.station.shape[0]),
        q=np.zeros(n),
    )
    return Held(model)


@njit
def residual(
    model: Held,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    reaction: np.ndarray,
    acting: Conditions,
    r: np.ndarray,
) -> None:
    """r (n + k,) of the module's equation at coordinates, rates and accelerations (n,), reaction (k,)."""
    m = model[0]
    assign(q, m.q)
    forward(m.rod, q, qd, qdd, acting.gravity, m.work)
    add_loads(acting.dead, acting.following, m.work)
    add_cable_forces(m.cables, acting.u, m.work.R, m.work.p, m.spans, m.work.wrench)
    add_contact_forces(m.contacts, m.work, m.touch)
    add_reactions(m.constraints, reaction, m.work, m.closure)
    project(m.rod, q, qd, m.work, r)
    add_spring_forces(m.springs, q, r)
    tendon_geometry(m.tendons, m.rod.phi, m.rod.ref, m.rod.span, m.rod.parent, m.work.rel_R, q, m.routing)
    subtract_tendon_force(m.tendons, m.rod.phi, m.rod.span, acting.u, m.routing, r)
    for k in range(m.drives.input.size):
        for c in range(q.size):
            r[c] -= m.drives.direction[k, c] * acting.u[m.drives.input[k]]
    constraint_rows(m.constraints, q, qd, acting, reaction, m.work, m.closure, r)


@njit
def residual_tangent(
    model: Held, a0: float, a1: float, a2: float, acting: Conditions, out: np.ndarray
) -> None:
    """out (n + k, n + k) = a0 dr/dq + a1 dr/dqd + a2 dr/dqdd at the point of the last `residual`; its last k
    columns are dr/dreaction. With constraints, a0 must not be 0."""
    m = model[0]
    out[:] = 0.0
    forward_tangent(m.rod, a0, a1, a2, m.work)
    columns, phi = m.work.columns, m.rod.phi
    add_cable_tangent(m.cables, m.work.R, m.work.d_pose, m.spans, columns[0], columns[1], m.work.d_wrench)
    add_contact_tangent(m.contacts, m.work, m.touch)
    add_constraint_tangent(m.constraints, a0, a1, m.work, m.closure, out)
    project_tangent(m.rod, a0, a1, m.work, out)
    add_spring_tangent(m.springs, m.q, a0, out)
    add_tendon_stiffness(
        m.tendons, phi, m.rod.span, m.rod.own, acting.u, a0, m.routing, m.work.matrix[0], columns[0], out
    )
    add_friction_stiffness(
        m.tendons, phi, acting.u, a0, m.routing, m.rod.parent, m.work.rel_R, m.work.TZ, out
    )
