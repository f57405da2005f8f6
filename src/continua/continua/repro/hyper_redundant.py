"""The cable-driven hyper-redundant manipulator at rest (soft_synergies section V-A)."""

from collections.abc import Iterator

import numpy as np

from continua.reduction import decompose, hypercube, static_snapshots
from continua.reduction.cases import Equilibria
from continua.repro.experiment import Experiment, Number, Setting, at_least, at_most
from continua.repro.figures import errors_and_times
from continua.repro.paper_solvers import speed_up_by_fsolve
from continua.repro.robots import paper_robot
from continua.repro.study import Study
from continua.rod import Rod

__all__ = ['HYPER_REDUNDANT', 'hyper_redundant']

# Tensions (N) of the six cables at the five levels of table III.
_LEVELS = np.array(
    [
        [12.5, 12.5, 0.0, 0.0, 0.0, 0.0],
        [50.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [12.5, 12.5, 0.0, 0.0, 25.0, 10.0],
        [25.0, 0.0, 10.0, 0.0, 40.0, 10.0],
        [25.0, 0.0, 30.0, 10.0, 10.0, 0.0],
    ]
)
_COUNTS = (4, 6, 8, 10, 12, 14, 16, 20, 24)


def hyper_redundant(setting: Setting) -> Study:
    """Modes of the corners of the hypercube of pulls, tested at the levels of table III."""
    robot = paper_robot('hyper_redundant_arm')
    full = Rod(robot)
    setting.say('64 equilibria')
    corners = hypercube([0.0] * 6, [25.0] * 6, 2)
    found = decompose(full, static_snapshots(robot, corners).q)
    return Study(robot, found, Equilibria(_LEVELS), [(None, full.length)], Equilibria(corners), full.length)


def _hyper_redundant(setting: Setting) -> Iterator[Number]:
    study = hyper_redundant(setting)
    setting.say('reduced models')
    found = study.truncation(_COUNTS, repeats=1 if setting.quick else 5)
    totals = 1e3 * found.error.sum(axis=(1, 2))
    for n, total, speed_up in zip(_COUNTS, totals, found.speed_up, strict=True):
        error, faster = f'total tip error at five levels, {n} modes', f'speed-up, {n} modes'
        if n == 16:
            # a hundredth of the length at each
            yield at_most(error, total, 1e3 * len(_LEVELS) * 0.01 * study.length, 'mm')
            yield at_least(f'{faster}, by fsolve', speed_up_by_fsolve(study, n), 3.2, paper=3.2)
            yield at_least(faster, speed_up, 3.2, paper=3.2)
        else:
            yield Number(error, float(total), 'mm')
            yield Number(faster, float(speed_up))
    setting.save(errors_and_times(found), 'pod-hyperredundant')


HYPER_REDUNDANT = Experiment(
    'pod-hyperredundant',
    'Hyper-redundant arm, statics: 24 rigid bodies, 72 coordinates, 64 snapshots',
    'soft synergies, V-A, fig. 11',
    'negligible error with 16 coordinates, 3.2x faster',
    'same',
    _hyper_redundant,
)
