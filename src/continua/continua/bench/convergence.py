"""`continua bench convergence`: errors of the rod engine against theory as its discretisation is refined.

Three cases: the elastica (a column that buckles under twice Euler's load; elliptic integrals), the first
natural frequencies of a slender cantilever (Euler and Bernoulli), and the step of 5 N on the table II arm
(against itself at a step of 0.25 ms). Errors of positions are in units of the rod's length.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from continua.bench.arms import LENGTH, arm
from continua.bench.motion import reference_path, step_response
from continua.description import parse_robot
from continua.rod import Integrator, Rod
from continua.rod.modal import vibration_modes

__all__ = ['Curve', 'by_basis', 'by_points', 'by_step', 'draw']

_BEAM = """
version: 1
name: beam
gravity: [0, 0, 0]
links:
  - name: beam
    type: soft
    length: 1.0
    section: {{shape: circular, radius: 2.0e-4}}
    material: {{density: 1000.0, youngs_modulus: 1.0e9, poisson_ratio: 0.5, damping: 0.0}}
    strain_basis: {{type: legendre, order: {{bending_z: {degree}}}}}
    quadrature_points: {points}
"""
_STIFFNESS = 1.0e9 * np.pi * 2.0e-4**4 / 4.0  # N m^2
_LOAD = 2.0  # in units of Euler's
_FREQUENCIES = np.array([1.87510407, 4.69409113, 7.85475744]) ** 2  # in units of sqrt(EI / rho A) / L^2
_MANY = 60


@dataclass(frozen=True)
class Curve:
    """Errors against what was refined; x is in the unit of the figure's axis."""

    name: str
    x: tuple[float, ...]
    error: tuple[float, ...]


def by_basis() -> list[Curve]:
    """Against the number of basis functions of the bending, with many quadrature points."""
    counts = range(1, 11)
    rods = [_beam(count - 1, _MANY) for count in counts]
    curves = [Curve('elastica, tip', tuple(counts), tuple(map(_elastica_error, rods)))]
    found = [_frequency_errors(rod) for rod in rods]
    for mode in range(3):
        pairs = [(count, error[mode]) for count, error in zip(counts, found, strict=True) if count > mode]
        curves.append(Curve(f'cantilever, frequency {mode + 1}', *map(tuple, zip(*pairs, strict=True))))
    return curves


def by_points() -> list[Curve]:
    """Against the number of quadrature points, with ten basis functions for the bending."""
    counts = (10, 12, 14, 16, 20, 24, 32, 48)
    rods = [_beam(9, count) for count in counts]
    tips = [_arm_tip(count) for count in (*counts, 128)]
    errors = tuple(float(np.linalg.norm(tip - tips[-1]) / LENGTH) for tip in tips[:-1])
    return [
        Curve('elastica, tip', counts, tuple(map(_elastica_error, rods))),
        Curve('cantilever, frequency 1', counts, tuple(_frequency_errors(rod)[0] for rod in rods)),
        Curve('table II arm at 5 N, tip', counts, errors),
    ]


def by_step() -> list[Curve]:
    """Against the time step in ms: the step of 5 N on the table II arm, at 22 degrees of freedom."""
    robot, steps = parse_robot(arm(22, 8)), (0.5e-3, 1e-3, 2e-3, 5e-3, 10e-3)
    reference = reference_path(robot)
    errors = []
    for step in steps:
        path, _ = step_response(Integrator(Rod(robot), tolerance=1e-8), step)
        every = round(step / 2.5e-4)
        errors.append(np.linalg.norm(path - reference[every - 1 :: every], axis=1) / LENGTH)
    in_ms = tuple(1e3 * step for step in steps)
    return [
        Curve('largest error of the tip', in_ms, tuple(float(error.max()) for error in errors)),
        Curve('mean error of the tip', in_ms, tuple(float(error.mean()) for error in errors)),
    ]


def draw(curves: list[Curve], axis: str, file: Path) -> None:
    """Write a figure of errors on a logarithmic scale; the axis of time steps is logarithmic too."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 4.0), layout='constrained')
    axes = figure.subplots()
    for curve, marker in zip(curves, 'osv^', strict=False):
        axes.semilogy(curve.x, curve.error, marker=marker, label=curve.name)
    if 'ms' in axis:
        axes.set_xscale('log')
    axes.set(xlabel=axis, ylabel='relative error')
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, metadata={'Date': None})


def _beam(degree: int, points: int) -> Rod:
    return Rod(parse_robot(_BEAM.format(degree=degree, points=points)))


def _elastica_error(rod: Rod) -> float:
    """Distance of the buckled tip from theory: K(m)^2 = P L^2 / EI, x = 2 E / K - 1, y = 2 sqrt(m) / K."""
    force = _LOAD * np.pi**2 / 4.0
    bent, load = np.zeros(rod.dof), np.zeros((rod.arc_length.size, 6))
    bent[0] = 1.5
    load[-1, 3] = -force * _STIFFNESS
    result = rod.statics(q0=bent, load=load)
    if not result.converged:
        raise RuntimeError(f'the column with {rod.dof} basis functions: {result.message}')
    m = brentq(lambda m: ellipk(m) ** 2 - force, 0.01, 0.99, xtol=1e-15)
    expected = [2 * ellipe(m) / ellipk(m) - 1, 2 * np.sqrt(m) / ellipk(m), 0.0]
    return float(np.linalg.norm(rod.shape(result.q, np.array([1.0])).position[0] - expected))


def _frequency_errors(rod: Rod) -> np.ndarray:
    unit = np.sqrt(_STIFFNESS / (1000.0 * np.pi * 2.0e-4**2)) / (2.0 * np.pi)
    modes = vibration_modes(rod, np.zeros(rod.dof))[:3]
    found = np.array([mode.frequency for mode in modes]) / unit
    return np.abs(found / _FREQUENCIES[: found.size] - 1.0)


def _arm_tip(points: int) -> np.ndarray:
    rod = Rod(parse_robot(arm(22, points)))
    return rod.shape(rod.statics([5.0]).q, np.array([LENGTH])).position[0]
