"""The single-actuator manipulator in motion (soft_synergies sections IV-A2, IV-D1)."""

import time
from collections.abc import Iterator

import numpy as np

from continua.reduction import Excitation, decompose, step_signal
from continua.repro.experiment import Experiment, Number, Setting, at_least, at_most
from continua.repro.figures import errors_and_times, strain_modes
from continua.repro.robots import paper_robot
from continua.repro.study import Study
from continua.rod import Rod

__all__ = ['SINGLE_DYNAMIC', 'single_dynamic']

_STEP = Excitation(step_signal([0.0], [5.0], 0.0, 1.25, 100.0), 100.0)
_RATE = 50.0  # Hz, of the actuation that changes continuously
_MODES = 4


def single_dynamic(setting: Setting) -> Study:
    """Modes of the step, tested on 10 s of actuation that changes continuously within -5 to 5 N."""
    robot = paper_robot('single_tendon_arm')
    full = Rod(robot)
    t = np.arange(round((2.0 if setting.quick else 10.0) * _RATE) + 1) / _RATE
    swing = 2.5 * (np.sin(np.pi * t) + np.sin(1.66 * np.pi * t + 1.0))
    found = decompose(full, _STEP.motion(full))
    return Study(robot, found, Excitation(swing[:, None], _RATE), [(None, full.length)], _STEP, full.length)


def _single_dynamic(setting: Setting) -> Iterator[Number]:
    study = single_dynamic(setting)
    full = Rod(study.robot)
    setting.say('full model')
    step = min(_seconds(full, _STEP) for _ in range(5))
    yield Number('full model, 1.25 s of the step', step, 's', 4.0)
    yield at_least('full model, times faster than real time', 1.25 / step, 100.0, paper=1.25 / 4.0)
    for n in range(_MODES):
        yield Number(f'energy of {n + 1} modes', float(study.found.relative_energy[n]))
    found = study.truncation((1, 2, 3, 4, 6, 8, 12, 22), repeats=3)
    for n, error, speed_up in zip(found.counts, found.mean, found.speed_up, strict=True):
        yield Number(f'mean tip error, {n} modes', 1e3 * float(error), 'mm')
        yield Number(f'speed-up, {n} modes', float(speed_up))
    setting.say('quadrature')
    fewer = study.truncation((_MODES,), study.rules(_MODES, 1e-4), repeats=5)
    duration = study.tested.time[-1]
    yield at_most('mean tip error, 4 modes, fewer points', 1e3 * float(fewer.mean[0]), 0.25, 'mm')
    yield Number('4 modes, fewer points: 10 s of the test', 10.0 * fewer.seconds[0] / duration, 's', 2.0)
    faster = duration / fewer.seconds[0]
    yield at_least('4 modes, fewer points: times faster than real time', faster, 500.0, paper=5.0)
    setting.save(strain_modes(full, study.found, _MODES), 'pod-single-dynamic-modes')
    setting.save(errors_and_times(found), 'pod-single-dynamic-errors')


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
