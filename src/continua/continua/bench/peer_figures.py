"""What the same arm costs in the independent codes, in the same run."""

import time
from collections.abc import Iterator

import numpy as np

from continua.bench.arms import PULL
from continua.bench.evaluations import evaluation_times
from continua.bench.figure import Figure
from continua.bench.motion import DURATION, reference_path, step_response
from continua.bench.timing import seconds_per_call
from continua.description import Robot
from continua.rod import Integrator, Rod

__all__ = ['measure_elastica', 'measure_soromox']

# PyElastica: elements and largest stable step in s.
_ELEMENTS = ((20, 2e-4), (50, 1e-4))


def measure_elastica(robot: Robot) -> Iterator[Figure]:
    """Yield the cost of a simulated second; undamped, for PyElastica has no Kelvin-Voigt material."""
    from continua.bench.elastica_arm import ElasticaArm

    second = _our_second(robot)

    for elements, step in _ELEMENTS:
        arm = ElasticaArm(robot, elements, step)
        arm.tension[0] = PULL
        arm.advance(100)
        steps = round(0.25 / step)
        start = time.perf_counter()
        arm.advance(steps)
        wall = (time.perf_counter() - start) / (steps * step)
        name = f'PyElastica, {elements} elements, {1e3 * step:g} ms steps'
        yield Figure(f'{name}: a simulated second', wall, 's')
        yield Figure('  times ours at 2 ms steps', wall / second)


def measure_soromox(robot: Robot) -> Iterator[Figure]:
    """Yield the cost of one qdd, and of a simulated second with Kvaerno3, an implicit adaptive method."""
    from continua.bench.soromox_arm import soromox_arm

    start = time.perf_counter()
    peer = soromox_arm(robot, Rod(robot).arc_length.size - 2)
    yield Figure('soromox: construction', time.perf_counter() - start, 's')
    import jax
    from diffrax import Kvaerno3, ODETerm, PIDController, SaveAt, diffeqsolve

    pull = np.zeros(len(robot.tendons))
    pull[0] = PULL
    rate = jax.jit(lambda t, y, args: peer.forward_dynamics(t, y, (pull,)))
    y = np.zeros(2 * Rod(robot).dof)
    start = time.perf_counter()
    rate(0.0, y, None).block_until_ready()
    yield Figure('soromox: compilation of one evaluation', time.perf_counter() - start, 's')
    cost = seconds_per_call(lambda: rate(0.0, y, None).block_until_ready())
    yield Figure('soromox: one evaluation', 1e6 * cost, 'us')
    yield Figure('  times our Jacobians, M and C', cost / evaluation_times(Rod(robot))['Jacobians, M and C'])

    times = np.arange(1, 126) * 0.01

    @jax.jit
    def solve(start_state):
        return diffeqsolve(
            ODETerm(rate),
            Kvaerno3(),
            0.0,
            DURATION,
            1e-4,
            start_state,
            saveat=SaveAt(ts=times),
            stepsize_controller=PIDController(rtol=1e-4, atol=1e-4),
            max_steps=100_000,
        ).ys

    start = time.perf_counter()
    solve(y).block_until_ready()
    compilation = time.perf_counter() - start
    start = time.perf_counter()
    states = np.asarray(solve(y))
    wall = time.perf_counter() - start
    rod = Rod(robot)
    tip = rod.sampler(np.array([rod.length]))
    path = np.array([tip.poses(state[: rod.dof].copy())[1][0] for state in states])
    error = np.linalg.norm(path - reference_path(robot)[39::40], axis=1)
    yield Figure('soromox with Kvaerno3, tolerance 1e-4: compilation', compilation - wall, 's')
    yield Figure('soromox with Kvaerno3: a simulated second', wall / DURATION, 's')
    yield Figure('  times ours at 2 ms steps', wall / DURATION / _our_second(robot))
    yield Figure('  largest tip error', 1e6 * error.max(), 'um')


def _our_second(robot: Robot) -> float:
    """Wall seconds of one simulated second with the rod engine."""
    return min(step_response(Integrator(Rod(robot)), 2e-3)[1] for _ in range(3)) / DURATION
