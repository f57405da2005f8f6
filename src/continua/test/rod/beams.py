"""Rods of the tests: uniform cantilevers with chosen strains."""

import numpy as np

from continua.description import parse_robot

LENGTH, RADIUS, MODULUS, DENSITY = 0.4, 0.008, 2.0e6, 1100.0
AREA = np.pi * RADIUS**2
INERTIA = np.pi * RADIUS**4 / 4.0  # second moment of area, m^4

_TEXT = """
version: 1
name: cantilever
gravity: [0, 0, {gravity}]
links:
  - name: beam
    type: soft
    length: {length}
    section: {{shape: circular, radius: {radius}}}
    material: {{density: {density}, youngs_modulus: {modulus}, poisson_ratio: 0.3, damping: {damping}}}
    strain_basis: {{type: legendre, order: {{{order}}}}}
    quadrature_points: {points}
tendons: [{tendons}]
"""

TENDON = (
    '{{name: t, link: beam, range: [0, {end}], path: {{type: linear, start: [{y}, 0]}}, '
    'friction: {friction}, limits: {{tension: [0, 100]}}}}'
)


def beam(order, gravity=0.0, damping=0.0, points=12, tendons='', radius=RADIUS):
    """A horizontal cantilever along world x; order: text of the strain orders; radius: m, or [base, tip]."""
    return parse_robot(
        _TEXT.format(
            gravity=gravity,
            length=LENGTH,
            radius=radius,
            density=DENSITY,
            modulus=MODULUS,
            damping=damping,
            order=order,
            points=points,
            tendons=tendons,
        )
    )


def tip_load(rod, moment=(0, 0, 0), force=(0, 0, 0)):
    """Dead wrench at the tip station, in world axes."""
    load = np.zeros((rod.arc_length.size, 6))
    load[-1] = [*moment, *force]
    return load
