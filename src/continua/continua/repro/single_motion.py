"""The single-actuator manipulator in motion (soft_synergies sections IV-A2, IV-D1)."""

import time
from collections.abc import Iterator

import numpy as np

from continua.io.mode_plots import modes_figure
from continua.reduction import Excitation, decompose, mode_shapes, step_signal
from continua.reduction.cases import points_of
from continua.repro.experiment import Experiment, Number, Setting, at_least, at_most
from continua.repro.figures import errors_and_times
from continua.repro.robots import paper_robot
from continua.repro.study import Study
from continua.rod import Rod

__all__ = ['SINGLE_DYNAMIC', 'single_dynamic']

_STEP = Excitation(step_signal([0.0], [5.0], 0.0, 1.25, 100.0), 100.0)
_RATE, _FINE = 25.0, 1000.0  # Hz, of the actuation that changes continuously, and of the reference
_MODES = 4
_COUNTS = (1, 2, 3, 4, 6, 8, 12, 22)
# What fewer quadrature points may move the tip by; m.
_OF_POINTS = 3e-4


def single_dynamic(setting: Setting) -> Study:
    """Modes of the step, tested on 10 s of actuation that changes continuously."""
    robot = paper_robot('single_tendon_arm')
    full = Rod(robot)
    found, tested = decompose(full, _STEP.motion(full)), _swing(setting, _RATE)
    return Study(robot, found, tested, [(None, full.length)], _STEP, full.length)


def _single_dynamic(setting: Setting) -> Iterator[Number]:
    study = single_dynamic(setting)
    full, repeats = Rod(study.robot), 3 if setting.quick else 20
    step = min(_seconds(full, _STEP) for _ in range(repeats))
    yield Number('full model, 1.25 s of the step in steps of 10 ms', 1e3 * step, 'ms', 4000.0)
    for n in range(_MODES):
        yield Number(f'energy of {n + 1} modes', float(study.found.relative_energy[n]))
    setting.say('reduced models')
    found = study.truncation(_COUNTS, repeats=repeats)
    for n, error, speed_up in zip(_COUNTS, found.mean, found.speed_up, strict=True):
        yield Number(f'mean tip error, {n} modes', 1e3 * float(error), 'mm')
        yield Number(f'speed-up, {n} modes', float(speed_up))
    setting.say('quadrature')
    rules = study.rules(_MODES, _OF_POINTS)
    fewer = study.truncation([_MODES], rules, repeats)
    yield at_most('mean tip error, 4 modes, fewer points', 1e3 * float(fewer.mean[0]), 1.25, 'mm')
    reduced = Rod(study.robot, points=rules, modes=study.found.modes[:, :_MODES])
    exact = points_of(full, _swing(setting, _FINE).motion(full), study.places)
    for name, rod in (('full model', full), ('4 modes, fewer points', reduced)):
        apart = points_of(rod, study.tested.motion(rod), study.places) - exact[:: round(_FINE / _RATE)]
        error = 1e3 * float(np.linalg.norm(apart, axis=2).mean())
        yield Number(f'mean tip error of {name} in steps of 40 ms', error, 'mm')
    duration, seconds = study.tested.time[-1], float(fewer.seconds[0])
    faster = duration / min(found.full_seconds, fewer.full_seconds)
    yield at_least('full model, times faster than real time', faster, 100.0, paper=1.25 / 4.0)
    yield Number('4 modes, fewer points, 10 s of the test', 10.0 * seconds / duration, 's', 2.0)
    yield at_least('4 modes, fewer points, times faster than real time', duration / seconds, 500.0, paper=5.0)
    setting.save(modes_figure(mode_shapes(full, study.found, _MODES)), 'pod-single-dynamic-modes')
    setting.save(errors_and_times(found), 'pod-single-dynamic-errors')


def _swing(setting: Setting, rate: float) -> Excitation:
    """10 s within -5 to 5 N; each step has the value at its middle."""
    t = (np.arange(round((2.0 if setting.quick else 10.0) * rate) + 1) + 0.5) / rate
    return Excitation(2.5 * (np.sin(np.pi * t) + np.sin(1.66 * np.pi * t + 1.0))[:, None], rate)


def _seconds(rod: Rod, excitation: Excitation) -> float:
    start = time.perf_counter()
    excitation.motion(rod)
    return time.perf_counter() - start


SINGLE_DYNAMIC = Experiment(
    'pod-single-dynamic',
    'Single-actuator arm, dynamics: 22 coordinates, gravity, a step of 5 N for 1.25 s, 4 modes',
    'soft synergies, IV-A2, IV-D1',
    'full model: 1.25 s in about 4 s; reduced model: 10 s in 2 s',
    'full model over 100x faster than real time, reduced model over 500x',
    _single_dynamic,
)
