"""Which coordinates move what: ranges of columns outside of which the kernels need not look.

A strain is spanned by few of a linkage's coordinates, and a station is moved only by those between it and the
base. Ranges are [from, to), empty ones (0, 0), and unsigned: a loop over signed ones would ask at each column
whether it counts from the end, and would not be vectorised.
"""

import numpy as np

__all__ = ['cable_columns', 'find_columns', 'pair_columns']


def find_columns(
    parent: np.ndarray, phi: np.ndarray, phi_1: np.ndarray, phi_2: np.ndarray
) -> dict[str, np.ndarray]:
    """The ranges `span`, `own` and `reach` of `RodArrays`, of the bases at stations (N, 6, n) and Zannah
    points (S, 6, n)."""
    used = phi != 0.0
    used[1:] |= (phi_1 != 0.0) | (phi_2 != 0.0)
    span = np.array([[_range(row) for row in rows] for rows in used], dtype=np.uint64)
    own = np.array([_range(rows.any(axis=0)) for rows in used], dtype=np.uint64)
    reach = np.zeros_like(own)
    for s, before in enumerate(parent):
        moved = np.any((phi_1[s] != 0.0) | (phi_2[s] != 0.0), axis=0)
        reach[s + 1] = _union(reach[before], _range(moved))
    return {'span': span, 'own': own, 'reach': reach}


def pair_columns(station: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """(L, 2) what moves either of two stations (L, 2)."""
    return np.array([_union(reach[a], reach[b]) for a, b in station], dtype=np.uint64).reshape(-1, 2)


def cable_columns(station: np.ndarray, is_first: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """(S, 2) what moves the cable up to the end of each of its spans."""
    out = pair_columns(station, reach)
    for s in range(1, len(out)):
        if not is_first[s]:
            out[s] = _union(out[s - 1], out[s])
    return out


def _range(used: np.ndarray) -> tuple[int, int]:
    found = np.flatnonzero(used)
    return (int(found[0]), int(found[-1]) + 1) if found.size else (0, 0)


def _union(a, b) -> tuple[int, int]:
    if a[0] == a[1]:
        return int(b[0]), int(b[1])
    if b[0] == b[1]:
        return int(a[0]), int(a[1])
    return int(min(a[0], b[0])), int(max(a[1], b[1]))
