"""The arm of table II of the soft-synergies paper in bases of several sizes."""

import numpy as np

from continua.rod import Rod

__all__ = ['LENGTH', 'PULL', 'SIZES', 'arm', 'pull']

LENGTH = 0.25  # m
PULL = 5.0  # N on the first tendon: the step of the paper's dynamic study

# Degrees of torsion, bending about y and z, elongation and shear along y and z, by degrees of freedom.
SIZES = {
    6: (0, 0, 0, 0, 0, 0),
    22: (2, 4, 4, 2, 2, 2),
    28: (3, 5, 5, 3, 3, 3),
    57: (7, 11, 11, 8, 7, 7),
    72: (10, 13, 13, 10, 10, 10),
}

_TEXT = """
version: 1
name: table_ii
links:
  - name: arm
    type: soft
    length: 0.25
    section: {{shape: circular, radius: [0.0125, 0.005]}}
    material: {{density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e4}}
    strain_basis:
      type: legendre
      order: {{torsion: {}, bending_y: {}, bending_z: {}, elongation: {}, shear_y: {}, shear_z: {}}}
    quadrature_points: {points}
tendons:
  - name: pull
    link: arm
    range: [0.0, 0.25]
    path: {{type: linear, start: [0.0, 0.01], end: [0.0, 0.003]}}
    limits: {{tension: [0.0, 10.0]}}
markers:
  - {{name: middle, link: arm, arc_length: 0.125, offset: [0.0, 0.025]}}
  - {{name: tip, link: arm, arc_length: 0.25, offset: [0.01, 0.0]}}
"""


def arm(dof: int, points: int) -> str:
    """Robot file of the single-tendon arm with one of SIZES degrees of freedom and that many Gauss points."""
    return _TEXT.format(*SIZES[dof], points=points)


def pull(rod: Rod) -> np.ndarray:
    """Inputs (m,): PULL on the first where there is one, zero on the others."""
    u = np.zeros(len(rod.input_names))
    u[:1] = PULL
    return u
