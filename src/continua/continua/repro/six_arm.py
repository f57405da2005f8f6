"""The six-actuator manipulator in motion (soft_synergies sections IV-C, IV-D3)."""

import time
from collections.abc import Iterator

import numpy as np

from continua.io.mode_plots import modes_figure
from continua.reduction import Excitation, decompose, hold_signal, mode_shapes
from continua.repro.experiment import Experiment, Number, Setting, at_least, at_most
from continua.repro.figures import errors_and_times
from continua.repro.robots import paper_robot
from continua.repro.study import Study
from continua.rod import Rod

__all__ = ['SIX_DYNAMIC', 'six_dynamic']

_SEED = 6
_RATE = 100.0  # Hz
_RANGE = 20.0  # N


def six_dynamic(setting: Setting) -> Study:
    """Modes of babbling, tested on 10 s of pulls that change every second, half as large again."""
    robot, random = paper_robot('six_tendon_arm'), np.random.default_rng(_SEED)
    full = Rod(robot)
    setting.say('babbling')
    babble = _held(_RANGE, (0.5, 1.0), 10.0 if setting.quick else 60.0, random)
    tested = _held(1.5 * _RANGE, (1.0, 1.0), 2.0 if setting.quick else 10.0, random)
    rehearsed = _held(_RANGE, (0.5, 1.0), 2.0, random)
    found = decompose(full, babble.motion(full))
    return Study(robot, found, tested, [(None, full.length)], rehearsed, full.length)


def _six_dynamic(setting: Setting) -> Iterator[Number]:
    study = six_dynamic(setting)
    full = Rod(study.robot)
    snapshots = (study.found.modes @ study.found.coefficients).T
    start = time.perf_counter()
    decompose(full, snapshots)
    yield at_most(f'decomposition of {len(snapshots)} snapshots', time.perf_counter() - start, 1.2, 's', 1.2)
    yield at_least('energy of 10 modes', study.found.relative_energy[9], 0.99, paper=0.99634)
    counts = list(range(4, full.dof + 1, 6 if setting.quick else 2))
    counts = sorted({*counts, 10, 18})
    setting.say('reduced models')
    found = study.truncation(counts)
    for n, error, speed_up in zip(counts, found.mean, found.speed_up, strict=True):
        yield Number(f'mean tip error, {n} modes', 1e3 * float(error), 'mm')
        yield Number(f'speed-up, {n} modes', float(speed_up))
    error = dict(zip(counts, found.mean, strict=True))
    yield at_most('mean tip error, 18 modes, in that of 10', error[18] / error[10], 0.1)
    yield Number('knee by the library', found.knee, '', 18.0)
    setting.save(modes_figure(mode_shapes(full, study.found, 10)), 'pod-six-dynamic-modes')
    setting.save(errors_and_times(found), 'pod-six-dynamic-errors')


def _held(
    reach: float, hold: tuple[float, float], duration: float, random: np.random.Generator
) -> Excitation:
    """Random pulls of all tendons within -reach to reach N, each held for a time within `hold` s."""
    inputs = hold_signal([-reach] * 6, [reach] * 6, hold, duration, _RATE, random)
    return Excitation(inputs, _RATE, substeps=2)


SIX_DYNAMIC = Experiment(
    'pod-six-dynamic',
    'Six-actuator arm, dynamics: 28 coordinates, 60 s of babbling at 100 Hz',
    'soft synergies, IV-C, IV-D3, figs 6 and 8',
    'energy of 10 modes 99.634 %; error near zero from 18 coordinates; decomposition in 1.2 s',
    'same curve, same knee',
    _six_dynamic,
    _SEED,
)
