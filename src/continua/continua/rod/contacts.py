"""Contact with planes and spheres: a penalty that pushes sections out of obstacles.

A section that reaches a distance d into an obstacle of stiffness k and damping c is pushed out along the
normal with (k d - c v) times its share of the link's length, never pulled in; v is its speed outwards. So a
link that lies on a plane with all its length meets k. There is no friction along the surface.
"""

from typing import NamedTuple

import numpy as np

from continua.jit import inner
from continua.linalg import assign
from continua.rod.arrays import Workspace

__all__ = ['ContactArrays', 'ContactState', 'add_contact_forces', 'add_contact_tangent', 'make_contact_state']


class ContactArrays(NamedTuple):
    """P obstacles and Q sections that they push."""

    point: np.ndarray  # (P, 3) m, in world: on the plane, or the centre of the sphere
    normal: np.ndarray  # (P, 3) outward unit normal of a plane, zeros for a sphere
    radius: np.ndarray  # (P,) m, 0 for a plane
    stiffness: np.ndarray  # (P,) N/m
    damping: np.ndarray  # (P,) N s/m
    station: np.ndarray  # (Q,)
    reach: np.ndarray  # (Q,) m, from the centre line to the skin
    share: np.ndarray  # (Q,) of the link's length


class ContactState(NamedTuple):
    """Contacts in one configuration: left by `add_contact_forces` for its tangent."""

    normal: np.ndarray  # (P, Q, 3) out of the obstacle, in world
    distance: np.ndarray  # (P, Q) m, from a sphere's centre; 0 for a plane
    force: np.ndarray  # (P, Q) N


def make_contact_state(obstacles: int, sections: int) -> ContactState:
    """Buffers for so many obstacles and sections."""
    P, Q = obstacles, sections
    return ContactState(np.zeros((P, Q, 3)), np.zeros((P, Q)), np.zeros((P, Q)))


@inner
def add_contact_forces(c: ContactArrays, w: Workspace, state: ContactState) -> None:
    """Take the contacts' forces from the wrenches that the linkage has to bear."""
    for k in range(c.radius.size):
        for i in range(c.station.size):
            j, n = c.station[i], state.normal[k, i]
            depth = _approach(c, k, i, w.p[j], n, state)
            state.force[k, i] = 0.0
            if depth <= 0.0:
                continue
            speed = 0.0
            for r in range(3):
                for s in range(3):
                    speed += n[r] * w.R[j, r, s] * w.eta[j, s + 3]
            state.force[k, i] = c.share[i] * max(0.0, c.stiffness[k] * depth - c.damping[k] * speed)
            for r in range(3):
                for s in range(3):
                    w.wrench[j, r + 3] -= w.R[j, s, r] * n[s] * state.force[k, i]


@inner
def add_contact_tangent(c: ContactArrays, w: Workspace, state: ContactState) -> None:
    """Take the variation of the contacts' forces from w.d_wrench; poses and twists vary by d_pose, d_eta."""
    move, push = w.columns[0], w.columns[1]
    for k in range(c.radius.size):
        for i in range(c.station.size):
            force = state.force[k, i]
            if force == 0.0:
                continue
            j, n = c.station[i], state.normal[k, i]
            R, d_pose, d_eta, v = w.R[j], w.d_pose[j], w.d_eta[j], w.eta[j]
            inverse = 1.0 / state.distance[k, i] if state.distance[k, i] > 0.0 else 0.0
            for b in range(move.shape[1]):
                p, q, r = d_pose[0, b], d_pose[1, b], d_pose[2, b]
                # variation of the velocity in body axes, d_angle x v and its own
                x = d_eta[3, b] + q * v[5] - r * v[4]
                y = d_eta[4, b] + r * v[3] - p * v[5]
                z = d_eta[5, b] + p * v[4] - q * v[3]
                out, speed = 0.0, 0.0
                for s in range(3):
                    move[s, b] = R[s, 0] * d_pose[3, b] + R[s, 1] * d_pose[4, b] + R[s, 2] * d_pose[5, b]
                    out += n[s] * move[s, b]
                    speed += n[s] * (R[s, 0] * x + R[s, 1] * y + R[s, 2] * z)
                for s in range(3):
                    turn = inverse * (move[s, b] - out * n[s])
                    speed += turn * (R[s, 0] * v[3] + R[s, 1] * v[4] + R[s, 2] * v[5])
                    move[s, b] = turn
                change = -c.share[i] * (c.stiffness[k] * out + c.damping[k] * speed)
                for s in range(3):
                    push[s, b] = force * move[s, b] + change * n[s]
                fx = force * (R[0, 0] * n[0] + R[1, 0] * n[1] + R[2, 0] * n[2])
                fy = force * (R[0, 1] * n[0] + R[1, 1] * n[1] + R[2, 1] * n[2])
                fz = force * (R[0, 2] * n[0] + R[1, 2] * n[1] + R[2, 2] * n[2])
                turned = (fy * r - fz * q, fz * p - fx * r, fx * q - fy * p)
                for s in range(3):
                    w.d_wrench[j, s + 3, b] -= turned[s]
                    for t in range(3):
                        w.d_wrench[j, s + 3, b] -= R[t, s] * push[t, b]


@inner
def _approach(c: ContactArrays, k: int, i: int, p: np.ndarray, n: np.ndarray, state: ContactState) -> float:
    """How far (m) section i reaches into obstacle k; sets the normal n (3,) and the distance."""
    if c.radius[k] == 0.0:
        assign(c.normal[k], n)
        outside = 0.0
        for r in range(3):
            outside += n[r] * (p[r] - c.point[k, r])
        return c.reach[i] - outside
    square = 0.0
    for r in range(3):
        n[r] = p[r] - c.point[k, r]
        square += n[r] * n[r]
    distance = max(np.sqrt(square), 1e-12)
    for r in range(3):
        n[r] /= distance
    state.distance[k, i] = distance
    return c.reach[i] + c.radius[k] - distance
