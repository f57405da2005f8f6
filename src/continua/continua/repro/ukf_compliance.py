"""Bending compliance of the pneumatic arm from its tip, with an unscented filter (nempc V-A2, fig 9)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from continua.estimation import Ukf, UkfBelief
from continua.prediction import PredictionModel, collocation_model
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot

__all__ = ['UKF_COMPLIANCE']

_SEED = 3
_RATE = 70.0  # Hz
_TRUE = 45.0  # rad/(N m m)
_MEAN, _AMPLITUDE = 20e3, 20e3 / 3.0  # Pa, of each of three oscillations
_FREQUENCIES = np.array([0.2, 0.5, 0.8])  # Hz
_NOISE = 5e-4  # m
_CLOSE = 1.2  # %
# In parts of each state's scale, and of the compliance: at start, and growth in the root of a second.
_SPREAD, _DISTURBANCE = (0.02, 0.1), (0.01, 0.003)


@dataclass(frozen=True)
class _Seen:
    """Compliance and its standard deviation (k,), tip errors (k,) m, seconds of a step, and statuses."""

    compliance: np.ndarray
    deviation: np.ndarray
    tip: np.ndarray
    seconds: float
    corrected: float


def _compliance(setting: Setting) -> Iterator[Number]:
    robot, random = paper_robot('pneumatic_arm'), np.random.default_rng(_SEED)
    duration, nodes = (2.0, (3, 2)) if setting.quick else (15.0, (6, 4))
    real = collocation_model(robot, nodes[0])
    setting.say(f'the arm of {nodes[0]} nodes with {_TRUE:g} rad/(N m m)')
    u = _pressures(np.arange(1, round(duration * _RATE) + 1) / _RATE)
    tips = _tips(real, u)
    readings, begun = tips + _NOISE * random.normal(size=tips.shape), round(duration * _RATE / 3.0)
    seen = {}
    for model in (real, collocation_model(robot, nodes[1])):
        name = f'filter of {model.x0.size} states'
        setting.say(name)
        found = seen[name] = _observe(model, readings, u, tips)
        off = 1e2 * (found.compliance / _TRUE - 1.0)
        mean, is_paper = abs(off[begun:].mean()), model is real
        yield at_most(f'error of the compliance, {name}', mean, _CLOSE, '%', _CLOSE if is_paper else None)
        late = np.flatnonzero(np.abs(off) > _CLOSE)
        yield Number(f'within {_CLOSE} % from, {name}', (late[-1] + 1) / _RATE if late.size else 0.0, 's')
        yield Number(f'its standard deviation, {name}', 1e2 * found.deviation[-1] / _TRUE, '%')
        yield Number(f'mean tip error, {name}', 1e3 * found.tip[begun:].mean(), 'mm')
        yield Number(f'readings that corrected, {name}', 1e2 * found.corrected, '%')
        yield Number(f'time of a step, {name}', 1e3 * found.seconds, 'ms', 1e3 / _RATE if is_paper else None)
    setting.save(_figure(seen), 'ukf-compliance')


def _pressures(t: np.ndarray) -> np.ndarray:
    """(k, 3) Pa at times (k,) s: three superposed oscillations, each going round the chambers."""
    angle = 2.0 * np.pi * _FREQUENCIES[:, None, None] * t[:, None]
    return _MEAN + _AMPLITUDE * np.sin(angle + 2.0 * np.pi / 3.0 * np.arange(3)).sum(axis=0)


def _tips(model: PredictionModel, u: np.ndarray) -> np.ndarray:
    """(k, 3) m of the arm with the true compliance."""
    x, parameters, tips = model.x0[None], np.array([[_TRUE]]), []
    for each in u:
        x = model.transition(x, each[None], parameters, 1.0 / _RATE)
        tips.append(model.position(x, parameters)[0])
    return np.array(tips)


def _observe(model: PredictionModel, readings: np.ndarray, u: np.ndarray, tips: np.ndarray) -> _Seen:
    def of_scale(parts: tuple[float, float]) -> np.ndarray:
        return np.concatenate([parts[0] * model.scale, parts[1] * model.parameters])

    prior = UkfBelief(model.x0, model.parameters, np.diag(of_scale(_SPREAD)))
    noise = of_scale(_DISTURBANCE) ** 2
    ukf = Ukf(model.transition, model.position, prior, noise, np.full(3, _NOISE**2))
    belief, rows, corrected, start = ukf.begin(), [], 0, time.perf_counter()
    for reading, each, tip in zip(readings, u, tips, strict=True):
        belief, info = ukf.step(belief, reading, each, 1.0 / _RATE)
        corrected += info.status == 'corrected'
        off = np.linalg.norm(model.position(belief.x[None], belief.parameters[None])[0] - tip)
        rows.append((belief.parameters[0], np.linalg.norm(belief.root[-1]), off))
    seconds = (time.perf_counter() - start) / len(u)
    return _Seen(*np.array(rows).T, seconds, corrected / len(u))


def _figure(seen: dict[str, _Seen]) -> Figure:
    """Estimated compliance with twice its standard deviation (fig 9)."""
    figure = new_figure(7.5, 3.4)
    ax = figure.subplots()
    for (name, found), color in zip(seen.items(), (BLUE, ORANGE), strict=True):
        t = np.arange(1, found.compliance.size + 1) / _RATE
        ax.plot(t, found.compliance, color=color, lw=1.0, label=name)
        low, high = (found.compliance + 2.0 * sign * found.deviation for sign in (-1.0, 1.0))
        ax.fill_between(t, low, high, color=color, alpha=0.2)
    ax.axhline(_TRUE, color='k', lw=0.8, label='true')
    ax.set(xlabel='time [s]', ylabel='bending compliance [rad/(N m m)]')
    ax.legend(fontsize=8)
    return figure


UKF_COMPLIANCE = Experiment(
    'ukf-compliance',
    'Bending compliance of the pneumatic arm from the position of its tip, unscented filter',
    'Adaptive NEMPC, V-A2, fig 9',
    '44.45 rad/(N m m) after 20 s where 45 is true (1.2 %), from 49.9',
    'within 1.2 %',
    _compliance,
    _SEED,
)
