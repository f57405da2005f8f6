"""`continua compile`: compile the numerical kernels before somebody waits for them."""

import time

import numpy as np
from rich.console import Console

from continua.jit import cache_folder

__all__ = ['compile_kernels']

# The smallest robot that reaches every kernel; compiled code does not depend on the size of a robot.
_ROBOT = """
version: 1
name: smallest
links:
  - name: arm
    type: soft
    length: 0.2
    section: {shape: circular, radius: 0.01}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e4}
    strain_basis: {type: legendre, order: {bending_y: 1, bending_z: 1}}
tendons:
  - name: tendon
    link: arm
    range: [0.0, 0.2]
    path: {type: linear, start: [0.005, 0.0]}
    limits: {tension: [0.0, 1.0]}
markers:
  - {name: marker, link: arm, arc_length: 0.2, offset: [0.01, 0.0]}
"""


def compile_kernels() -> None:
    """Compile the numerical kernels and keep them in the cache; takes seconds when they are there already."""
    console = Console(stderr=True)
    start = time.monotonic()
    with console.status('Compiling the numerical kernels (once, about a minute)'):
        from continua.description import parse_robot
        from continua.estimation import ShapeLeastSquares, Synergies
        from continua.rod import Rod
        from continua.simulation import SimulatedArm

        arm = SimulatedArm(Rod(parse_robot(_ROBOT)))
        arm.advance(0.01, np.zeros(1))
        reading = arm.measure()
        arm.rod.energy(arm.q, arm.qd)
        arm.rod.residual_derivatives(arm.q)
        estimator = ShapeLeastSquares(arm.rod, Synergies.of_statics(arm.rod, samples=3))
        estimator.step(None, reading.marker, reading.marker_valid)
    console.print(f'Numerical kernels are ready in {cache_folder()} ({time.monotonic() - start:.1f} s).')
