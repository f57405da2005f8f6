"""From a robot description to stations and segments: the tree that the kernels sweep.

Links are laid out in the order of the file. Each begins with the fixed offset of its joint and the joint's
segments; a soft link goes on with the quadrature points of its divisions. Where anything else sits on a
link (a child, a cable's point, a mass, a load, a marker), `place` gives the station, a massless leaf of the
chain if there is none, so the motion is the same with and without it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from continua.description import Attachment, RigidLink, Robot, SoftLink
from continua.lie.se3 import exp_se3
from continua.rod.basis import Basis, given_basis, strain_basis
from continua.rod.section import inertia_density
from continua.rod.stretches import SAME, Points, Stretch, check_rules, cuts, merge, quadrature

__all__ = ['Assembly', 'Bases']

Bases = Mapping[str, Callable[[np.ndarray], np.ndarray]]
_STRAIGHT = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])


@dataclass
class Assembly:
    """Stations and segments of a robot, in lists that grow by `place` and `frame`.

    modes (n, r): the coordinates are z with q = modes z, q those of joints and strain bases; None for q.
    joints: which of q are each link's joint coordinates. stretches: of each soft link. size: n. dof: r.
    """

    robot: Robot
    bases: Bases = field(default_factory=dict)
    points: Points = None
    modes: np.ndarray | None = None
    joints: dict[str, slice] = field(default_factory=dict, init=False)
    stretches: dict[str, list[Stretch]] = field(default_factory=dict, init=False)
    size: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        unknown = set(self.bases) - {link.name for link in self.robot.links if isinstance(link, SoftLink)}
        if unknown:
            raise ValueError(f'bases: {", ".join(sorted(unknown))}: not a soft link of {self.robot.name}')
        if isinstance(self.points, Mapping):
            check_rules(self.robot, self.points)
        for link in self.robot.links:
            self.joints[link.name] = self._take(link.joint.dof)
            if isinstance(link, SoftLink):
                self.stretches[link.name] = self._divide(link)
        if self.size == 0:
            raise ValueError(
                f'robot {self.robot.name}: nothing can move; give a link a joint or a strain basis'
            )
        if self.modes is not None:
            _check_modes(self.modes, self.size)
        self._segments: list[tuple] = []
        self._stations: list[tuple] = []
        self._chain: dict[str, tuple[list[float], list[int]]] = {}
        self._leaves: dict[tuple[str, int], int] = {}
        self._add_station(None, 0.0, 0.0)
        for link in self.robot.links:
            self._add_link(link)

    @property
    def dof(self) -> int:
        return self.size if self.modes is None else self.modes.shape[1]

    def in_modes(self, rows: np.ndarray) -> np.ndarray:
        """Derivatives by q (..., n) as those by the coordinates (..., dof)."""
        return rows if self.modes is None else rows @ self.modes

    def place(self, link: str | None, X: float | None) -> int:
        """Station on a link at arc length X (m), None for its tip; link None is the base."""
        if link is None:
            return 0
        X = self.robot.link(link).length if X is None else X
        known, index = self._chain[link]
        nearest = int(np.argmin(np.abs(np.array(known) - X)))
        if abs(known[nearest] - X) < SAME:
            return index[nearest]
        key = (link, round(X / SAME))
        if key not in self._leaves:
            self._leaves[key] = self.leaf(link, X)
        return self._leaves[key]

    def leaf(self, link: str, X: float) -> int:
        """A new massless station on a link at arc length X (m)."""
        known, index = self._chain[link]
        before = int(np.searchsorted(np.array(known) - SAME, X, side='right')) - 1
        if isinstance(self.robot.link(link), RigidLink):
            return self._add_offset(
                index[before], np.array([0.0, 0.0, 0.0, X - known[before], 0.0, 0.0]), link, X
            )
        return self._add_soft_segment(index[before], link, known[before], X)

    def frame(self, link: str | None, attach: Attachment) -> int:
        """Station at a pose on a link, or on the base for None."""
        offset = _logarithm(attach)
        station = self.place(link, attach.arc_length)
        return station if not np.any(offset) else self._add_offset(station, offset, link, attach.arc_length)

    def stations_on(self, link: str) -> tuple[np.ndarray, np.ndarray]:
        """Indices and arc lengths (m) of the stations on a link, leaves included."""
        found = [(j, entry[1]) for j, entry in enumerate(self._stations) if entry[0] == link]
        return np.array([j for j, _ in found], dtype=int), np.array([X for _, X in found])

    def arrays(self) -> dict[str, np.ndarray]:
        """Columns of the lists, by the names of `RodArrays`."""
        segments = zip(*self._segments, strict=True) if self._segments else []
        names = ('parent', 'h', 'commutator', 'phi_1', 'phi_2', 'ref_1', 'ref_2')
        out = {name: np.array(column) for name, column in zip(names, segments, strict=True)}
        _, arc_length, weight, phi, ref, inertia = zip(*self._stations, strict=True)
        out |= {'arc_length': np.array(arc_length), 'weight': np.array(weight)}
        out |= {'phi': np.array(phi), 'ref': np.array(ref), 'inertia': np.array(inertia)}
        return out | {name: self.in_modes(out[name]) for name in ('phi', 'phi_1', 'phi_2')}

    def _take(self, size: int) -> slice:
        self.size += size
        return slice(self.size - size, self.size)

    def _divide(self, link: SoftLink) -> list[Stretch]:
        given = self.bases.get(link.name)
        parts = [
            (each.begin, each.end, strain_basis(each.basis), each.quadrature_points) for each in link.parts
        ]
        if given is not None:
            parts = [(0.0, link.length, given_basis(given, 0.0, link.length), link.quadrature_points)]
        places = cuts(self.robot, link)
        out = []
        for begin, end, basis, points in parts:
            inside = [X for X in places if begin + SAME < X < end - SAME]
            kinks = [begin + (end - begin) * x for x in basis.kinks]
            merged = merge([begin, *inside, *kinks, end])
            rule = self.points.get(link.name) if isinstance(self.points, Mapping) else None
            count = self._points_of(basis, points)
            out.append(Stretch(begin, end, basis, count, self._take(basis.dof), merged, rule))
        return out

    def _points_of(self, basis: Basis, points: int | None) -> int:
        """Gauss points of a division: as asked for, or four more than the highest degree, which keeps the tip
        of a strongly bent arm within 1e-3 of its length, and mostly 1e-4."""
        points = self.points if isinstance(self.points, int) else points
        if points is None:
            return basis.size + 3
        if points < basis.size:
            raise ValueError(
                'quadrature_points: expected more than the highest degree of the basis, '
                f'{basis.size - 1}, got {points}; with fewer the mass matrix is singular'
            )
        return points

    def _add_link(self, link: SoftLink | RigidLink) -> None:
        station = self._add_joint(link)
        self._chain[link.name] = ([0.0], [station])
        if isinstance(link, RigidLink):
            self._stations[station][5][:] += link.spatial_inertia
            return
        _, X, weight, _, _, inertia = self._stations[station]
        phi, ref = self.stretches[link.name][0].phi([X], self.size)[0], link.reference_strain_at([X])[0]
        self._stations[station] = (link.name, X, weight, phi, ref, inertia)
        known, index = self._chain[link.name]
        for stretch in self.stretches[link.name]:
            for X, weight in zip(*quadrature(stretch), strict=True):
                inertia = weight * inertia_density(link, np.array([X]))[0]
                index.append(self._add_soft_segment(index[-1], link.name, known[-1], X, weight, inertia))
                known.append(X)

    def _add_joint(self, link: SoftLink | RigidLink) -> int:
        """Station at the base of a link: behind the offset of its joint, and the joint."""
        offset, twists = _logarithm(link.attach), link.joint.twists
        at_base = link.parent is None and not np.any(offset) and not twists and not self._chain
        if at_base:
            self._stations[0] = (link.name, *self._stations[0][1:])
            return 0
        station = self.place(link.parent, link.attach.arc_length)
        if np.any(offset) or not twists:
            station = self._add_offset(station, offset, None if twists else link.name, 0.0)
        column = self.joints[link.name].start
        for i, twist in enumerate(twists):
            phi = np.zeros((6, self.size))
            phi[:, column : column + twist.shape[1]] = twist
            column += twist.shape[1]
            self._segments.append((station, 1.0, 0.0, phi, phi, np.zeros(6), np.zeros(6)))
            station = self._add_station(link.name if i == len(twists) - 1 else None, 0.0, 0.0)
        return station

    def _add_offset(self, parent: int, offset: np.ndarray, link: str | None, X: float | None) -> int:
        """A station at a fixed pose, the exponential of `offset` (6,), from its parent."""
        none = np.zeros((6, self.size))
        self._segments.append((parent, 1.0, 0.0, none, none, offset, offset))
        return self._add_station(link, 0.0 if X is None else X, 0.0)

    def _add_soft_segment(
        self,
        parent: int,
        link: str,
        begin: float,
        end: float,
        weight: float = 0.0,
        inertia: np.ndarray | None = None,
    ) -> int:
        middle = 0.5 * (begin + end)
        stretch = next(s for s in self.stretches[link] if s.begin <= middle <= s.end)
        h, reference = end - begin, self.robot.link(link).reference_strain_at
        zannah = middle + math.sqrt(3.0) / 6.0 * h * np.array([-1.0, 1.0])
        phi, ref = stretch.phi(zannah, self.size), reference(zannah)
        commutator = math.sqrt(3.0) / 12.0 * h**2
        self._segments.append((parent, h, commutator, phi[0], phi[1], ref[0], ref[1]))
        here = np.array([end])
        return self._add_station(
            link, end, weight, stretch.phi(here, self.size)[0], reference(here)[0], inertia
        )

    def _add_station(
        self,
        link: str | None,
        X: float,
        weight: float,
        phi: np.ndarray | None = None,
        ref: np.ndarray = _STRAIGHT,
        inertia: np.ndarray | None = None,
    ) -> int:
        phi = np.zeros((6, self.size)) if phi is None else phi
        inertia = np.zeros((6, 6)) if inertia is None else inertia
        self._stations.append((link, X, weight, phi, ref, inertia))
        return len(self._stations) - 1


def _check_modes(modes: np.ndarray, size: int) -> None:
    """Raise ValueError for modes that do not span a space of coordinates (size,)."""
    shape = np.shape(modes)
    if len(shape) != 2 or shape[0] != size or not 0 < shape[1] <= size or not np.all(np.isfinite(modes)):
        raise ValueError(
            f'modes: expected finite columns ({size}, r) with r from 1 to {size}, got shape {shape}'
        )
    if np.linalg.matrix_rank(modes / np.linalg.norm(modes, axis=0).clip(1e-300)) < shape[1]:
        raise ValueError('modes: expected linearly independent columns; leave out those that repeat others')


def _logarithm(attach: Attachment) -> np.ndarray:
    """Exponential coordinates (6,) of the pose of an attachment."""
    w = Rotation.from_quat(attach.orientation_xyzw).as_rotvec()
    columns, rotation = np.zeros((3, 3)), np.zeros((3, 3))
    for i in range(3):
        exp_se3(np.concatenate([w, np.eye(3)[i]]), rotation, columns[i])
    return np.concatenate([w, np.linalg.solve(columns.T, np.array(attach.position))])
