"""Parameters of the collocation rod from poses and wrenches (adaptive_nempc_ddpinn III-I, table III)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from continua.cosserat import CollocationRod
from continua.optimisation import SwarmResult, minimise
from continua.repro.cosserat_inputs import DT, combinations, oscillations
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.figures import BLUE, ORANGE, new_figure
from continua.repro.robots import paper_robot

__all__ = ['IDENTIFY']

_SEED = 5
_LEVELS = 75e3 * np.arange(1, 7) / 6.0  # Pa: with 7 combinations of chambers the paper's 42 poses
_NOISE = np.array([0.2e-3, 0.02, 1e-3])  # m, N, N m: of a marker and of the force-torque sensor
# What the search starts from, in shares of the truth, and how far it may go; the last one is dynamic.
_GUESS = np.array([1.04, 0.75, 0.8, 1.3, 2.0])
_LOW, _HIGH = np.array([0.9, 0.5, 0.6, 0.5, 0.2]), np.array([1.1, 1.5, 1.4, 1.6, 3.0])
_STATIC, _DYNAMIC = slice(0, 4), slice(4, 5)
_PAPER = (0.1249, 0.0668, 49.9, 0.0059, 0.005)
_UNITS = ('m', 'kg', 'rad/(N m m)', '1/N', 's')
_KINDS = (('position', 1e3, 'mm'), ('force', 1.0, 'N'), ('moment', 1e3, 'mN m'))


@dataclass(frozen=True)
class Readings:
    """Tip position (..., 3) m, force (..., 3) N and moment (..., 3) N m at the base."""

    position: np.ndarray
    force: np.ndarray
    moment: np.ndarray

    def errors(self, other: 'Readings') -> np.ndarray:
        """Average Euclidean distances (..., 3) m, N, N m over the last axis of cases."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return np.stack([np.linalg.norm(a - b, axis=-1).mean(axis=-1) for a, b in pairs], axis=-1)


def _readings(rod: CollocationRod, x: np.ndarray, theta: np.ndarray) -> Readings:
    wrench = rod.base_wrench(x)
    return Readings(rod.output(x, theta), wrench[..., 3:], wrench[..., :3])


def _poses(rod: CollocationRod, theta: np.ndarray, x0: np.ndarray | None = None) -> np.ndarray:
    """Equilibria (..., 42, n) for theta (..., 5)."""
    u = (_LEVELS[:, None, None] * combinations()).reshape(-1, 3)
    return rod.statics(u, x0, theta[..., None, :])


def _motion(rod: CollocationRod, theta: np.ndarray, u: np.ndarray) -> np.ndarray:
    """States (..., s + 1, n) from the equilibrium of the first pressures u (s, 3), for theta (..., 5)."""
    x = [rod.statics(u[0], theta=theta)]
    for each in u:
        x.append(rod.step(x[-1], each, DT, theta))
    return np.stack(x, axis=-2)


def _noisy(clean: Readings, rng: np.random.Generator) -> Readings:
    values = vars(clean).values()
    return Readings(*(a + s * rng.normal(size=a.shape) for a, s in zip(values, _NOISE, strict=True)))


def _cost(predict: Callable[[np.ndarray], Readings], seen: Readings, weight: np.ndarray) -> Callable:
    """theta (P, 5) -> (P,): the paper's sum of distances, each in units of the first guess's."""
    return lambda theta: seen.errors(predict(theta)) @ weight


def _search(
    cost: Callable, free: slice, theta: np.ndarray, rng: np.random.Generator, setting: Setting, size: tuple
) -> tuple[np.ndarray, SwarmResult]:
    """theta with its free entries where the cost is least."""
    scale = theta[free] / _GUESS[free]

    def of_free(points: np.ndarray) -> np.ndarray:
        all_of = np.tile(theta, (len(points), 1))
        all_of[:, free] = points * scale
        return cost(all_of)

    particles, iterations = size
    found = minimise(
        of_free,
        _LOW[free],
        _HIGH[free],
        rng,
        start=_GUESS[free],
        particles=particles,
        iterations=iterations,
        tolerance=1e-4,
        progress=lambda done, total: setting.say(f'iteration {done} of {total}'),
    )
    out = theta.copy()
    out[free] = found.x * scale
    return out, found


def _identify(setting: Setting) -> Iterator[Number]:
    rng, rod = np.random.default_rng(_SEED), CollocationRod(paper_robot('pneumatic_arm'))
    truth, guess = rod.theta, _GUESS * rod.theta
    u = oscillations((0.1, 0.5, 1.0), 0.5 if setting.quick else 2.5, 50e3)

    seen = _noisy(_readings(rod, _poses(rod, truth), truth), rng)
    near = _poses(rod, guess)
    weight = 1.0 / seen.errors(_readings(rod, near, guess))
    cost = _cost(lambda theta: _readings(rod, _poses(rod, theta, near), theta[:, None]), seen, weight)
    static, first = _search(cost, _STATIC, guess, rng, setting, (12, 25) if setting.quick else (30, 120))

    followed = _noisy(_readings(rod, _motion(rod, truth, u), truth), rng)
    before = _readings(rod, _motion(rod, static, u), static)
    # The same weights as in the static stage.
    cost = _cost(lambda theta: _readings(rod, _motion(rod, theta, u), theta[:, None]), followed, weight)
    theta, second = _search(cost, _DYNAMIC, static, rng, setting, (5, 6) if setting.quick else (8, 25))
    after = _readings(rod, _motion(rod, theta, u), theta)

    named = zip(rod.parameter_names, theta, truth, _PAPER, _UNITS, strict=True)
    for name, value, true, paper, unit in named:
        yield Number(name.replace('_', ' '), value, unit, paper=paper)
        yield at_most(f'error of the {name.replace("_", " ")}', 100.0 * abs(value / true - 1.0), 1.0, '%')
    static_error = seen.errors(_readings(rod, _poses(rod, theta), theta))
    for when, errors in (('poses', static_error), ('motion', followed.errors(after))):
        for (what, factor, unit), error in zip(_KINDS, errors, strict=True):
            yield Number(f'mean distance of the {what}, {when}', factor * error, unit)
    yield Number('evaluations, poses', first.evaluations)
    yield Number('evaluations, motion', second.evaluations)
    _draw(setting, first, second, followed, before, after)


def _draw(
    setting: Setting,
    first: SwarmResult,
    second: SwarmResult,
    seen: Readings,
    before: Readings,
    after: Readings,
) -> None:
    figure = new_figure(9.0, 3.6)
    left, right = figure.subplots(1, 2, width_ratios=[1.0, 1.8])
    for found, label in ((first, 'poses'), (second, 'motion')):
        left.semilogy(found.best, label=label)
    left.set(xlabel='iteration', ylabel='least cost')
    left.legend()
    t = DT * np.arange(len(seen.position))
    for i, style in ((0, '-'), (1, '--')):
        right.plot(t, 1e3 * seen.position[:, i], '.', color='0.7', ms=2.0)
        for motion, color, what in ((before, ORANGE, 'guessed'), (after, BLUE, 'found')):
            label = f'{"xy"[i]}, damping {what}'
            right.plot(t, 1e3 * motion.position[:, i], style, color=color, lw=0.9, label=label)
    right.set(xlabel='time [s]', ylabel='tip [mm]')
    right.legend(fontsize=7)
    setting.save(figure, 'cosserat-identify')


IDENTIFY = Experiment(
    'cosserat-identify',
    'Particle swarm on 42 poses and a motion of 10 s: the collocation rod from simulated readings',
    'adaptive NEMPC, III-I, table III',
    'l_0 0.1249 m, m_EE 0.0668 kg, c_b 49.9 rad/(N m m), c_dilat 0.0059 1/N, d_bend 0.005 s',
    'simulated truth recovered',
    _identify,
    _SEED,
)
