"""The collocation rod against the rod engine on the same robot: equilibria, frequencies, a pressure step."""

from collections.abc import Iterator

import numpy as np

from continua.cosserat import CollocationRod
from continua.description import Robot
from continua.repro.cosserat_inputs import combinations
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot
from continua.rod import Integrator, Rod
from continua.rod.modal import vibration_modes

__all__ = ['AGAINST_GVS']

_NODES = (4, 6, 8, 11, 16, 21, 31)
_LEVELS = (10e3, 25e3, 50e3, 75e3)  # Pa
_DEGREE = 5  # of the engine's polynomials
_DT, _STEP = 1.0 / 140.0, np.array([30e3, 0.0, 0.0])  # s, Pa


def _finer(robot: Robot) -> Robot:
    """The arm with finer strains than in its file."""
    data = robot.model_dump(mode='json')
    (arm,) = (link for link in data['links'] if link['type'] == 'soft')
    arm['strain_basis']['order'] = dict.fromkeys(arm['strain_basis']['order'], _DEGREE)
    return Robot.model_validate(data)


def _tip(rod: Rod, q: np.ndarray) -> np.ndarray:
    return rod.sampler(np.array([rod.length])).poses(q)[1][0]


def _against_gvs(setting: Setting) -> Iterator[Number]:
    robot = paper_robot('pneumatic_arm')
    engine = Rod(_finer(robot))
    nodes = _NODES[:4] if setting.quick else _NODES
    figure = new_figure(11.0, 3.6)
    left, middle, right = figure.subplots(1, 3)
    setting.say('equilibria')
    yield from _equilibria(robot, engine, nodes, left)
    setting.say('frequencies')
    yield from _frequencies(robot, engine, nodes, middle)
    setting.say('a pressure step')
    yield from _pressure_step(robot, engine, right)
    limits = (
        (left, 0.5, 'largest static tip error [% of length]'),
        (middle, 2.0, 'error of the frequency [%]'),
    )
    for ax, goal, what in limits:
        ax.axhline(goal, color='0.5', ls='--', lw=1.0)
        ax.set(xlabel='nodes', ylabel=what, xticks=nodes, xticklabels=nodes)
        ax.minorticks_off()
        ax.legend(fontsize=7)
    setting.save(figure, 'cosserat-against-gvs')


def _equilibria(robot: Robot, engine: Rod, nodes: tuple[int, ...], ax) -> Iterator[Number]:
    """Distances of the tips of both models in % of the length: 7 combinations of chambers at each level."""
    cases = np.concatenate([level * combinations() for level in _LEVELS])
    tips, largest = [_tip(engine, engine.statics(u).q) for u in cases], []
    for count in nodes:
        rod = CollocationRod(robot, count, subintervals=8)
        errors = 100.0 * np.linalg.norm(rod.output(rod.statics(cases)) - tips, axis=1) / engine.length
        largest.append(errors.max())
        for level, part in zip(_LEVELS, errors.reshape(len(_LEVELS), -1), strict=True):
            what = f'largest static tip error, {count} nodes, {1e-3 * level:g} kPa'
            if count == 6:
                yield at_most(what, part.max(), 0.5, '%')
            elif level == _LEVELS[-1]:
                yield Number(what, part.max(), '%')
    ax.loglog(nodes, largest, 'o-', label='largest of 28 cases')


def _frequencies(robot: Robot, engine: Rod, nodes: tuple[int, ...], ax) -> Iterator[Number]:
    rest = np.zeros(3)
    modes = vibration_modes(engine, engine.statics(rest).q)
    # the two bending modes of a pair are one frequency
    labels = {0: 'first bending', 2: 'first torsion', 3: 'first elongation', 4: 'second bending'}
    errors = []
    for count in nodes:
        rod = CollocationRod(robot, count)
        poles = np.linalg.eigvals(rod.jacobian(rod.statics(rest), rest)[0])
        ours = np.sort(np.abs(poles[poles.imag > 1e-6])) / (2.0 * np.pi)
        errors.append([100.0 * abs(ours[i] / modes[i].frequency - 1.0) for i in labels])
        for i, error in zip(labels, errors[-1], strict=True):
            what = f'error of the frequency of {labels[i]}, {count} nodes'
            if count == 6:
                yield Number(what, error, '%') if i > 3 else at_most(what, error, 2.0, '%')
    for label, column in zip(labels.values(), np.array(errors).T, strict=True):
        ax.loglog(nodes, column, 'o-', label=label)
    for i, label in labels.items():
        yield Number(f'frequency of {label}, the engine', modes[i].frequency, 'Hz')


def _pressure_step(robot: Robot, engine: Rod, ax) -> Iterator[Number]:
    rod, motion, steps = CollocationRod(robot), Integrator(engine, error_tolerance=1e-4), round(2.0 / _DT)
    motion.reset(engine.statics(np.zeros(3)).q)
    x, states, theirs = rod.statics(np.zeros(3)), [], []
    for _ in range(steps):
        states.append(x)
        theirs.append(_tip(engine, motion.q))
        x = rod.step(x, _STEP, _DT)
        motion.step(_DT, _STEP)
    ours, theirs, t = rod.output(np.array(states)), np.array(theirs), _DT * np.arange(steps)
    for i, style in ((1, '-'), (2, '--')):
        ax.plot(t, 1e3 * theirs[:, i], style, color=BLUE, lw=1.0, label=f'{"xyz"[i]}, rod engine')
        ax.plot(t, 1e3 * ours[:, i], style, color=ORANGE, lw=1.0, label=f'{"xyz"[i]}, collocation, 6 nodes')
    ax.set(xlabel='time [s]', ylabel='tip under a step of 30 kPa [mm]')
    ax.legend(fontsize=7)
    gap, way = np.linalg.norm(ours - theirs, axis=1), np.linalg.norm(theirs - theirs[0], axis=1).max()
    yield Number('way of the tip under a step of 30 kPa', 1e3 * way, 'mm')
    yield Number('mean distance of the tips in 2 s after the step, 6 nodes', 1e3 * gap.mean(), 'mm')
    yield Number('largest distance of the tips in 2 s after the step, 6 nodes', 1e3 * gap.max(), 'mm')


AGAINST_GVS = Experiment(
    'cosserat-against-gvs',
    'Collocation rod against the rod engine on the pneumatic arm: equilibria, frequencies, a pressure step',
    'adaptive NEMPC, III-D',
    'no comparison with another model',
    'static tip within 0.5 % of the length, first frequencies within 2 %',
    _against_gvs,
)
