"""A prototype with one tendon through disks that rub, random actuation, noisy readings (sdre section V)."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from continua.description import Robot
from continua.estimation import SdreObserver
from continua.reduction import decompose, hold_signal
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot
from continua.repro.sdre_motion import Recording, observe, record, settled, tips, with_strains
from continua.rod import Rod

__all__ = ['FRICTION']

_SEED = 5
_RATE, _DURATION = 100.0, 35.0  # Hz, s
_PULL, _HOLD = 5.0, (0.3, 1.5)  # N, s
_LOAD_CELL, _ENCODER = 0.0005 * 20.0, 1e-4  # N, as in the paper; m, of the pulley's encoder
_REHEARSAL = 20.0  # s, of the motion that gives the modes
_PAPER, _CLOSE = 1.79, 0.01  # cm; m


def _friction(setting: Setting) -> Iterator[Number]:
    robot, random = paper_robot('sdre_prototype'), np.random.default_rng(_SEED)
    duration = 10.0 if setting.quick else _DURATION
    setting.say('the prototype of 10 coordinates')
    real = Rod(with_strains(robot, 1, bending_y=4, elongation=4))
    rehearsed = decompose(real, record(real, _pull(robot, _REHEARSAL, random), _RATE).q)
    motion = record(real, _pull(robot, duration, random), _RATE)
    noisy = replace(
        motion,
        tension=motion.tension + _LOAD_CELL * random.normal(size=motion.tension.shape),
        displacement=motion.displacement + _ENCODER * random.normal(size=motion.displacement.shape),
    )
    true, estimated = tips(real, motion.q), {}
    models = {
        '3 coordinates': (Rod(robot), 0.1),
        '3 coordinates, R of 1 mm': (Rod(robot), 1e-6),
        '3 coordinates without friction': (Rod(_frictionless(robot)), 0.1),
        '4 coordinates': (Rod(with_strains(robot, 1, bending_y=2, elongation=0)), 0.1),
        '3 modes': (Rod(real.robot, modes=rehearsed.modes[:, :3]), 0.1),
        '3 modes, R of 1 mm': (Rod(real.robot, modes=rehearsed.modes[:, :3]), 1e-6),
    }
    for name, (rod, R) in models.items():
        setting.say(name)
        observer = SdreObserver(rod, R=R)
        wrong = rod.statics([_PULL], gravity=False).q
        seen, right = (observe(observer, observer.begin(q), noisy) for q in (wrong, None))
        estimated[name] = tips(rod, seen.q)
        mean = 1e2 * np.linalg.norm(estimated[name] - true, axis=1).mean()
        yield at_most(f'mean tip error, {name}', mean, _PAPER, 'cm', _PAPER if rod.robot == robot else None)
        apart = np.linalg.norm(estimated[name] - tips(rod, right.q), axis=1)
        took = settled(apart, _CLOSE, _RATE)
        yield Number(f'guess forgotten to 1 cm, {name}', took, 's', 0.3 if rod.robot == robot else None)
        yield Number(f'mean time of a step, {name}', 1e3 * seen.seconds.mean(), 'ms')
    setting.save(_figure(noisy, true, estimated), 'sdre-friction')


def _pull(robot: Robot, duration: float, random: np.random.Generator) -> np.ndarray:
    """Tensions (s, 1) N that the drive, of first order, gives for random setpoints."""
    setpoint = hold_signal([0.0], [_PULL], _HOLD, duration, _RATE, random)
    share, last = -np.expm1(-1.0 / _RATE / robot.tendons[0].time_constant), np.zeros(1)
    out = []
    for each in setpoint:
        last = last + share * (each - last)
        out.append(last)
    return np.array(out)


def _figure(noisy: Recording, true: np.ndarray, estimated: dict[str, np.ndarray]) -> Figure:
    """Readings, and heights of the tip (figs 5 and 6)."""
    figure = new_figure(9.0, 5.4)
    axes = figure.subplots(3, 1, sharex=True, height_ratios=(1, 1, 2))
    axes[0].plot(noisy.time, noisy.tension, color=BLUE, lw=0.8)
    axes[1].plot(noisy.time, 1e3 * noisy.displacement, color=BLUE, lw=0.8)
    axes[2].plot(noisy.time, 1e2 * true[:, 2], 'k', lw=1.2, label='true')
    for name, color in (('3 coordinates', ORANGE), ('3 modes', BLUE)):
        axes[2].plot(noisy.time, 1e2 * estimated[name][:, 2], '--', color=color, lw=1.0, label=name)
    for ax, what in zip(axes, ('tension [N]', 'displacement [mm]', 'height of the tip [cm]'), strict=True):
        ax.set(ylabel=what)
    axes[2].set(xlabel='time [s]')
    axes[2].legend(fontsize=8)
    return figure


def _frictionless(robot: Robot) -> Robot:
    tendons = tuple(tendon.model_copy(update={'friction': 0.0}) for tendon in robot.tendons)
    return robot.model_copy(update={'tendons': tendons})


FRICTION = Experiment(
    'sdre-friction',
    'SDRE observer of 3 coordinates on a prototype with friction at its disks, noisy readings',
    'SDRE observer, V, figs 5 to 7',
    '1.79 cm mean tip error, 7 % of the length; converges in 0.3 s',
    'at most that on the simulated prototype',
    _friction,
    _SEED,
)
