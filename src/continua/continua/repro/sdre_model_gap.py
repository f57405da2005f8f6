"""One tendon, and observers with fewer coordinates than the arm (sdre section IV-A, fig 2b, table II)."""

from collections.abc import Iterator

import numpy as np

from continua.estimation import SdreObserver
from continua.reduction import decompose
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import new_figure
from continua.repro.robots import paper_robot
from continua.repro.sdre_motion import Recording, observe, record, tips, with_strains
from continua.repro.sdre_one_tendon import RATE, STRAINS, swing
from continua.rod import Rod

__all__ = ['MODEL_GAP']

_PAPER_ERROR = {1: 5.16, 2: 1.89, 3: 1.58, 4: 1.07}  # cm
_PAPER_TIME = {1: 0.26, 2: 0.91, 3: 4.33, 4: 5.30}
_FAST = {4: 0.05}
_DURATION = 4.0  # s
# Readings that weigh more, down to what a millimetre at 1 Hz is worth.
_WEIGHTS = (1e-3, 1e-4, 1e-5, 1e-6)


def _model_gap(setting: Setting) -> Iterator[Number]:
    robot, repeats = paper_robot('sdre_arm'), 1 if setting.quick else 5
    full = Rod(with_strains(robot, 1, bending_y=4, elongation=4))
    motion = record(full, swing(_DURATION), RATE)
    true = tips(full, motion.q)
    figure = new_figure(7.0, 3.4)
    ax = figure.subplots()
    for n, strains in STRAINS.items():
        setting.say(f'{n} coordinates')
        rod = Rod(with_strains(robot, 1, **strains))
        error, seconds = _run(rod, motion, true, repeats)
        ax.plot(motion.time, 1e2 * error, lw=1.0, label=f'n = {n}')
        paper = _PAPER_ERROR[n]
        yield at_most(f'mean tip error, {n} coordinates', 1e2 * error.mean(), 1.2 * paper, 'cm', paper)
        name = f'computing time in that of the motion, {n} coordinates'
        paper = _PAPER_TIME[n]
        yield at_most(name, seconds, _FAST[n], '', paper) if n in _FAST else Number(name, seconds, '', paper)
        silent, _ = _run(rod, motion, true, readings=False)
        yield Number(
            f'mean tip error of the model without readings, {n} coordinates', 1e2 * silent.mean(), 'cm'
        )
        best = min(_run(rod, motion, true, R=R)[0].mean() for R in _WEIGHTS)
        yield Number(f'mean tip error, {n} coordinates, best weight of the readings', 1e2 * best, 'cm')
    found = decompose(full, motion.q)
    for n in STRAINS:
        setting.say(f'{n} modes')
        reduced = Rod(full.robot, modes=found.modes[:, :n])
        yield Number(f'mean tip error, {n} modes', 1e2 * _run(reduced, motion, true)[0].mean(), 'cm')
    ax.set(xlabel='time [s]', ylabel='tip error [cm]')
    ax.legend(fontsize=8)
    setting.save(figure, 'sdre-model-gap')


def _run(
    rod: Rod, motion: Recording, true: np.ndarray, repeats: int = 1, R: float = 0.1, readings: bool = True
) -> tuple[np.ndarray, float]:
    """Tip errors (s,) m of an observer that begins where the motion does, and its computing time in that of
    the motion, the shortest of several runs."""
    observer = SdreObserver(rod, R=R)
    runs = [observe(observer, observer.begin(), motion, readings=readings) for _ in range(repeats)]
    seconds = min(run.seconds.sum() for run in runs)
    return np.linalg.norm(tips(rod, runs[0].q) - true, axis=1), float(seconds / motion.time[-1])


MODEL_GAP = Experiment(
    'sdre-model-gap',
    'SDRE observers of 1 to 4 coordinates on an arm of 10 with one tendon',
    'SDRE observer, IV-A, fig 2b, table II',
    '5.16, 1.89, 1.58, 1.07 cm; t_r 0.26, 0.91, 4.33, 5.30',
    'errors within 20 %; t_r at most 0.05 for n = 4',
    _model_gap,
)
