"""Poses, strains and Jacobians of a rod at chosen arc lengths."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from continua.description import Robot
from continua.lie.so3 import quaternion_from_matrix
from continua.rod.arrays import coordinates, make_workspace
from continua.rod.assembly import Assembly, Bases
from continua.rod.discretise import discretise_rod
from continua.rod.inverse_dynamics import forward
from continua.rod.jacobian import jacobians
from continua.rod.stretches import Points

__all__ = ['Sampler', 'Shape']


@dataclass(frozen=True)
class Shape:
    """A rod's centreline at m sections: arc_length (m,) m; position (m, 3) m and orientation_xyzw (m, 4) in
    world, local x along the tangent; strain (m, 6) rad/m and -, [kx ky kz lx ly lz]."""

    arc_length: np.ndarray
    position: np.ndarray
    orientation_xyzw: np.ndarray
    strain: np.ndarray


class Sampler:
    """Kinematics of a robot at fixed sections.

    Buffers inside: one sampler serves one thread. Coordinates q are (n,).
    """

    def __init__(
        self,
        robot: Robot,
        bases: Bases,
        points: Points,
        modes: np.ndarray | None,
        arc_length: np.ndarray,
        places: Sequence[tuple[str, float]],
    ):
        """places: link and arc length on it (m) of each section; arc_length (m,) m: the caller's."""
        self.arc_length = np.array(arc_length, dtype=float)
        assembly = Assembly(robot, bases, points, modes)
        stations = [assembly.leaf(link, X) for link, X in places]
        self._arrays = discretise_rod(assembly)
        n, count = assembly.dof, self._arrays.arc_length.size
        self._leaves = slice(stations[0], stations[-1] + 1) if stations else slice(0, 0)
        self._work = make_workspace(count - 1, n)
        self._J, self._Jd = np.zeros((count, 6, n)), np.zeros((count, 6, n))
        self._zero = np.zeros(n)

    def poses(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rotations (m, 3, 3) world <- section and positions (m, 3) m in world."""
        forward(self._arrays, coordinates(q, self._zero.size), self._zero, self._zero, 0.0, self._work)
        return self._work.R[self._leaves].copy(), self._work.p[self._leaves].copy()

    def jacobian(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rotations and positions as `poses`, and body Jacobians (m, 6, n) (soft_synergies eq 7)."""
        jacobians(self._arrays, coordinates(q, self._zero.size), self._zero, self._work, self._J, self._Jd)
        return (
            self._work.R[self._leaves].copy(),
            self._work.p[self._leaves].copy(),
            self._J[self._leaves].copy(),
        )

    def shape(self, q: np.ndarray) -> Shape:
        """The sections as a `Shape`."""
        R, p = self.poses(q)
        strain = self._arrays.phi[self._leaves] @ q + self._arrays.ref[self._leaves]
        return Shape(self.arc_length.copy(), p, quaternion_from_matrix(R), strain)
