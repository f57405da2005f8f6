"""The skin of a robot's links as closed triangle meshes in the world."""

from dataclasses import dataclass

import numpy as np

from continua.lie.so3 import matrix_from_quaternion
from continua.rod.rod import Rod
from continua.rod.sampler import Shape

__all__ = ['TriangleMesh', 'loft', 'outline', 'skins']

_BAR = 0.03  # half width of the bar, per length, that stands for a rigid link whose form is not known


@dataclass(frozen=True)
class TriangleMesh:
    """A surface: vertices (v, 3) m, faces (f, 3) indices, anticlockwise seen from outside."""

    vertices: np.ndarray
    faces: np.ndarray

    @property
    def volume(self) -> float:
        """Enclosed volume in m^3, by the divergence theorem."""
        a, b, c = np.moveaxis(self.vertices[self.faces], 1, 0)
        return float(np.einsum('ij,ij->', a, np.cross(b, c)) / 6.0)


def skins(rod: Rod, q: np.ndarray, stations: int = 41, sides: int = 24) -> dict[str, TriangleMesh]:
    """The skin of each link, by name, at q (n,); a soft link is cut at so many stations.

    Round sections become polygons with so many sides. A rigid link with a lumped body, whose form nobody
    knows, is a thin bar.
    """
    meshes = {}
    for link in rod.robot.links:
        is_soft = link.type == 'soft'
        X = np.linspace(0.0, link.length, stations if is_soft else 2)
        if is_soft or link.body.type == 'solid':
            section = link.section if is_soft else link.body.section
            edge = outline(section, X / link.length, sides)
        else:
            edge = _BAR * link.length * np.tile([[[1, 1], [-1, 1], [-1, -1], [1, -1]]], (2, 1, 1))
        meshes[link.name] = loft(rod.shape(q, X, link.name), edge)
    return meshes


def outline(section, fraction: np.ndarray, sides: int = 24) -> np.ndarray:
    """Points (m, k, 2) m around a section, anticlockwise about the tangent, at fractions (m,) of the length.

    section: of a robot file. k is `sides`, or 4 for a rectangle.
    """
    angle = 2.0 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    corners = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    match section.shape:
        case 'circular':
            unit, extents = circle, (section.radius, section.radius)
        case 'elliptical':
            unit, extents = circle, (section.semi_axes.y, section.semi_axes.z)
        case 'rectangular':
            unit, extents = 0.5 * corners, (section.width, section.height)
    size = [base + (tip - base) * np.asarray(fraction, dtype=float) for base, tip in extents]
    return np.stack(size, axis=-1)[:, None, :] * unit


def loft(shape: Shape, edge: np.ndarray) -> TriangleMesh:
    """The closed surface through outlines edge (m, k, 2) m of the m sections of a shape, caps included."""
    m, k, _ = edge.shape
    R = matrix_from_quaternion(shape.orientation_xyzw)
    rings = shape.position[:, None, :] + np.einsum('mij,mkj->mki', R[:, :, 1:], edge)
    vertices = np.concatenate([rings.reshape(-1, 3), shape.position[[0, -1]]])
    here, after = np.arange(k), (np.arange(k) + 1) % k
    ring = k * np.arange(m - 1)[:, None]
    a, b, c, d = ring + here, ring + after, ring + k + here, ring + k + after
    last, base, tip = k * (m - 1), k * m, k * m + 1
    triangles = [
        (a, b, c),
        (b, d, c),
        (np.full(k, base), after, here),
        (np.full(k, tip), last + here, last + after),
    ]
    faces = np.concatenate([np.stack(corners, axis=-1).reshape(-1, 3) for corners in triangles])
    return TriangleMesh(vertices, faces)
