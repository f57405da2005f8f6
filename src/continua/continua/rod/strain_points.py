"""Points of a rod with the strain basis there: what a snapshot of strains and joint twists consists of.

At each point  strain = reference + basis q  and, at a joint,  twist = basis q  (soft_synergies eqs 20 to 22).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from continua.description import SoftLink
from continua.rod.assembly import Assembly
from continua.rod.rod import Rod
from continua.rod.stretches import quadrature

__all__ = ['StrainPoints', 'computational_points', 'equidistant_points']


@dataclass(frozen=True)
class StrainPoints:
    """P points. link: (P,) names. arc_length: (P,) m on the link, NaN for its joint. basis: (P, 6, n).

    reference: (P, 6) strain [kx ky kz lx ly lz] rad/m and -, zero for joints, whose twists are in rad and m.
    """

    link: np.ndarray
    arc_length: np.ndarray
    basis: np.ndarray
    reference: np.ndarray

    @property
    def is_joint(self) -> np.ndarray:
        """(P,) bool."""
        return np.isnan(self.arc_length)

    def strain(self, q: np.ndarray) -> np.ndarray:
        """Strains and joint twists (s, P, 6) of coordinates (s, n)."""
        return self.reference + np.einsum('pij,sj->spi', self.basis, q)


def computational_points(rod: Rod) -> StrainPoints:
    """Where the model computes: joints, quadrature points, and the Zannah points between them (eq 20)."""
    assembly, places = _assembly(rod), {}
    for name, stretches in assembly.stretches.items():
        stations = np.concatenate([[0.0], *(quadrature(stretch)[0] for stretch in stretches)])
        middle, half = 0.5 * (stations[1:] + stations[:-1]), 0.5 * np.diff(stations)
        zannah = np.concatenate([middle - half / math.sqrt(3.0), middle + half / math.sqrt(3.0)])
        places[name] = np.sort(np.concatenate([stations, zannah]))
    return _points(assembly, places)


def equidistant_points(rod: Rod, sections: int) -> StrainPoints:
    """Joints, and so many equidistant sections of every soft link, both ends included (eq 14)."""
    assembly = _assembly(rod)
    places = {name: np.linspace(0.0, rod.robot.link(name).length, sections) for name in assembly.stretches}
    return _points(assembly, places)


def _assembly(rod: Rod) -> Assembly:
    return Assembly(rod.robot, *rod._given)


def _points(assembly: Assembly, places: Mapping[str, np.ndarray]) -> StrainPoints:
    """Joints of all links, and sections at arc lengths (m,) m of soft ones; a section where two divisions
    meet belongs to the first."""
    parts = []
    for link in assembly.robot.links:
        columns = assembly.joints[link.name]
        for twist in link.joint.twists:
            basis = np.zeros((1, 6, assembly.size))
            basis[0, :, columns.start : columns.start + twist.shape[1]] = twist
            columns = slice(columns.start + twist.shape[1], columns.stop)
            parts.append((link.name, [math.nan], basis, np.zeros((1, 6))))
        if isinstance(link, SoftLink):
            X = places[link.name]
            ends = [stretch.end for stretch in assembly.stretches[link.name]]
            stretch = np.minimum(np.searchsorted(ends, X - 1e-9), len(ends) - 1)
            basis = np.concatenate(
                [
                    each.phi(X[stretch == i], assembly.size)
                    for i, each in enumerate(assembly.stretches[link.name])
                ]
            )
            parts.append((link.name, X, basis, link.reference_strain_at(X)))
    return StrainPoints(
        link=np.concatenate([np.repeat(name, len(X)) for name, X, _, _ in parts]),
        arc_length=np.concatenate([X for _, X, _, _ in parts]),
        basis=assembly.in_modes(np.concatenate([basis for _, _, basis, _ in parts])),
        reference=np.concatenate([reference for _, _, _, reference in parts]),
    )
