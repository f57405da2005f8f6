"""The single-actuator manipulator at rest: one mode without gravity (soft_synergies sections IV-A1, IV-D1),
and few snapshots with it (section IV-D4)."""

from collections.abc import Callable, Iterator

import numpy as np

from continua.description import Robot
from continua.io.mode_plots import modes_figure
from continua.reduction import Truncation, decompose, mode_shapes, static_snapshots, truncation
from continua.reduction.cases import Equilibria
from continua.repro.experiment import Experiment, Number, Setting, at_least, at_most
from continua.repro.figures import BLUE, ORANGE, backbones, new_figure
from continua.repro.robots import paper_robot, with_degree
from continua.rod import Rod

__all__ = ['EXTRAPOLATION', 'SINGLE_STATIC']

_DEGREE = 10  # of all six strains: 66 coordinates
# The paper's tensions pull where they are negative; ours where they are positive.
_TESTED = np.array([0.0, 2.0, 5.0, 10.0])
_REPORTED = (0.0, 11.96, 34.33, 44.21)  # um
_COUNTS = (1, 2, 3, 4, 5)
# Smaller differences are those of the solvers; m.
_SOLVERS = 1e-6


def _arm() -> Robot:
    return with_degree(paper_robot('single_tendon_arm'), _DEGREE)


def _tip_errors(robot: Robot, modes: np.ndarray, pulls: np.ndarray, gravity: bool) -> np.ndarray:
    """(k,) m, of the reduced model with all of the modes (dof, r), under each pull (k,) N."""
    places, count = [(None, robot.links[0].length)], modes.shape[1]
    found: Truncation = truncation(robot, modes, Equilibria(pulls[:, None], gravity), places, [count])
    return found.error[0, :, 0]


def _single_static(setting: Setting) -> Iterator[Number]:
    robot = _arm()
    full = Rod(robot)
    setting.say('21 equilibria')
    found = decompose(full, static_snapshots(robot, np.linspace(-5.0, 5.0, 21)[:, None], gravity=False).q)
    yield at_least('energy of mode 1', found.relative_energy[0], 0.9999, paper=1.0)
    errors = _tip_errors(robot, found.modes[:, :1], _TESTED, gravity=False)
    for u, paper, error in zip(_TESTED, _REPORTED, 1e6 * errors, strict=True):
        limit = max(1.2 * paper, 1e6 * _SOLVERS)
        yield at_most(f'tip error at {0.0 - u:g} N', error, limit, 'um', paper)
    once = decompose(full, full.statics([5.0], gravity=False).q[None]).modes[:, :1]
    for u, error in zip(_TESTED, 1e6 * _tip_errors(robot, once, _TESTED, gravity=False), strict=True):
        yield Number(f'tip error at {0.0 - u:g} N, one snapshot, at -5 N', float(error), 'um')
    for sections in (26, 102):
        columns = _interpolated(full, found.modes[:, 0], sections)
        coarse = Rod(robot, bases={robot.links[0].name: columns}, points=_DEGREE + 4)
        for u in _TESTED:
            error = 1e6 * float(np.linalg.norm(_tip(coarse, u) - _tip(full, u)))
            yield Number(
                f'tip error at {0.0 - u:g} N, mode interpolated between {sections} sections', error, 'um'
            )
    setting.save(modes_figure(mode_shapes(full, found, 1)), 'pod-single-static-mode')
    _draw_shapes(setting, full, Rod(robot, modes=found.modes[:, :1]))


def _tip(rod: Rod, pull: float) -> np.ndarray:
    """(3,) m, without gravity."""
    return rod.shape(rod.statics([pull], gravity=False).q, np.array([rod.length])).position[0]


def _interpolated(rod: Rod, mode: np.ndarray, sections: int) -> Callable[[np.ndarray], np.ndarray]:
    """Strains of one mode (n,), linear between equidistant sections, as a basis."""
    X = np.linspace(0.0, rod.length, sections)
    strain = rod.shape(mode, X).strain - rod.shape(np.zeros(rod.dof), X).strain
    return lambda x: np.stack([np.interp(x, X, row) for row in strain.T], axis=1)[:, :, None]


def _draw_shapes(setting: Setting, full: Rod, reduced: Rod) -> None:
    figure = new_figure(6.0, 4.0)
    ax = figure.subplots()
    for u in (-10.0, -5.0, -2.0, 0.0, 2.0, 5.0, 10.0):
        labels = ('full model, 66 coordinates', 'one mode') if u == 0.0 else (None, None)
        q, z = (rod.statics([u], gravity=False).q for rod in (full, reduced))
        backbones(ax, full, q, BLUE, lw=3.0, alpha=0.4, label=labels[0])
        backbones(ax, reduced, z, ORANGE, '--', lw=1.2, label=labels[1])
    ax.set(xlabel='x [mm]', ylabel='z [mm]', aspect='equal')
    figure.legend(loc='outside upper center', ncols=2, fontsize=8)
    setting.save(figure, 'pod-single-static-shapes')


def _extrapolation(setting: Setting) -> Iterator[Number]:
    robot = _arm()
    full, tested = Rod(robot), np.linspace(0.0, 10.0, 21 if setting.quick else 101)
    errors = {}
    for count in _COUNTS:
        setting.say(f'{count} snapshots')
        pulls = np.linspace(0.0, 5.0, count) if count > 1 else np.array([5.0])
        modes = decompose(full, static_snapshots(robot, pulls[:, None]).q).modes[:, :count]
        errors[count] = _tip_errors(robot, modes, tested, gravity=True)
    yield Number('tip error at 0 N, 1 snapshot', 1e3 * float(errors[1][0]), 'mm', 92.0)
    yield Number('tip error at -10 N, 1 snapshot', 1e3 * float(errors[1][-1]), 'mm', 45.0)
    for among, where in ((tested <= 5.0, 'within the data'), (tested > 5.0, 'beyond the data')):
        rms = [max(float(np.sqrt(np.mean(errors[k][among] ** 2))), _SOLVERS) for k in _COUNTS]
        yield Number(f'rms tip error {where}, 1 snapshot', 1e3 * rms[0], 'mm')
        for count, fewer, error in zip(_COUNTS[1:], rms, rms[1:], strict=False):
            yield at_most(f'rms tip error {where}, {count} snapshots', 1e3 * error, 1e3 * fewer, 'mm')
    figure = new_figure(6.0, 3.6)
    ax = figure.subplots()
    for count, error in errors.items():
        ax.semilogy(-tested, 1e3 * np.maximum(error, _SOLVERS), label=f'{count}')
    ax.axvspan(-5.0, 0.0, color='0.93', zorder=0)
    ax.set(xlabel='actuation [N]; snapshots are of the shaded range', ylabel='tip error [mm]')
    figure.legend(title='snapshots\nand modes', loc='outside right center', fontsize=8)
    setting.save(figure, 'pod-extrapolation')


SINGLE_STATIC = Experiment(
    'pod-single-static',
    'Single-actuator arm, statics: 66 coordinates, 21 snapshots, one mode',
    'soft synergies, IV-A1, IV-D1',
    'energy of mode 1 about 100 %; tip error 0, 11.96, 34.33, 44.21 um at 0, -2, -5, -10 N',
    'same errors within 20 %',
    _single_static,
)
EXTRAPOLATION = Experiment(
    'pod-extrapolation',
    'Single-actuator arm under gravity: 1 to 5 snapshots in [-5, 0] N, tested in [-10, 0] N',
    'soft synergies, IV-D4, fig. 9',
    'more snapshots, smaller errors, within and beyond the data; one snapshot: 92 and 45 mm at 0 and -10 N',
    'same ordering',
    _extrapolation,
)
