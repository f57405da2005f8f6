"""Geometry that the page draws, from a shape: the skin of the arm as triangles, tendons as polylines.

A shape is the centreline at n stations: arc_length (n,) [m], position (n, 3) [m] and orientation_xyzw (n, 4)
in the world frame, local x along the tangent. Everything here is array in, array out.
"""

import numpy as np

__all__ = ['cage_edges', 'interpolate', 'section_axes', 'tendon_polyline', 'tube_faces', 'tube_vertices']


def section_axes(orientation_xyzw: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4); columns are the sections' axes in the world."""
    x, y, z, w = np.moveaxis(np.asarray(orientation_xyzw, dtype=float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def tube_vertices(position: np.ndarray, orientation_xyzw: np.ndarray, radius: np.ndarray, sides: int = 24):
    """Vertices of a closed tube around the centreline.

    position: (n, 3) [m]; orientation_xyzw: (n, 4); radius: (n,) [m] at each station.
    Returns (n * sides + 2 * sides + 2, 3): one ring a station, then the two end rings once more and the two
    end centres, so that the flat ends get normals of their own and keep a sharp edge.
    """
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    across = section_axes(orientation_xyzw)[:, :, 1:]
    rings = position[:, None, :] + radius[:, None, None] * np.swapaxes(across @ circle, 1, 2)
    return np.concatenate([rings.reshape(-1, 3), rings[0], rings[-1], position[[0, -1]]])


def tube_faces(n: int, sides: int = 24) -> np.ndarray:
    """Triangles (f, 3) over the vertices of `tube_vertices` for n stations, normals outwards."""
    here = np.arange(sides)
    after = (here + 1) % sides
    ring = np.arange(n - 1)[:, None] * sides
    a, b, c, d = ring + here, ring + after, ring + sides + here, ring + sides + after
    side = np.concatenate([np.stack(corners, axis=-1).reshape(-1, 3) for corners in ((a, b, c), (b, d, c))])
    base_ring, tip_ring, base, tip = n * sides, (n + 1) * sides, (n + 2) * sides, (n + 2) * sides + 1
    base_cap = np.stack([np.full(sides, base), base_ring + after, base_ring + here], axis=-1)
    tip_cap = np.stack([np.full(sides, tip), tip_ring + here, tip_ring + after], axis=-1)
    return np.concatenate([side, base_cap, tip_cap]).astype(np.uint32)


def cage_edges(n: int, hoops: int, stringers: int, sides: int = 24) -> np.ndarray:
    """Edges (e, 2) over the vertices of `tube_vertices` for n stations: hoops around, stringers along."""
    here = np.arange(sides)
    rings = np.unique(np.linspace(0, n - 1, hoops).round().astype(int))[:, None] * sides
    around = np.stack([rings + here, rings + (here + 1) % sides], axis=-1).reshape(-1, 2)
    start = np.arange(n - 1)[:, None] * sides + np.arange(0, sides, sides // stringers)
    along = np.stack([start, start + sides], axis=-1).reshape(-1, 2)
    return np.concatenate([around, along])


def interpolate(arc_length: np.ndarray, value: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Piecewise linear value (m, k) of station values (n, k) at arc lengths `at` (m,) [m]."""
    return np.stack([np.interp(at, arc_length, column) for column in value.T], axis=-1)


def tendon_polyline(
    arc_length: np.ndarray,
    position: np.ndarray,
    orientation_xyzw: np.ndarray,
    along: np.ndarray,
    offset: np.ndarray,
) -> np.ndarray:
    """Points (m, 3) [m] of a tendon.

    arc_length (n,), position (n, 3), orientation_xyzw (n, 4): the shape; along: (m,) [m] arc lengths of the
    points; offset: (m, 2) [m] their y and z in the sections there.
    """
    centre = interpolate(arc_length, position, along)
    R = interpolate(arc_length, section_axes(orientation_xyzw).reshape(-1, 9), along).reshape(-1, 3, 3)
    across = R[:, :, 1:] / np.linalg.norm(R[:, :, 1:], axis=1, keepdims=True)
    return centre + np.einsum('mij,mj->mi', across, offset)
