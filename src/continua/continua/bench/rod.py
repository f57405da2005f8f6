"""`continua bench rod`: the rod engine on the 22-dof arm of the soft-synergies paper (table II).

The arm is pulled by 5 N at once and moves for 1.25 s under gravity, as in the paper's dynamic study. Errors
are those of the tip against the same model at a step of 0.25 ms with a tight tolerance.
"""

import subprocess
import sys
import time
from dataclasses import dataclass

import numpy as np

from continua.bench.timing import seconds_per_call
from continua.description import Robot, parse_robot
from continua.estimation import ShapeLeastSquares
from continua.jit import njit
from continua.rod import Integrator, Rod
from continua.rod.jacobian import jacobians, mass_and_coriolis
from continua.rod.residual import residual, residual_tangent
from continua.sensing import MarkerModel

__all__ = ['Figure', 'measure_rod']

_ROBOT = """
version: 1
name: table_ii
links:
  - name: arm
    type: soft
    length: 0.25
    section: {shape: circular, radius: [0.0125, 0.005]}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e4}
    strain_basis:
      type: legendre
      order: {torsion: 2, bending_y: 4, bending_z: 4, elongation: 2, shear_y: 2, shear_z: 2}
tendons:
  - name: pull
    link: arm
    range: [0.0, 0.25]
    path: {type: linear, start: [0.0, 0.01], end: [0.0, 0.003]}
    limits: {tension: [0.0, 10.0]}
markers:
  - {name: middle, link: arm, arc_length: 0.125, offset: [0.0, 0.025]}
  - {name: tip, link: arm, arc_length: 0.25, offset: [0.01, 0.0]}
"""
_DURATION = 1.25
_PULL = np.array([5.0])


@dataclass(frozen=True)
class Figure:
    """One measured number."""

    name: str
    value: float
    unit: str


def measure_rod() -> list[Figure]:
    """Measure everything; takes about half a minute once the kernels are compiled."""
    robot = parse_robot(_ROBOT)
    rod = Rod(robot)
    return [*_evaluations(rod), *_statics(rod), *_motion(robot), *_estimate(rod), *_start()]


@njit
def _repeat_residual(model, q, tension, load, r, count):
    for _ in range(count):
        residual(model, q, q, q, tension, 1.0, load, r)


@njit
def _repeat_tangent(model, tension, out, count):
    for _ in range(count):
        residual_tangent(model, 1.0, 1.0, 1.0, tension, out)


@njit
def _repeat_matrices(model, q, J, Jd, M, C, count):
    for _ in range(count):
        jacobians(model.rod, q, q, model.work, J, Jd)
        mass_and_coriolis(model.rod, model.work, J, Jd, M, C)


def _evaluations(rod: Rod) -> list[Figure]:
    """Single kernel calls, without the way through Python."""
    model, q, n = rod._model, rod.statics(_PULL).q, rod.dof
    load, count = rod._load(None), 100
    r, out = np.zeros(n), np.zeros((n, n))
    J, Jd = np.zeros((2, rod.arc_length.size, 6, n))
    M, C = np.zeros((2, n, n))
    calls = {
        'residual (inverse dynamics and tendons)': lambda: _repeat_residual(model, q, _PULL, load, r, count),
        'exact Newton matrix': lambda: _repeat_tangent(model, _PULL, out, count),
        'Jacobians, M and C': lambda: _repeat_matrices(model, q, J, Jd, M, C, count),
    }
    return [
        Figure(f'{name}, {n} dof', 1e6 * seconds_per_call(call) / count, 'us') for name, call in calls.items()
    ]


def _statics(rod: Rod) -> list[Figure]:
    result = rod.statics(_PULL)
    return [
        Figure(
            'static equilibrium at 5 N from the straight shape',
            1e3 * seconds_per_call(lambda: rod.statics(_PULL)),
            'ms',
        ),
        Figure('  Newton iterations', result.iterations, ''),
    ]


def _motion(robot: Robot) -> list[Figure]:
    reference, _ = _tip_path(Integrator(Rod(robot), tolerance=1e-8), 2.5e-4)
    figures = []
    for step in (1e-3, 2e-3, 5e-3, 1e-2):
        path, wall = min((_tip_path(Integrator(Rod(robot)), step) for _ in range(3)), key=lambda run: run[1])
        every = round(step / 2.5e-4)
        error = np.linalg.norm(path - reference[every - 1 :: every], axis=1)
        name = f'motion at {1e3 * step:g} ms steps'
        figures += [
            Figure(f'{name}: times faster than real time', _DURATION / wall, ''),
            Figure(f'{name}: mean tip error', 1e6 * error.mean(), 'um'),
            Figure(f'{name}: largest tip error', 1e6 * error.max(), 'um'),
        ]
    return figures


def _tip_path(motion: Integrator, step: float) -> tuple[np.ndarray, float]:
    """Tip positions (k, 3) m after each step, and the wall time of the steps alone."""
    tip, wall, path = motion.rod.sampler(np.array([motion.rod.length])), 0.0, []
    for _ in range(round(_DURATION / step)):
        start = time.perf_counter()
        is_solved = motion.step(step, _PULL)
        wall += time.perf_counter() - start
        if not is_solved:
            raise RuntimeError(f'a step of {step} s could not be solved')
        path.append(tip.poses(motion.q)[1][0])
    return np.array(path), wall


def _estimate(rod: Rod) -> list[Figure]:
    estimator = ShapeLeastSquares(rod, samples=50)
    markers = MarkerModel(rod).predict(rod.statics(_PULL).q)
    visible = np.ones(len(markers), dtype=bool)
    belief = estimator.step(None, markers, visible, 0.01)
    cost = seconds_per_call(lambda: estimator.step(belief, markers, visible, 0.01))
    return [Figure('shape estimate, 6 modes and 2 markers, warm start', 1e3 * cost, 'ms')]


def _start() -> list[Figure]:
    """A new process up to its first step, the kernels being in the cache."""
    script = (
        'import numpy as np\n'
        'from continua.bench.rod import _PULL, _ROBOT, Integrator, Rod, parse_robot\n'
        'Integrator(Rod(parse_robot(_ROBOT))).step(5e-3, _PULL)\n'
    )
    start = time.perf_counter()
    subprocess.run([sys.executable, '-c', script], check=True)
    return [
        Figure('start of Python, import, first step with compiled kernels', time.perf_counter() - start, 's')
    ]
