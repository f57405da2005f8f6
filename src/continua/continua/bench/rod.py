"""`continua bench rod`: the rod engine on the arms of the soft-synergies paper (table II), and its peers."""

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

from continua.bench.arms import PULL, arm
from continua.bench.evaluations import measure_evaluations
from continua.bench.figure import Figure
from continua.bench.motion import measure_motion, measure_pace, measure_statics
from continua.bench.peers import is_installed
from continua.bench.timing import seconds_per_call
from continua.description import parse_robot
from continua.doctor.checkout import checkout
from continua.estimation import ShapeLeastSquares, Synergies
from continua.rod import Rod
from continua.sensing import MarkerModel

__all__ = ['measure_rod']

_ARMS = ('single_tendon_arm', 'three_tendon_arm', 'six_tendon_arm')
_LINKAGES = ('soft_legged_platform', 'hyper_redundant_arm')
_STEPS = (1e-3, 2e-3, 5e-3, 1e-2)  # s


def measure_rod(quick: bool = False) -> Iterator[Figure]:
    """Yield everything: half a minute once the kernels are compiled, and two minutes more with all peers.

    quick: one time step of each arm and no peers. Raises ValueError where there is no checkout with robots.
    """
    root = checkout()
    if root is None:
        raise ValueError('continua bench rod: expected a checkout, whose config/robots it measures; got none')
    text = {name: (root / f'config/robots/{name}.yaml').read_text() for name in (*_ARMS, *_LINKAGES)}
    yield from measure_evaluations({name: text[name] for name in _LINKAGES})
    for robot in (parse_robot(text[name]) for name in _ARMS):
        yield from measure_statics(robot)
        yield from measure_motion(robot, (2e-3,) if quick else _STEPS)
    for robot in (parse_robot(text[name]) for name in _LINKAGES):
        yield from measure_pace(robot, 5e-3)
    robot = parse_robot(arm(22, 8))
    yield _estimate(Rod(robot))
    yield _start()
    if quick:
        return
    if is_installed('elastica'):
        from continua.bench.peer_figures import measure_elastica

        yield from measure_elastica(robot)
    if is_installed('soromox'):
        from continua.bench.peer_figures import measure_soromox

        yield from measure_soromox(robot)


def _estimate(rod: Rod) -> Figure:
    estimator = ShapeLeastSquares(rod, Synergies.of_statics(rod, samples=50))
    markers = MarkerModel(rod).predict(rod.statics(np.array([PULL])).q)
    visible = np.ones(len(markers), dtype=bool)
    belief = estimator.step(None, markers, visible, 0.01)
    cost = seconds_per_call(lambda: estimator.step(belief, markers, visible, 0.01))
    return Figure('shape estimate, 6 modes and 2 markers, warm start', 1e3 * cost, 'ms')


def _start() -> Figure:
    """A new process up to its first step, the kernels being in the cache."""
    script = (
        'from continua.rod import Integrator, Rod\n'
        'from continua.bench.arms import arm\n'
        'from continua.description import parse_robot\n'
        'Integrator(Rod(parse_robot(arm(22, 8)))).step(5e-3, [5.0])\n'
    )
    start = time.perf_counter()
    subprocess.run([sys.executable, '-c', script], check=True)
    seconds = time.perf_counter() - start
    return Figure('start of Python, import, first step with compiled kernels', seconds, 's')
