"""Statics and motion of robots: a step of 5 N on the first tendon, if any, under gravity.

Errors are those of the tip against the same model at a step of 0.25 ms with a tight tolerance.
"""

import time
from collections.abc import Iterator

import numpy as np

from continua.bench.arms import PULL, pull
from continua.bench.figure import Figure
from continua.bench.timing import seconds_per_call
from continua.description import Robot
from continua.rod import Integrator, Rod

__all__ = ['DURATION', 'measure_motion', 'measure_pace', 'measure_statics', 'reference_path', 'step_response']

DURATION = 1.25  # s, as in the paper
_FINE = 2.5e-4  # s


def measure_statics(robot: Robot) -> Iterator[Figure]:
    """Yield the cost of the equilibrium under the step's tension, from the reference shape."""
    rod = Rod(robot)
    result = rod.statics(pull(rod))
    seconds = seconds_per_call(lambda: rod.statics(pull(rod)))
    yield Figure(f'{robot.name}: statics at {PULL:g} N from the reference shape', 1e3 * seconds, 'ms')
    yield Figure('  Newton iterations', result.iterations)


def measure_motion(robot: Robot, steps: tuple[float, ...]) -> Iterator[Figure]:
    """Yield wall time per simulated second and tip errors of the step response, for each time step in s."""
    reference = reference_path(robot)
    for step in steps:
        path, wall = min(
            (step_response(Integrator(Rod(robot)), step) for _ in range(3)), key=lambda run: run[1]
        )
        error = np.linalg.norm(path - reference[round(step / _FINE) - 1 :: round(step / _FINE)], axis=1)
        yield Figure(f'{robot.name}: a simulated second at {1e3 * step:g} ms steps', wall / DURATION, 's')
        yield Figure('  times faster than real time', DURATION / wall)
        yield Figure('  mean tip error', 1e6 * error.mean(), 'um')
        yield Figure('  largest tip error', 1e6 * error.max(), 'um')


def measure_pace(robot: Robot, step: float) -> Iterator[Figure]:
    """Yield the cost of the step response at one time step (s), without an error."""
    _, wall = step_response(Integrator(Rod(robot)), step)
    yield Figure(f'{robot.name}: a simulated second at {1e3 * step:g} ms steps', wall / DURATION, 's')
    yield Figure('  times faster than real time', DURATION / wall)


def reference_path(robot: Robot) -> np.ndarray:
    """Tip positions (k, 3) m every 0.25 ms, from a fine integration."""
    return step_response(Integrator(Rod(robot), tolerance=1e-8), _FINE)[0]


def step_response(motion: Integrator, step: float) -> tuple[np.ndarray, float]:
    """Tip positions (k, 3) m after each step, and the wall time of the steps alone.

    Raises RuntimeError where a step could not be solved.
    """
    rod = motion.rod
    tip, wall, path = rod.sampler(np.array([rod.length])), 0.0, []
    for _ in range(round(DURATION / step)):
        start = time.perf_counter()
        is_solved = motion.step(step, pull(rod))
        wall += time.perf_counter() - start
        if not is_solved:
            raise RuntimeError(f'{rod.robot.name}: a step of {step} s could not be solved')
        path.append(tip.poses(motion.q)[1][0])
    return np.array(path), wall
