"""Time of one control step of the collocation rod (adaptive_nempc_ddpinn section IV-C, table V)."""

import time
from collections.abc import Iterator

import numpy as np

from continua.cosserat import CollocationRod
from continua.repro.cosserat_inputs import DT, combinations, low_passed, oscillations, staircase
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot

__all__ = ['SPEED']

_STEPS, _SIGMA_POINTS = 1000, 147
_FINE = 1e-7  # tolerance of the reference
_CUTOFF = 4.0  # Hz


def _pressures(count: int) -> np.ndarray:
    """(count, 3) Pa: turns of 0.1, 0.5, 1 and 1.5 Hz, and smooth steps, up to the limit of 75 kPa."""
    turns = oscillations((0.1, 0.5, 1.0, 1.5), 2.0, 75e3)
    steps = 75e3 * low_passed(staircase(combinations()[:3], 0.75), _CUTOFF)
    return np.concatenate([turns, steps])[:count]


def _speed(setting: Setting) -> Iterator[Number]:
    robot = paper_robot('pneumatic_arm')
    rod, fine = CollocationRod(robot), CollocationRod(robot, tolerance=_FINE)
    u = _pressures(200 if setting.quick else _STEPS)
    setting.say('the motion')
    x, reference = _motion(rod, u), _motion(fine, u)
    repeats = 2 if setting.quick else 5
    milliseconds = 1e3 * np.min([_times(rod, x, u) for _ in range(repeats)], axis=0)
    yield at_most('mean time of a step', milliseconds.mean(), 1.0, 'ms', paper=35.9)
    for name, share in (('median', 50), ('99th percentile', 99), ('longest', 100)):
        yield Number(f'{name} time of a step', np.percentile(milliseconds, share), 'ms')
    error = 1e3 * np.linalg.norm(rod.output(x) - rod.output(reference), axis=1)
    yield Number('largest tip error over the motion, by the tolerance', error.max(), 'mm')
    yield Number('mean tip error over the motion, by the tolerance', error.mean(), 'mm')
    middle = len(u) // 2
    batch = np.tile(x[middle], (_SIGMA_POINTS, 1))
    yield Number(
        'processor time of a step in a batch of 147',
        1e3 * _cpu_time(rod.step, batch, u[middle], DT) / 147,
        'ms',
    )
    equilibrium = _cpu_time(rod.statics, np.array([60e3, 30e3, 0.0]))
    yield Number('processor time of an equilibrium, from the straight rod', 1e3 * equilibrium, 'ms')
    yield Number("processor time of the tip's position", 1e6 * _cpu_time(rod.output, x[middle]), 'us')
    for nodes in (4, 6, 8, 11, 16):
        setting.say(f'{nodes} nodes')
        other = CollocationRod(robot, nodes)
        motion = _motion(other, u[:200])
        times = np.min([_times(other, motion, u[:200]) for _ in range(repeats)], axis=0)
        yield Number(f'mean time of a step, {nodes} nodes, first 200 steps', 1e3 * times.mean(), 'ms')
    _draw(setting, u, milliseconds, error)


def _motion(rod: CollocationRod, u: np.ndarray) -> np.ndarray:
    """States (s + 1, n) from rest."""
    x = [rod.statics(np.zeros(3))]
    for each in u:
        x.append(rod.step(x[-1], each, DT))
    return np.array(x)


def _times(rod: CollocationRod, x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Wall times (s,) s of the steps along a motion."""
    out = np.empty(len(u))
    for k, each in enumerate(u):
        start = time.perf_counter()
        rod.step(x[k], each, DT)
        out[k] = time.perf_counter() - start
    return out


def _cpu_time(call, *given) -> float:
    """Least processor time of several calls, s: long ones share the processor with other work."""
    out = np.inf
    for _ in range(10):
        start = time.process_time()
        call(*given)
        out = min(out, time.process_time() - start)
    return out


def _draw(setting: Setting, u: np.ndarray, milliseconds: np.ndarray, error: np.ndarray) -> None:
    figure = new_figure(9.0, 4.6)
    top, middle, bottom = figure.subplots(3, 1, sharex=True)
    t = DT * np.arange(len(u))
    top.plot(t, 1e-3 * u, lw=0.9)
    top.set_ylabel('pressure [kPa]')
    middle.plot(t, milliseconds, color=BLUE, lw=0.8)
    middle.axhline(1.0, color=ORANGE, ls='--', lw=1.0)
    middle.set_ylabel('time [ms]')
    bottom.semilogy(t, np.maximum(error[1:], 1e-6), color=BLUE, lw=0.8)
    bottom.set(xlabel='time of the motion [s]', ylabel='tip error [mm]')
    setting.save(figure, 'cosserat-speed')


SPEED = Experiment(
    'cosserat-speed',
    'Wall time of a control step of 14.28 ms of the collocation rod of 72 states',
    'adaptive NEMPC, IV-C, table V',
    '35.9 ms (ode23s in Matlab)',
    'under 1 ms',
    _speed,
)
