"""Errors of the one-step network that comes along, on motions that it was not trained on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from continua.cosserat import CollocationRod
from continua.repro.cosserat_inputs import DT, combinations, low_passed, oscillations, staircase
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot, paper_root
from continua.surrogate.fingerprint import check_card
from continua.surrogate.one_step import OneStepNetwork
from continua.surrogate.verification import Rollouts, Verification, rollouts, verify

__all__ = ['DDPINN_STUDENT', 'shipped_student']

_MOTIONS, _DURATION, _SEED = 10, 20.0, 77  # motions and s; no seed of the training
_PEAK, _CUTOFF = 60e3, 4.0  # Pa and Hz of the smooth pressures
_SHARES = (50, 90, 99)


def shipped_student() -> Path:
    """Weights in config/models. Raises ValueError where there is no checkout."""
    return paper_root() / 'config/models/pneumatic_arm_student.safetensors'


def _student(setting: Setting) -> Iterator[Number]:
    rod, network = CollocationRod(paper_robot('pneumatic_arm')), OneStepNetwork.load(shipped_student())
    check_card(network.card, rod)
    setting.say('motions of the collocation rod')
    true = rollouts(rod, 2 if setting.quick else _MOTIONS, 1.0 if setting.quick else _DURATION, DT, _SEED)
    errors = verify(network, rod, true)
    one_step, rollout = 1e3 * errors.one_step, 1e3 * errors.rollout
    moved = 1e3 * np.linalg.norm(np.diff(true.tip, axis=0), axis=2)
    yield Number('mean distance that the tip moves in a step', moved.mean(), 'mm')
    yield Number('mean tip error of one step', one_step.mean(), 'mm')
    yield Number('99 % of tip errors of one step within', np.percentile(one_step, 99), 'mm')
    yield Number('mean tip error, babbled pressures', rollout.mean(), 'mm')
    for share in _SHARES:
        name = f'{share} % of tip errors within, babbled pressures'
        yield Number(name, np.percentile(rollout, share), 'mm')
    yield Number('largest tip error, babbled pressures', rollout.max(), 'mm')
    smooth = _smooth(rod, 100 if setting.quick else None)
    along = verify(network, rod, smooth)
    moved = 1e3 * np.linalg.norm(np.diff(smooth.tip, axis=0), axis=2)
    yield Number('mean distance that the tip moves in a step, turns and steps', moved.mean(), 'mm')
    yield Number('mean tip error of one step, turns and steps', 1e3 * along.one_step.mean(), 'mm')
    yield at_most('mean tip error, turns and steps', 1e3 * along.rollout.mean(), 1.0, 'mm', paper=0.549)
    yield Number('largest tip error, turns and steps', 1e3 * along.rollout.max(), 'mm')
    for name, i in rod.groups.items():
        share = float(np.sqrt(np.mean(errors.states[i] ** 2)))
        yield Number(f'error of one step, {name}, of its deviation', share)
    yield Number('size of the file', shipped_student().stat().st_size / 1e6, 'MB')
    _draw(setting, smooth, along)


def _smooth(rod: CollocationRod, steps: int | None) -> Rollouts:
    """As in the paper's table V: turns of 0.1 to 1.5 Hz, and smooth steps, up to 60 kPa, from rest."""
    turns = oscillations((0.1, 0.5, 1.0, 1.5), 2.0, _PEAK)
    u = np.concatenate([turns, _PEAK * low_passed(staircase(combinations(), 0.75), _CUTOFF)])
    u = low_passed(u, _CUTOFF)[:steps, None]
    x = [rod.statics(u[0])]
    for each in u:
        x.append(rod.step(x[-1], each, DT))
    return Rollouts(u, rod.theta[2:3], np.array(x), rod.output(np.array(x)), DT)


def _draw(setting: Setting, true: Rollouts, errors: Verification) -> None:
    figure = new_figure(9.0, 4.6)
    top, bottom = figure.subplots(2, 1, sharex=True)
    t = true.dt * np.arange(1, len(true.u) + 1)
    top.plot(t, 1e3 * true.tip[1:, 0, :2], color=BLUE, lw=1.0)
    top.plot(t, 1e3 * errors.tip[:, 0, :2], color=ORANGE, lw=0.8, ls='--')
    top.set_ylabel('tip x, y [mm]\nrod and network')
    bottom.semilogy(t, np.maximum(1e3 * errors.rollout[:, 0], 1e-3), color=ORANGE, lw=0.9)
    bottom.semilogy(t, np.maximum(1e3 * errors.one_step[:, 0], 1e-3), color=BLUE, lw=0.6)
    bottom.set(xlabel='time [s]', ylabel='tip error [mm]\nmotion, one step')
    setting.save(figure, 'ddpinn-student')


DDPINN_STUDENT = Experiment(
    'ddpinn-student',
    'One-step network of the pneumatic arm against the collocation rod, motions of 20 s on its own',
    'adaptive NEMPC, IV-C, table IV',
    'DD-PINN: 0.549 mm',
    'under 1 mm',
    _student,
    seed=_SEED,
)
