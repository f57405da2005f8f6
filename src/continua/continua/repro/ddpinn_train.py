"""A DD-PINN of a coarse rod, trained by the equations alone, in minutes (adaptive_nempc section IV)."""

from collections.abc import Iterator

import numpy as np

from continua.cosserat import CollocationRod
from continua.repro.cosserat_inputs import DT
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot
from continua.surrogate.motions import motions
from continua.surrogate.verification import rollouts, verify

__all__ = ['DDPINN_TRAIN']

_NODES, _LOTS = 2, 2
_HIDDEN, _OSCILLATIONS = (96,), 8
_EPOCHS, _POINTS, _BATCH, _PATIENCE = 120, 12_500, 250, 10
_RATE = 2e-3
_SHORT = 7  # steps: 0.1 s


def _train(setting: Setting) -> Iterator[Number]:
    from continua.surrogate.ddpinn import DdPinn, DdPinnSettings
    from continua.surrogate.training import fit

    rod = CollocationRod(paper_robot('pneumatic_arm'), _NODES)
    known = motions(rod.robot, _LOTS, DT, nodes=_NODES)
    epochs, points = (2, 500) if setting.quick else (_EPOCHS, _POINTS)
    settings = DdPinnSettings(
        _HIDDEN, _OSCILLATIONS, epochs, points, _BATCH, _RATE, _PATIENCE, states='motions', metric='step'
    )
    problem = DdPinn(rod, known, settings)
    begin = problem.validation()
    history = fit(problem, epochs, report=lambda epoch: setting.say(f'loss {epoch.loss:.3g}'))
    yield Number('loss before', begin)
    yield Number('loss after', history[-1].validation)
    yield Number('time of the training', history[-1].seconds, 's', 8 * 86400.0)
    true = rollouts(rod, 2 if setting.quick else 10, 0.5 if setting.quick else 5.0, DT, seed=77)
    errors = verify(problem.model({}), rod, true)
    moved = np.linalg.norm(np.diff(true.tip, axis=0), axis=2)
    yield Number('mean distance that the tip moves in a step', 1e3 * moved.mean(), 'mm')
    yield at_most('mean tip error of one step', 1e3 * errors.one_step.mean(), 1.0, 'mm')
    yield Number('mean tip error after 0.1 s', 1e3 * errors.rollout[_SHORT - 1].mean(), 'mm')
    bounded = np.all(errors.rollout < rod.theta[0], axis=0)
    yield Number('motions that stay within a length of the rod', bounded.mean())
    figure = new_figure(7.0, 3.4)
    axes = figure.subplots()
    axes.semilogy([each.loss for each in history], color=BLUE, lw=1.0, label='training')
    axes.semilogy([each.validation for each in history], color=ORANGE, lw=1.0, label='validation')
    axes.set(xlabel='epoch', ylabel='loss (eq 37, metric of a step)')
    axes.legend(frameon=False)
    setting.save(figure, 'ddpinn-train')


DDPINN_TRAIN = Experiment(
    'ddpinn-train',
    'DD-PINN by the equations alone: a coarse rod of 24 states, minutes instead of days',
    'adaptive NEMPC, IV-B and IV-C, table IV',
    '0.549 mm after 8 days on 2 cores',
    'tip error under 1 mm',
    _train,
    seed=0,
)
