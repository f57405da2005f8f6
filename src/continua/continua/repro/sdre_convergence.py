"""From how far the SDRE observer converges, on which robots, and what it does where it cannot."""

from collections.abc import Iterator

import numpy as np

from continua.estimation import SdreObserver
from continua.repro.experiment import Experiment, Number, Setting, at_least
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot
from continua.repro.sdre_long_run import long_run
from continua.repro.sdre_motion import observe, record, settled, tips, with_strains
from continua.repro.sdre_random_robots import random_robots
from continua.rod import Rod

__all__ = ['CONVERGENCE']

_SEED = 21
_RATE, _DURATION, _PULL = 100.0, 3.0, 7.0  # Hz, s, N
_CLOSE, _R = 2e-3, 1e-6  # m, what counts as converged; m^2 s, readings of a millimetre at 1 Hz
# Guesses are up to so many units of deformation off, about a radian at the tip each.
_BENT, _STRETCHED = 1.0, 0.1
_CASES = {
    'three tendons, 7 coordinates': (3, {'bending_y': 2, 'bending_z': 2, 'elongation': 0}),
    'one tendon, 4 coordinates': (1, {'bending_y': 2, 'elongation': 0}),
}


def _convergence(setting: Setting) -> Iterator[Number]:
    random, figure = np.random.default_rng(_SEED), new_figure(9.0, 3.4)
    for (name, (tendons, strains)), ax in zip(_CASES.items(), figure.subplots(1, 2), strict=True):
        setting.say(name)
        rod = Rod(with_strains(paper_robot('sdre_arm'), tendons, **strains))
        errors = _far_guesses(rod, 5 if setting.quick else 100, random)
        times = np.array([settled(error, _CLOSE, _RATE) for error in errors])
        there = np.isfinite(times)
        yield Number(f'tip error of the guesses, mean, {name}', 1e3 * errors[:, 0].mean(), 'mm')
        yield Number(f'tip error of the guesses, largest, {name}', 1e3 * errors[:, 0].max(), 'mm')
        yield at_least(f'share of guesses that converge to 2 mm, {name}', there.mean(), 0.95)
        yield Number(f'time to 2 mm, median, {name}', float(np.median(times)), 's')
        yield Number(f'time to 2 mm, longest of these, {name}', times[there].max(initial=0.0), 's')
        t = np.arange(errors.shape[1]) / _RATE
        ax.semilogy(t, 1e3 * errors.T, color=BLUE, lw=0.4, alpha=0.5)
        ax.semilogy(t, 1e3 * np.median(errors, axis=0), color=ORANGE, lw=1.5)
        ax.set(title=name, xlabel='time [s]', ylabel='tip error [mm]')
    setting.save(figure, 'sdre-convergence')
    yield from random_robots(3 if setting.quick else 20, setting.say)
    setting.say('across the plane of one tendon')
    yield from _unseen_plane()
    setting.say('wrong readings')
    tendons, strains = _CASES['three tendons, 7 coordinates']
    rod = Rod(with_strains(paper_robot('sdre_arm'), tendons, **strains))
    yield from long_run(rod, 60.0 if setting.quick else 7200.0, random)


def _far_guesses(rod: Rod, count: int, random: np.random.Generator) -> np.ndarray:
    """Tip errors (count, s + 1) m from random shapes and rates, beginning with those of the guesses."""
    motion, observer = record(rod, _swing(rod), _RATE), SdreObserver(rod, R=_R)
    size = np.where(rod.strain_index < 3, _BENT, _STRETCHED) * rod.scale
    true, straight, errors = tips(rod, motion.q), tips(rod, np.zeros((1, rod.dof))), []
    for _ in range(count):
        q, qd = size * random.uniform(-1.0, 1.0, (2, rod.dof))
        seen = observe(observer, observer.begin(q, 2.0 * np.pi / rod.period * qd), motion)
        first = np.linalg.norm(tips(rod, q[None]) - straight, axis=1)
        errors.append(np.concatenate([first, np.linalg.norm(tips(rod, seen.q) - true, axis=1)]))
    return np.array(errors)


def _unseen_plane() -> Iterator[Number]:
    """One tendon on an arm that also bends across its plane, which no reading tells."""
    rod = Rod(with_strains(paper_robot('sdre_arm'), 1, bending_y=1, bending_z=1))
    motion, observer = record(rod, _swing(rod), _RATE), SdreObserver(rod, R=_R)
    guess = 0.5 * rod.scale
    found = observer.observability(0.0 * guess, 0.0 * guess)
    yield Number('one tendon, two planes: said to be not observable', float(not found.observable))
    for what, readings in (('', True), (', without readings', False)):
        seen = observe(observer, observer.begin(guess), motion, readings=readings)
        error = np.abs(seen.q - motion.q) / rod.scale
        for plane, strain in (('in the plane', 1), ('across', 2)):
            left = error[round(_RATE) - 1, rod.strain_index == strain].max() / 0.5
            yield Number(f'one tendon, two planes: share of the error left after 1 s, {plane}{what}', left)


def _swing(rod: Rod) -> np.ndarray:
    """Tensions (s, K) N at 5 rad/s, a third of a turn apart."""
    t = (np.arange(round(_DURATION * _RATE)) + 0.5) / _RATE
    phase = 2.0 * np.pi / 3.0 * np.arange(rod.n_tendons)
    return 0.5 * _PULL * (1.0 - np.cos(5.0 * t[:, None] - phase))


CONVERGENCE = Experiment(
    'sdre-convergence',
    'SDRE observer from 100 random guesses, on 20 random robots, and through hours of wrong readings',
    'SDRE observer, III and IV',
    'converges from far; needs observability',
    'rates of success stated; what is not observed is diagnosed and bounded; P stays positive definite',
    _convergence,
    _SEED,
)
