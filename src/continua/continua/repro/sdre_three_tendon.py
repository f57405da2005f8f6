"""Three tendons, a circle, a known force, a disturbance and a far guess (sdre section IV-B, fig 3)."""

from collections.abc import Iterator

import numpy as np

from continua.estimation import SdreObserver
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot
from continua.repro.sdre_motion import observe, record, settled, tips, with_strains
from continua.rod import Rod

__all__ = ['THREE_TENDON']

_RATE, _DURATION = 500.0, 5.0  # Hz, s
_KNOWN = -1.5  # N along the world's z, in the middle of the arm
_DISTURBANCE, _FROM, _TO = -0.2, 2.0, 2.25  # N along the world's z at the tip, s
_GUESS, _CLOSE = (1.0, -0.6), 2e-3  # units of deformation about y and z; m, what counts as converged
_WEIGHTS = {"the paper's R": 0.1, 'R of 1 mm': 1e-6}


def _three_tendon(setting: Setting) -> Iterator[Number]:
    rod = Rod(with_strains(paper_robot('sdre_arm'), 3, bending_y=2, bending_z=2, elongation=0))
    known, disturbance = np.zeros((2, rod.arc_length.size, 6))
    known[np.argmin(np.abs(rod.arc_length - 0.5 * rod.length)), 5] = _KNOWN
    disturbance[-1, 5] = _DISTURBANCE
    figure = new_figure(9.0, 5.6)
    for row, (case, load) in zip(
        figure.subplots(2, 2), (('gravity', 0.0 * known), ('force', known)), strict=True
    ):
        setting.say(case)

        def acting(t: float, load: np.ndarray = load) -> np.ndarray:
            return load + disturbance if _FROM <= t < _TO else load

        motion = record(rod, _circle(3.0 if setting.quick else _DURATION), _RATE, acting)
        true, guess = tips(rod, motion.q), np.zeros(rod.dof)
        bending = np.flatnonzero(np.isin(rod.strain_index, (1, 2)))[[0, 3]]
        guess[bending] = _GUESS * rod.scale[bending]
        before = motion.time <= _FROM
        for (name, R), color in zip(_WEIGHTS.items(), (BLUE, ORANGE), strict=True):
            observer = SdreObserver(rod, R=R)
            seen = observe(observer, observer.begin(guess), motion, load)
            error = np.linalg.norm(tips(rod, seen.q) - true, axis=1)
            told = f'{case}, {name}'
            yield at_most(f'tip error below 2 mm, {told}', settled(error[before], _CLOSE, _RATE), 2.0, 's')
            yield Number(f'largest tip error by the disturbance, {told}', 1e3 * error[~before].max(), 'mm')
            after = settled(error[motion.time > _TO], _CLOSE, _RATE)
            yield at_most(f'tip error below 2 mm after the disturbance, {told}', after, 2.0, 's')
            yield at_most(f'mean time of a step, {told}', 1e3 * seen.seconds.mean(), 1e3 / _RATE, 'ms')
            yield Number(f'99 % of steps within, {told}', 1e3 * np.percentile(seen.seconds, 99), 'ms')
            row[0].semilogy(motion.time, 1e3 * error, color=color, lw=1.0, label=name)
            row[1].plot(motion.time, seen.q[:, bending], color=color, lw=1.0)
        row[1].plot(motion.time, motion.q[:, bending], 'k--', lw=1.0)
        row[0].set(title=f'{case}: tip error [mm]', xlabel='time [s]')
        row[1].set(title='mean curvatures, true: dashed [1/m]', xlabel='time [s]')
        row[0].legend(fontsize=8)
    setting.save(figure, 'sdre-three-tendon')


def _circle(duration: float) -> np.ndarray:
    """Tensions (s, 3) N between 0 and 7 at 5 rad/s, a third of a turn apart: a circle of the tip."""
    t = (np.arange(round(duration * _RATE)) + 0.5) / _RATE
    return 3.5 * (1.0 - np.cos(5.0 * t[:, None] - 2.0 * np.pi / 3.0 * np.arange(3)))


THREE_TENDON = Experiment(
    'sdre-three-tendon',
    'SDRE observer of 7 coordinates with three tendons: a circle, a force, a disturbance, a far guess',
    'SDRE observer, IV-B, fig 3',
    'converges in both cases',
    'same, at 500 Hz on one core',
    _three_tendon,
)
