"""Threadlike tendons inside a rod: generalised force, its derivative, and displacement.

A tendon at offset d(X) = [0, y, z] of the section runs along v = l + k x d + d' in the section's frame, with
k, l the angular and linear strain. Under tension T it puts the wrench -T [d x t; t], t = v / |v|, on the
rod (soft_synergies eq 10; sdre eq 11; the papers' negative force is our positive tension, and this module
is the place where the sign turns). Its length inside the rod is the integral of |v|, so the displacement
(tendon that has left the body) and the actuation matrix are

    displacement(q) = length(0) - length(q),     B(q)^T = d displacement / dq.

With friction, tension decays along the tendon by the Capstan law exp(-mu phi), where phi is the angle that
its tangent has turned through since the drive's end (soft_synergies eq 26). Then B is smaller than the
derivative of the displacement, which knows of no friction.

A fluid chamber of area A along the same kind of path presses on sections, and its walls move with them: it
holds the volume V, the integral of A v_x, and pressure p puts the wrench p A [d x e_x; e_x] on the rod
(adaptive_nempc_ddpinn eq 7), so that p dV is its work. It is a thread under compression, of tension -p A, but
for its direction, which is the section's normal: shear and twist leave V alone.
"""

from typing import NamedTuple

import numpy as np

from continua.jit import inner
from continua.lie.blocks import add_basis_gram, add_basis_product
from continua.linalg import assign

__all__ = [
    'TendonArrays',
    'TendonState',
    'add_friction_stiffness',
    'add_tendon_stiffness',
    'make_tendon_state',
    'subtract_tendon_force',
    'tendon_geometry',
    'tendon_length',
]

# Sine of the angle below which a tendon counts as straight; friction has a kink there.
_STRAIGHT = 1e-9


class TendonArrays(NamedTuple):
    """K tendons sampled at the N stations of a rod."""

    offset: np.ndarray  # (K, N, 3) m, d in the section's frame
    slope: np.ndarray  # (K, N, 3) -, d' along the arc length
    weight: np.ndarray  # (K, N) m, quadrature weight; zero where the tendon does not run
    active: np.ndarray  # (K, N) bool, True at the stations that the tendon passes, its ends included
    friction: np.ndarray  # (K,) -, Capstan coefficient mu
    input: np.ndarray  # (K,) which of the inputs acts in it
    # (K,) N of tension per unit of that input: 1 for tendons, minus the area for chambers, and so below zero
    gain: np.ndarray


class TendonState(NamedTuple):
    """How the tendons run through the rod in one configuration: left by `tendon_geometry` for the others."""

    xi: np.ndarray  # (N, 6) strains at the stations
    tangent: np.ndarray  # (K, N, 3) unit tangents in the section frames
    speed: np.ndarray  # (K, N) tendon length per arc length, |v|; meaningless where the tendon does not run
    decay: np.ndarray  # (K, N) what friction leaves of the tension
    turn: np.ndarray  # (N, 3, n) variation of the tangents of the tendon at work
    loss: np.ndarray  # (N, n) variation of the logarithm of its decay


def make_tendon_state(tendons: int, stations: int, dof: int) -> TendonState:
    """Buffers for so many tendons, stations and coordinates."""
    K, N, n = tendons, stations, dof
    return TendonState(
        np.zeros((N, 6)),
        np.zeros((K, N, 3)),
        np.ones((K, N)),
        np.ones((K, N)),
        np.zeros((N, 3, n)),
        np.zeros((N, n)),
    )


@inner
def tendon_geometry(
    t: TendonArrays,
    phi: np.ndarray,
    ref: np.ndarray,
    span: np.ndarray,
    parent: np.ndarray,
    rel_R: np.ndarray,
    q: np.ndarray,
    state: TendonState,
) -> None:
    """Fill the state at coordinates q (n,).

    phi (N, 6, n), ref (N, 6): basis and reference strain at the stations; span (N, 6, 2): columns of phi;
    parent (S,), rel_R (S, 3, 3): how the stations hang together; friction looks only at rel_R.
    """
    for j in range(ref.shape[0]):
        for i in range(6):
            strain = ref[j, i]
            for c in range(span[j, i, 0], span[j, i, 1]):
                strain += phi[j, i, c] * q[c]
            state.xi[j, i] = strain
    for k in range(t.friction.size):
        _run_through(t, k, state.xi, parent, rel_R, state.tangent[k], state.speed[k], state.decay[k])


@inner
def subtract_tendon_force(
    t: TendonArrays,
    phi: np.ndarray,
    span: np.ndarray,
    u: np.ndarray,
    state: TendonState,
    out: np.ndarray,
) -> None:
    """out (n,) -= B(q) u for inputs u (m,): tensions N, pressures Pa."""
    for j in range(phi.shape[0]):
        x, y, z, a, b, c = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        any_pull = False
        for k in range(t.friction.size):
            pull = t.gain[k] * u[t.input[k]] * t.weight[k, j] * state.decay[k, j]
            if pull == 0.0:
                continue
            any_pull = True
            d, v = t.offset[k, j], state.tangent[k, j]
            x += pull * (d[1] * v[2] - d[2] * v[1])
            y += pull * (d[2] * v[0] - d[0] * v[2])
            z += pull * (d[0] * v[1] - d[1] * v[0])
            a += pull * v[0]
            b += pull * v[1]
            c += pull * v[2]
        if not any_pull:
            continue
        for row, part in enumerate((x, y, z, a, b, c)):
            for i in range(span[j, row, 0], span[j, row, 1]):
                out[i] += phi[j, row, i] * part


def tendon_length(t: TendonArrays, state: TendonState) -> np.ndarray:
    """Lengths (K,) m inside the rod."""
    return np.sum(t.weight * state.speed, axis=1)


@inner
def add_tendon_stiffness(
    t: TendonArrays,
    phi: np.ndarray,
    span: np.ndarray,
    own: np.ndarray,
    u: np.ndarray,
    scale: float,
    state: TendonState,
    H: np.ndarray,
    work: np.ndarray,
    out: np.ndarray,
) -> None:
    """out (n, n) -= scale * d(B(q) u)/dq for inputs u (m,), with what friction leaves held fixed.

    span (N, 6, 2), own (N, 2): columns of phi, by strain and in all. H (6, 6) and work (6, n) are scratch.
    """
    for j in range(phi.shape[0]):
        any_tendon = False
        H[:] = 0.0
        for k in range(t.friction.size):
            pull = scale * t.gain[k] * u[t.input[k]] * t.weight[k, j] * state.decay[k, j]
            # The wrench of a chamber does not change with the strain.
            if pull != 0.0 and t.gain[k] > 0.0:
                any_tendon = True
                _add_section_stiffness(pull / state.speed[k, j], t.offset[k, j], state.tangent[k, j], H)
        if any_tendon:
            work[:] = 0.0
            add_basis_product(H, phi[j], 1.0, span[j], work)
            add_basis_gram(phi[j], span[j], work, own[j], out)


@inner
def add_friction_stiffness(
    t: TendonArrays,
    phi: np.ndarray,
    u: np.ndarray,
    scale: float,
    state: TendonState,
    parent: np.ndarray,
    rel_R: np.ndarray,
    d_segment: np.ndarray,
    out: np.ndarray,
) -> None:
    """out (n, n) -= scale * d(B(q) u)/dq by what friction leaves.

    d_segment (S, 6, n): body variation of each segment's relative pose with the coordinates.
    """
    for k in range(t.friction.size):
        tension = scale * t.gain[k] * u[t.input[k]]
        if t.friction[k] == 0.0 or tension == 0.0:
            continue
        for j in range(phi.shape[0]):
            if not t.active[k, j]:
                continue
            _vary_tangent(phi[j], t.offset[k, j], state.tangent[k, j], state.speed[k, j], state.turn[j])
            state.loss[j] = 0.0
            if j == 0 or not t.active[k, parent[j - 1]]:
                continue
            before = parent[j - 1]
            assign(state.loss[before], state.loss[j])
            _vary_decay(
                t.friction[k],
                state.tangent[k, before],
                rel_R[j - 1],
                state.tangent[k, j],
                state.turn[before],
                state.turn[j],
                d_segment[j - 1],
                state.loss[j],
            )
            pull = tension * t.weight[k, j] * state.decay[k, j]
            if pull != 0.0:
                _subtract_outer(pull, t.offset[k, j], state.tangent[k, j], phi[j], state.loss[j], out)


@inner
def _vary_tangent(phi: np.ndarray, d: np.ndarray, u: np.ndarray, speed: float, turn: np.ndarray) -> None:
    """turn (3, n): variation of the unit tangent, (I - u uT) (dl + dk x d) / |v| for strains phi (6, n)."""
    for b in range(turn.shape[1]):
        x = phi[3, b] + phi[1, b] * d[2] - phi[2, b] * d[1]
        y = phi[4, b] + phi[2, b] * d[0] - phi[0, b] * d[2]
        z = phi[5, b] + phi[0, b] * d[1] - phi[1, b] * d[0]
        along = x * u[0] + y * u[1] + z * u[2]
        turn[0, b] = (x - along * u[0]) / speed
        turn[1, b] = (y - along * u[1]) / speed
        turn[2, b] = (z - along * u[2]) / speed


@inner
def _vary_decay(
    friction: float,
    a: np.ndarray,
    R: np.ndarray,
    b: np.ndarray,
    turn_a: np.ndarray,
    turn_b: np.ndarray,
    segment: np.ndarray,
    loss: np.ndarray,
) -> None:
    """Add the variation of -mu times the angle between the tangents a and R b to loss (n,)."""
    sine = np.sin(_angle(a, R, b))
    if sine < _STRAIGHT:
        return
    for c in range(loss.size):
        # b turns by itself, and with the segment
        x = turn_b[0, c] + segment[1, c] * b[2] - segment[2, c] * b[1]
        y = turn_b[1, c] + segment[2, c] * b[0] - segment[0, c] * b[2]
        z = turn_b[2, c] + segment[0, c] * b[1] - segment[1, c] * b[0]
        for i in range(3):
            cosine = turn_a[i, c] * (R[i, 0] * b[0] + R[i, 1] * b[1] + R[i, 2] * b[2])
            cosine += a[i] * (R[i, 0] * x + R[i, 1] * y + R[i, 2] * z)
            loss[c] += friction / sine * cosine


@inner
def _subtract_outer(
    pull: float, d: np.ndarray, u: np.ndarray, phi: np.ndarray, loss: np.ndarray, out: np.ndarray
) -> None:
    """out (n, n) += pull phiT [d x u; u] loss: minus the tendon's force, the negative of this wrench."""
    x, y, z = d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]
    for i in range(phi.shape[1]):
        row = pull * (phi[0, i] * x + phi[1, i] * y + phi[2, i] * z)
        row += pull * (phi[3, i] * u[0] + phi[4, i] * u[1] + phi[5, i] * u[2])
        if row != 0.0:
            for c in range(loss.size):
                out[i, c] += row * loss[c]


@inner
def _run_through(
    t: TendonArrays,
    k: int,
    xi: np.ndarray,
    parent: np.ndarray,
    rel_R: np.ndarray,
    tangent: np.ndarray,
    speed: np.ndarray,
    decay: np.ndarray,
) -> None:
    """Tangents (N, 3), speeds and decays (N,) of tendon k."""
    for j in range(decay.size):
        if not t.active[k, j]:
            continue
        d, slope = t.offset[k, j], t.slope[k, j]
        # v = l + k x d + d'
        x = xi[j, 3] + xi[j, 1] * d[2] - xi[j, 2] * d[1] + slope[0]
        y = xi[j, 4] + xi[j, 2] * d[0] - xi[j, 0] * d[2] + slope[1]
        z = xi[j, 5] + xi[j, 0] * d[1] - xi[j, 1] * d[0] + slope[2]
        if t.gain[k] < 0.0:
            y, z = 0.0, 0.0
        speed[j] = np.sqrt(x * x + y * y + z * z)
        tangent[j, 0], tangent[j, 1], tangent[j, 2] = x / speed[j], y / speed[j], z / speed[j]
        if j == 0 or t.friction[k] == 0.0:
            continue
        before = parent[j - 1]
        if t.active[k, before]:
            turned = _angle(tangent[before], rel_R[j - 1], tangent[j])
            decay[j] = decay[before] * np.exp(-t.friction[k] * turned)


@inner
def _angle(a: np.ndarray, R: np.ndarray, b: np.ndarray) -> float:
    """Angle between the unit vectors a and R b; rad."""
    c0 = R[0, 0] * b[0] + R[0, 1] * b[1] + R[0, 2] * b[2]
    c1 = R[1, 0] * b[0] + R[1, 1] * b[1] + R[1, 2] * b[2]
    c2 = R[2, 0] * b[0] + R[2, 1] * b[1] + R[2, 2] * b[2]
    x, y, z = a[1] * c2 - a[2] * c1, a[2] * c0 - a[0] * c2, a[0] * c1 - a[1] * c0
    return np.arctan2(np.sqrt(x * x + y * y + z * z), a[0] * c0 + a[1] * c1 + a[2] * c2)


@inner
def _add_section_stiffness(c: float, d: np.ndarray, u: np.ndarray, H: np.ndarray) -> None:
    """H (6, 6) += c PT (I - u uT) P, P = [-hat(d), I]: the derivative of c |v| [d x t; t] in the strain."""
    along = (
        d[1] * u[2] - d[2] * u[1],
        d[2] * u[0] - d[0] * u[2],
        d[0] * u[1] - d[1] * u[0],
        u[0],
        u[1],
        u[2],
    )
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    for r in range(6):
        for s in range(6):
            H[r, s] -= c * along[r] * along[s]
    for r in range(3):
        s, t = (r + 1) % 3, (r + 2) % 3
        for i in range(3):
            H[r, i] -= c * d[r] * d[i]
        H[r, r] += c * square
        H[r + 3, r + 3] += c
        # the blocks hat(d) and -hat(d)
        H[r, s + 3] -= c * d[t]
        H[r, t + 3] += c * d[s]
        H[r + 3, s] += c * d[t]
        H[r + 3, t] -= c * d[s]
