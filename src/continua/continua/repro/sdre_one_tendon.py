"""One tendon, and an observer that has the model of the arm (sdre section IV-A, fig 2a)."""

from collections.abc import Iterator

import numpy as np

from continua.estimation import SdreObserver
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import new_figure
from continua.repro.robots import paper_robot
from continua.repro.sdre_motion import observe, record, settled, tips, with_strains
from continua.rod import Rod

__all__ = ['ONE_TENDON', 'RATE', 'STRAINS', 'swing']

# Constant, linear curvature; the latter and elongation; quadratic curvature and elongation.
STRAINS = {
    1: {'bending_y': 0},
    2: {'bending_y': 1},
    3: {'bending_y': 1, 'elongation': 0},
    4: {'bending_y': 2, 'elongation': 0},
}
RATE = 100.0  # Hz
_DURATION = 4.0  # s
# The guess bends by so many units of deformation, about a radian; m, what counts as converged.
_GUESS, _CLOSE = 1.0, 1e-3
# The paper's weight of the readings, and one of readings that are good to 1 mm at 1 Hz.
_WEIGHTS = {"the paper's R": 0.1, 'R of 1 mm': 1e-6}


def swing(duration: float) -> np.ndarray:
    """Tensions (s, 1) N: a sine of 5 rad/s between 0 and 7 N that begins at 0, as a tendon cannot push."""
    t = (np.arange(round(duration * RATE)) + 0.5) / RATE
    return 3.5 * (1.0 - np.cos(5.0 * t))[:, None]


def _one_tendon(setting: Setting) -> Iterator[Number]:
    figure = new_figure(9.0, 3.4)
    axes = dict(zip([*_WEIGHTS, 'no readings'], figure.subplots(1, 3, sharey=True), strict=True))
    for n, strains in STRAINS.items():
        setting.say(f'{n} coordinates')
        rod = Rod(with_strains(paper_robot('sdre_arm'), 1, **strains))
        motion = record(rod, swing(_DURATION), RATE)
        true, guess = tips(rod, motion.q), np.zeros(rod.dof)
        guess[0] = _GUESS * rod.scale[0]
        first = float(np.linalg.norm(tips(rod, guess[None]) - tips(rod, 0.0 * guess[None])))
        yield Number(f'tip error of the guess, {n} coordinates', 1e3 * first, 'mm')
        for name, ax in axes.items():
            observer = SdreObserver(rod, R=_WEIGHTS.get(name, 0.1))
            seen = observe(observer, observer.begin(guess), motion, readings=name in _WEIGHTS)
            error = np.linalg.norm(tips(rod, seen.q) - true, axis=1)
            ax.semilogy(motion.time, 1e3 * error, lw=1.0, label=f'n = {n}')
            took, what = settled(error, _CLOSE, RATE), f'tip error below 1 mm, {n} coordinates, {name}'
            yield at_most(what, took, 2.0, 's') if name in _WEIGHTS else Number(what, took, 's')
        found = [observer.observability(q, 0.0 * q) for q in motion.q[:: 40 if setting.quick else 10]]
        yield Number(
            f'smallest margin of the observability test, {n} coordinates',
            min(float(each.margin.min()) for each in found),
            goal='full rank all along the motion',
            met=all(each.observable for each in found),
        )
    for name, ax in axes.items():
        ax.set(title=name, xlabel='time [s]')
    axes['no readings'].legend(fontsize=8)
    next(iter(axes.values())).set(ylabel='tip error [mm]')
    setting.save(figure, 'sdre-one-tendon')


ONE_TENDON = Experiment(
    'sdre-one-tendon',
    'SDRE observer of an arm with one tendon, 1 to 4 coordinates, from a wrong guess',
    'SDRE observer, IV-A, fig 2a',
    'converges exponentially within 2 s; the observability test holds',
    'same',
    _one_tendon,
)
