"""The discretised linkage as plain arrays: what the kernels see.

A linkage is a tree of *stations* (computational points) joined by *segments*. Station 0 is the fixed base;
segment s leads from station `parent[s]` to station s + 1 by

    g_child = g_parent exp(Omega_s),   Omega_s = h/2 (xi_1 + xi_2) + commutator ad_{xi_1} xi_2,

the fourth-order Magnus expansion with strains xi_i = phi_i q + ref_i at the segment's two Zannah points
(`commutator` = sqrt(3) h^2 / 12). A joint is the special case phi_1 = phi_2 = its twist with h = 1, a fixed
offset the one without phi. Inertia sits at stations: quadrature weight times density for a soft link, lumped
for a rigid body. So soft, rigid and hybrid linkages run through the same kernels (soft_synergies, section
II-C).
"""

from typing import NamedTuple

import numpy as np

__all__ = ['Conditions', 'RodArrays', 'Workspace', 'coordinates', 'make_workspace']


class RodArrays(NamedTuple):
    """Constant data of a linkage with n degrees of freedom, S segments and N = S + 1 stations."""

    parent: np.ndarray  # (S,) station at which each segment begins
    h: np.ndarray  # (S,) m, length of each segment
    commutator: np.ndarray  # (S,) m^2, sqrt(3) h^2 / 12
    phi_1: np.ndarray  # (S, 6, n) strain basis at the first Zannah point
    phi_2: np.ndarray  # (S, 6, n) strain basis at the second Zannah point
    ref_1: np.ndarray  # (S, 6) reference strain there
    ref_2: np.ndarray  # (S, 6)
    arc_length: np.ndarray  # (N,) m, arc length of each station on its link
    weight: np.ndarray  # (N,) m, quadrature weight of each station
    phi: np.ndarray  # (N, 6, n) strain basis at the stations
    ref: np.ndarray  # (N, 6) reference strain at the stations
    span: np.ndarray  # (N, 6, 2) range of columns of each strain, at a station and the two points before it
    own: np.ndarray  # (N, 2) range of columns of all of them
    reach: np.ndarray  # (N, 2) range of columns that move the station
    inertia: np.ndarray  # (N, 6, 6) kg m^2, kg m, kg: station inertia, weight included
    stiffness: np.ndarray  # (n, n) K, eq 36d
    damping: np.ndarray  # (n, n) D, eq 36c
    base_R: np.ndarray  # (3, 3) world <- base
    base_p: np.ndarray  # (3,) m
    gravity: np.ndarray  # (3,) m/s^2, in world


class Conditions(NamedTuple):
    """What acts on a linkage with m inputs, N stations and P position drives."""

    u: np.ndarray  # (m,) N, Pa, N m: tendons, chambers and force drives
    gravity: float  # share of the gravity that acts: 1 with, 0 without
    dead: np.ndarray  # (N, 6) N m, N: wrenches at the stations that keep their direction in the world
    following: np.ndarray  # (N, 6) N m, N: wrenches that turn with their station, in its frame
    target: np.ndarray  # (P,) rad or m: where position drives lead their coordinates
    target_rate: np.ndarray  # (P,) rad/s or m/s: how fast these move


class Workspace(NamedTuple):
    """Buffers of the kernels, allocated once per rod; what a forward pass leaves for the tangent pass."""

    R: np.ndarray  # (N, 3, 3) world <- station
    p: np.ndarray  # (N, 3) m
    xi: np.ndarray  # (S, 6, 6) rows: strain, rate, acceleration at Zannah point 1, then at point 2
    omega: np.ndarray  # (S, 3, 6) Magnus expansion and its first two rates
    rel_R: np.ndarray  # (S, 3, 3) parent <- child of each segment
    rel_p: np.ndarray  # (S, 3) m
    T: np.ndarray  # (S, 6, 6) tangent map of each segment
    Td: np.ndarray  # (S, 6, 6) its rate
    zeta: np.ndarray  # (S, 2, 6) relative twist of each segment and its rate
    eta: np.ndarray  # (N, 6) rad/s, m/s: body twist of each station
    acc: np.ndarray  # (N, 6) body acceleration, gravity included
    wrench: np.ndarray  # (N, 6) N m, N: wrench through each station, in its frame
    lam: np.ndarray  # (S, 6) the same wrench as a force on the segment's Omega, T^T wrench
    load: np.ndarray  # (N, 6) N m, N: dead load at each station, in its frame
    Z: np.ndarray  # (S, 6, n) d Omega / d q
    Zd: np.ndarray  # (6, n) its rate, of the segment at work
    TZ: np.ndarray  # (S, 6, n) tangent map times Z
    d_pose: np.ndarray  # (N, 6, n) tangent of the pose of each station
    d_eta: np.ndarray  # (N, 6, n)
    d_acc: np.ndarray  # (N, 6, n)
    d_wrench: np.ndarray  # (N, 6, n)
    columns: np.ndarray  # (3, 6, n) scratch of one kernel, as are the two below
    matrix: np.ndarray  # (3, 6, 6)
    vector: np.ndarray  # (3, 6)


def make_workspace(segments: int, dof: int) -> Workspace:
    """Zeroed buffers for a linkage of this size."""
    N, S, n = segments + 1, segments, dof
    shapes = {
        'R': (N, 3, 3), 'p': (N, 3), 'xi': (S, 6, 6), 'omega': (S, 3, 6), 'rel_R': (S, 3, 3), 'rel_p': (S, 3),
        'T': (S, 6, 6), 'Td': (S, 6, 6), 'zeta': (S, 2, 6), 'eta': (N, 6), 'acc': (N, 6), 'wrench': (N, 6),
        'lam': (S, 6), 'load': (N, 6), 'Z': (S, 6, n), 'Zd': (6, n), 'TZ': (S, 6, n), 'd_pose': (N, 6, n),
        'd_eta': (N, 6, n), 'd_acc': (N, 6, n), 'd_wrench': (N, 6, n), 'columns': (3, 6, n),
        'matrix': (3, 6, 6), 'vector': (3, 6),
    }  # fmt: skip
    return Workspace(**{name: np.zeros(shape) for name, shape in shapes.items()})


def coordinates(q: np.ndarray, dof: int, name: str = 'q') -> np.ndarray:
    """q as the kernels need it: a vector (dof,) of floats in memory of its own.

    A view that is strided or read-only would make numba compile every kernel once more. Raises ValueError
    for another shape.
    """
    q = np.array(q, dtype=float)
    if q.shape != (dof,):
        raise ValueError(f'{name}: expected {dof} generalised coordinates, got an array of shape {q.shape}')
    return q
