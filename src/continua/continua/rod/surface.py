"""The skin of a robot's links and guiding disks as closed triangle meshes in the world."""

from dataclasses import dataclass

import numpy as np

from continua.description import Robot
from continua.rod.poses import Poses

__all__ = ['TriangleMesh', 'guide_disks', 'loft', 'outline', 'skins']

_BAR = 0.03  # half width of the bar, per length, that stands for a rigid link whose form is not known
_DISK = 0.05  # half thickness of a guiding disk per radius


@dataclass(frozen=True)
class TriangleMesh:
    """A surface through outlines of k corners each: vertices (m k + 2, 3) m, ring by ring and then the
    middles of both ends; faces (f, 3) indices, anticlockwise seen from outside, the 2 k of the ends last."""

    vertices: np.ndarray
    faces: np.ndarray
    corners: int

    @property
    def rings(self) -> np.ndarray:
        """Corners (m, k, 3) m of the outlines, base to tip."""
        return self.vertices[:-2].reshape(-1, self.corners, 3)

    @property
    def axis(self) -> np.ndarray:
        """Middles (m, 3) m of the outlines."""
        return self.rings.mean(axis=1)

    @property
    def volume(self) -> float:
        """Enclosed volume in m^3, by the divergence theorem."""
        a, b, c = np.moveaxis(self.vertices[self.faces], 1, 0)
        return float(np.einsum('ij,ij->', a, np.cross(b, c)) / 6.0)


def skins(robot: Robot, poses: Poses, stations: int = 41, sides: int = 24) -> dict[str, TriangleMesh]:
    """The skin of each link, by name; a soft link is cut at so many stations.

    Round sections become polygons with so many sides. A rigid link with a lumped body, whose form nobody
    knows, is a thin bar.
    """
    arc_length, links, edges = [], [], []
    for link in robot.links:
        is_soft = link.type == 'soft'
        X = np.linspace(0.0, link.length, stations if is_soft else 2)
        if is_soft or link.body.type == 'solid':
            section = link.section if is_soft else link.body.section
            edges.append(outline(section, X / link.length, sides))
        else:
            edges.append(_BAR * link.length * np.tile([[[1, 1], [-1, 1], [-1, -1], [1, -1]]], (2, 1, 1)))
        arc_length.append(X)
        links += [link.name] * len(X)
    R, p = poses(np.concatenate(arc_length), links)
    ends = np.cumsum([len(X) for X in arc_length])[:-1]
    lofted = map(loft, np.split(R, ends), np.split(p, ends), edges)
    return dict(zip((link.name for link in robot.links), lofted, strict=True))


def guide_disks(robot: Robot, poses: Poses, sides: int = 24) -> dict[str, TriangleMesh]:
    """The disks of all guides, named guides/number, out to where their holes may be."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    disks = {}
    for guides in robot.disk_guides:
        link = robot.link(guides.link)
        X = np.array(guides.arc_length)
        radius = link.radius(X) + guides.radius_margin
        for i, (R, p, r) in enumerate(zip(*poses(X, [guides.link] * X.size), radius, strict=True)):
            faces_at = p + r * _DISK * np.array([[-1.0], [1.0]]) * R[:, 0]
            disks[f'{guides.name}/{i + 1}'] = loft(np.stack([R, R]), faces_at, r * np.stack([circle, circle]))
    return disks


def outline(section, fraction: np.ndarray, sides: int = 24) -> np.ndarray:
    """Points (m, k, 2) m around a section, anticlockwise about the tangent, at fractions (m,) of the length.

    section: of a robot file. k is `sides`, or 4 for a rectangle.
    """
    angle = 2.0 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    corners = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    match section.shape:
        case 'circular' | 'annular':
            unit, extents = circle, (section.radius, section.radius)
        case 'elliptical':
            unit, extents = circle, (section.semi_axes.y, section.semi_axes.z)
        case 'rectangular':
            unit, extents = 0.5 * corners, (section.width, section.height)
    size = [base + (tip - base) * np.asarray(fraction, dtype=float) for base, tip in extents]
    return np.stack(size, axis=-1)[:, None, :] * unit


def loft(R: np.ndarray, p: np.ndarray, edge: np.ndarray) -> TriangleMesh:
    """The closed surface through outlines edge (m, k, 2) m of sections at R (m, 3, 3) and p (m, 3) m."""
    m, k, _ = edge.shape
    rings = p[:, None, :] + np.einsum('mij,mkj->mki', R[:, :, 1:], edge)
    vertices = np.concatenate([rings.reshape(-1, 3), p[[0, -1]]])
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
    return TriangleMesh(vertices, faces, k)
