"""Cables through points of the linkage: disk guides with Capstan friction, and cables across rigid bodies.

A cable runs straight from point to point, each fixed in the frame of a station; between two points it is a
span of direction v and tension T. It pulls its two points together with v T, so that a point between two
spans bears v_L T_L + v_R T_R (soft_synergies eqs 24 and 28; sdre eq 24), a wrench at its station that the
projection of the linkage carries to the coordinates (soft_synergies eq 29; sdre eqs 25, 26). Where the cable
bends by phi around a point, friction leaves exp(-mu phi) of the tension (soft_synergies eqs 26, 27; sdre
eq 23). The drive pulls at the first point; tensions are positive.
"""

from typing import NamedTuple

import numpy as np

from continua.jit import inner
from continua.linalg import assign

__all__ = [
    'CableArrays',
    'CableState',
    'add_cable_forces',
    'add_cable_tangent',
    'cable_length',
    'make_cable_state',
]

# Sine of the angle below which a cable counts as straight; friction has a kink there.
_STRAIGHT = 1e-9


class CableArrays(NamedTuple):
    """P spans, those of a cable together and in order from the drive."""

    input: np.ndarray  # (P,) which of the inputs is the tension of the cable
    is_first: np.ndarray  # (P,) bool, True where a cable begins
    station: np.ndarray  # (P, 2) the stations that the span joins
    offset: np.ndarray  # (P, 2, 3) m, its ends in their frames
    friction: np.ndarray  # (P,) -, Capstan coefficient mu
    columns: np.ndarray  # (P, 2) range of coordinates that move the cable up to the end of the span


class CableState(NamedTuple):
    """Spans in one configuration: left by `add_cable_forces` for the others."""

    direction: np.ndarray  # (P, 3) unit vector from the first end to the second, in world
    length: np.ndarray  # (P,) m
    tension: np.ndarray  # (P,) N
    force: np.ndarray  # (P, 2, 3) N, on both ends in their stations' frames


def make_cable_state(spans: int) -> CableState:
    """Buffers for so many spans."""
    return CableState(np.zeros((spans, 3)), np.zeros(spans), np.zeros(spans), np.zeros((spans, 2, 3)))


@inner
def add_cable_forces(
    c: CableArrays, u: np.ndarray, R: np.ndarray, p: np.ndarray, state: CableState, wrench: np.ndarray
) -> None:
    """Take the cables' pull from the wrenches (N, 6) that the linkage has to bear.

    u (m,): inputs. R (N, 3, 3), p (N, 3): poses of the stations.
    """
    for s in range(c.input.size):
        a, b = c.station[s, 0], c.station[s, 1]
        d, square = state.direction[s], 0.0
        for i in range(3):
            d[i] = p[b, i] - p[a, i]
            for k in range(3):
                d[i] += R[b, i, k] * c.offset[s, 1, k] - R[a, i, k] * c.offset[s, 0, k]
            square += d[i] * d[i]
        state.length[s] = np.sqrt(square)
        for i in range(3):
            d[i] /= state.length[s]
        state.tension[s] = u[c.input[s]] if c.is_first[s] else state.tension[s - 1] * _left(c, s, state)
        for end, sign in ((0, 1.0), (1, -1.0)):
            j, o, f = c.station[s, end], c.offset[s, end], state.force[s, end]
            for i in range(3):
                f[i] = sign * state.tension[s] * (R[j, 0, i] * d[0] + R[j, 1, i] * d[1] + R[j, 2, i] * d[2])
            wrench[j, 0] -= o[1] * f[2] - o[2] * f[1]
            wrench[j, 1] -= o[2] * f[0] - o[0] * f[2]
            wrench[j, 2] -= o[0] * f[1] - o[1] * f[0]
            for i in range(3):
                wrench[j, i + 3] -= f[i]


@inner
def add_cable_tangent(
    c: CableArrays,
    R: np.ndarray,
    d_pose: np.ndarray,
    state: CableState,
    turn: np.ndarray,
    work: np.ndarray,
    d_wrench: np.ndarray,
) -> None:
    """Take the variation of the cables' pull from d_wrench (N, 6, n), for poses varied by d_pose (N, 6, n).

    turn, work (6, n) are scratch: variations of the directions of this span and of the one before; of the
    force, and of the logarithm of the tension.
    """
    force, loss = work[:3], work[3]
    for s in range(c.input.size):
        columns = c.columns[s]
        assign(turn[:3], turn[3:])
        _vary_direction(c, s, R, d_pose, state, turn)
        if c.is_first[s]:
            loss[:] = 0.0
        elif c.friction[s] != 0.0:
            _vary_tension(c, s, state, turn, columns, loss)
        d, tension = state.direction[s], state.tension[s]
        for i in range(3):
            for b in range(columns[0], columns[1]):
                force[i, b] = tension * (turn[i, b] + d[i] * loss[b])
        for end, sign in ((0, 1.0), (1, -1.0)):
            k = c.station[s, end]
            _add_force_tangent(
                R[k], c.offset[s, end], state.force[s, end], d_pose[k], sign, force, columns, d_wrench[k]
            )


@inner
def _vary_direction(
    c: CableArrays, s: int, R: np.ndarray, d_pose: np.ndarray, state: CableState, turn: np.ndarray
) -> None:
    """turn[:3]: variation (3, n) of the direction of span s, (I - d dT) (dp_b - dp_a) / length."""
    turn[:3] = 0.0
    d, length, columns = state.direction[s], state.length[s], c.columns[s]
    for end, sign in ((0, -1.0), (1, 1.0)):
        k, o = c.station[s, end], c.offset[s, end]
        for i in range(3):
            x, y, z = sign * R[k, i, 0], sign * R[k, i, 1], sign * R[k, i, 2]
            # R (d_position + d_angle x o)
            kx, ky, kz = o[1] * z - o[2] * y, o[2] * x - o[0] * z, o[0] * y - o[1] * x
            for b in range(columns[0], columns[1]):
                turn[i, b] += x * d_pose[k, 3, b] + y * d_pose[k, 4, b] + z * d_pose[k, 5, b]
                turn[i, b] += kx * d_pose[k, 0, b] + ky * d_pose[k, 1, b] + kz * d_pose[k, 2, b]
    for b in range(columns[0], columns[1]):
        along = d[0] * turn[0, b] + d[1] * turn[1, b] + d[2] * turn[2, b]
        for i in range(3):
            turn[i, b] = (turn[i, b] - along * d[i]) / length


@inner
def _vary_tension(
    c: CableArrays, s: int, state: CableState, turn: np.ndarray, columns: np.ndarray, loss: np.ndarray
) -> None:
    """Add the variation of -mu phi at the first point of span s to loss (n,); none where it is straight."""
    a, b = state.direction[s - 1], state.direction[s]
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    sine = np.sqrt(x * x + y * y + z * z)
    if sine > _STRAIGHT:
        for k in range(columns[0], columns[1]):
            for i in range(3):
                loss[k] += c.friction[s] / sine * (turn[i + 3, k] * b[i] + a[i] * turn[i, k])


def cable_length(c: CableArrays, state: CableState, inputs: int) -> np.ndarray:
    """Length (inputs,) m of the cable of each input, 0 for inputs that are no cables."""
    return np.bincount(c.input, weights=state.length, minlength=inputs)


@inner
def _left(c: CableArrays, s: int, state: CableState) -> float:
    """What friction leaves of the tension of the span before span s."""
    if c.friction[s] == 0.0:
        return 1.0
    a, b = state.direction[s - 1], state.direction[s]
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    angle = np.arctan2(np.sqrt(x * x + y * y + z * z), a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
    return np.exp(-c.friction[s] * angle)


@inner
def _add_force_tangent(
    R: np.ndarray,
    o: np.ndarray,
    f: np.ndarray,
    d_pose: np.ndarray,
    sign: float,
    d_force: np.ndarray,
    columns: np.ndarray,
    d_wrench: np.ndarray,
) -> None:
    """Take from d_wrench (6, n) that of the force f (3,) at o (3,), in body axes; in world it varies by
    sign * d_force (3, n), both in a range of columns."""
    for b in range(columns[0], columns[1]):
        x, y, z = sign * d_force[0, b], sign * d_force[1, b], sign * d_force[2, b]
        p, q, r = d_pose[0, b], d_pose[1, b], d_pose[2, b]
        # R^T d_force + f x d_angle
        fx = R[0, 0] * x + R[1, 0] * y + R[2, 0] * z + f[1] * r - f[2] * q
        fy = R[0, 1] * x + R[1, 1] * y + R[2, 1] * z + f[2] * p - f[0] * r
        fz = R[0, 2] * x + R[1, 2] * y + R[2, 2] * z + f[0] * q - f[1] * p
        d_wrench[0, b] -= o[1] * fz - o[2] * fy
        d_wrench[1, b] -= o[2] * fx - o[0] * fz
        d_wrench[2, b] -= o[0] * fy - o[1] * fx
        d_wrench[3, b] -= fx
        d_wrench[4, b] -= fy
        d_wrench[5, b] -= fz
