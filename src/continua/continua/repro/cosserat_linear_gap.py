"""The collocation rod against its linear model (adaptive_nempc_ddpinn section III-G, fig 4)."""

from collections.abc import Iterator

import numpy as np

from continua.prediction import PredictionModel, collocation_model, linear_model
from continua.repro.cosserat_inputs import DT, combinations, low_passed, staircase
from continua.repro.experiment import Experiment, Number, Setting, at_least
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot

__all__ = ['LINEAR_GAP']

_CUTOFF, _HOLD = 4.0, 1.0  # Hz, s
_SMALL, _STUDIED = 1.5, np.arange(10.0, 81.0, 10.0)  # kPa
_AXES = ('x', 'y', 'z')


def _linear_gap(setting: Setting) -> Iterator[Number]:
    robot = paper_robot('pneumatic_arm')
    models = collocation_model(robot), linear_model(robot)
    shape = low_passed(staircase(combinations()[: 2 if setting.quick else 7], _HOLD), _CUTOFF)
    studied = _STUDIED[[0, 3, 7]] if setting.quick else _STUDIED
    gaps, tips = [], {}
    for kilopascal in (_SMALL, *studied):
        setting.say(f'{kilopascal:g} kPa')
        u = 1e3 * kilopascal * shape
        tips[kilopascal] = exact, linear = [_tip(model, u) for model in models]
        gaps.append(np.abs(exact - linear).mean(axis=0))
        deflection = np.linalg.norm(exact - exact[0], axis=1).max()
        yield Number(f'largest deflection, {kilopascal:g} kPa', 1e3 * deflection, 'mm')
        for axis, gap in zip(_AXES, gaps[-1], strict=True):
            yield Number(f'mean error of the linear model in {axis}, {kilopascal:g} kPa', 1e3 * gap, 'mm')
    gaps = np.array(gaps)
    for axis, gap in zip(_AXES, gaps.T, strict=True):
        # a straight line in a log-log plot: a power of 1 would be linear
        power = np.polyfit(np.log(studied), np.log(gap[1:]), 1)[0]
        yield at_least(f'power of the amplitude with which the error in {axis} rises', power, 1.0)
    _draw(setting, studied, gaps[1:], *tips[studied[-1]])


def _tip(model: PredictionModel, u: np.ndarray) -> np.ndarray:
    """Tip positions (s + 1, 3) m from rest under pressures u (s, 3)."""
    x = np.vstack([model.x0, model.motion(u, DT)])
    return model.position(x, np.tile(model.parameters, (len(x), 1)))


def _draw(setting: Setting, studied, gaps: np.ndarray, exact: np.ndarray, linear: np.ndarray) -> None:
    figure = new_figure(9.0, 3.6)
    left, right = figure.subplots(1, 2, width_ratios=[1.0, 1.6])
    for axis, gap in zip(_AXES, gaps.T, strict=True):
        left.plot(studied, 1e3 * gap, 'o-', label=axis)
    left.set(xlabel='amplitude [kPa]', ylabel='mean error of the linear model [mm]')
    left.legend()
    time = DT * np.arange(len(exact))
    for i, style in enumerate(('-', '--', ':')):
        right.plot(time, 1e3 * exact[:, i], style, color=BLUE, lw=1.0, label=f'{_AXES[i]}, nonlinear')
        right.plot(time, 1e3 * linear[:, i], style, color=ORANGE, lw=1.0, label=f'{_AXES[i]}, linear')
    right.set(xlabel='time [s]', ylabel=f'tip at {studied[-1]:g} kPa [mm]')
    right.legend(fontsize=7, ncols=3)
    setting.save(figure, 'cosserat-linear-gap')


LINEAR_GAP = Experiment(
    'cosserat-linear-gap',
    'Collocation rod of 72 states against its linear model, steps of 10 to 80 kPa',
    'adaptive NEMPC, III-G, fig 4',
    'good accordance below 10 mm of deflection, then an error that rises more than linearly',
    'same trend',
    _linear_gap,
)
