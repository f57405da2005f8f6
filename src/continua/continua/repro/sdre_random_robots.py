"""The SDRE observer on random robots of every kind: joints, soft links, loops, drives, contacts, friction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from continua.description import Robot
from continua.estimation import SdreObserver
from continua.estimation.free_motions import FreeMotions
from continua.repro.experiment import Number, at_least
from continua.repro.random_robots import random_robot
from continua.rod import Integrator, Rod

__all__ = ['random_robots']

_LINKS, _LARGEST = 2, 12  # of a robot: links and coordinates at most
_RATE, _STEPS = 100.0, 500  # Hz
_R, _GUESS = 1e-6, 0.2  # m^2 s; units of deformation, standard deviation of a guess
_PULL = 0.1  # of the largest tension
_LEFT = 0.05  # share of the error of the guess that is left where an observer has converged


@dataclass(frozen=True)
class _Outcome:
    """is_observable: by the PBH test at rest; is_sound: P positive semidefinite and all finite at each step.
    left, alone: shares of the guess's error that are left, with the readings and by the model alone."""

    is_observable: bool
    is_sound: bool
    left: float
    alone: float


def random_robots(count: int, say: Callable[[str], None]) -> Iterator[Number]:
    """Rates of success on the first so many robots that rest somewhere and have tendons that move them."""
    found: list[_Outcome] = []
    seed = -1
    while len(found) < count:
        seed += 1
        rod = _movable(seed)
        outcome = None if rod is None else _observe(rod, np.random.default_rng(seed))
        if outcome is not None:
            found.append(outcome)
            say(f'random robot {seed}: {outcome}')
    seen = [each for each in found if each.is_observable]
    unseen = [each for each in found if not each.is_observable]
    yield Number('random robots: tried to find them', seed + 1.0)
    yield Number('random robots: observable', float(len(seen)))
    yield Number('random robots: said to be not observable', float(len(unseen)))
    for name, some in (('observable', seen), ('not observable', unseen)):
        left, alone = np.array([(each.left, each.alone) for each in some]).reshape(-1, 2).T
        yield Number(f'random robots, {name}: converged to 5 %', float(np.sum(left <= _LEFT)))
        yield Number(
            f'random robots, {name}: converged to 5 % by the model alone', float(np.sum(alone <= _LEFT))
        )
        yield Number(
            f'random robots, {name}: error no larger than that of the guess', float(np.sum(left <= 1.0))
        )
        yield Number(f'random robots, {name}: nearer than the model alone', float(np.sum(left < 0.9 * alone)))
        if some:
            yield Number(f'random robots, {name}: largest share of the error left', left.max())
            yield Number(f'random robots, {name}: that of the model alone', alone[left.argmax()])
    sound = np.mean([each.is_sound for each in found])
    yield at_least('random robots: share with P sound and all finite at each step', sound, 1.0)


def _movable(seed: int) -> Rod | None:
    """The rod of a random robot that the study can use."""
    robot = Robot.model_validate(random_robot(Random(seed), _LINKS))
    if not robot.tendons:
        return None
    rod = Rod(robot)
    return rod if rod.dof <= _LARGEST and FreeMotions(rod).count else None


def _observe(rod: Rod, random: np.random.Generator) -> _Outcome | None:
    """What an observer makes of a guess that is off in all free motions; None without rest or motion."""
    rest = rod.statics()
    if not (rest.converged and rest.stable):
        return None
    observer, free, n = SdreObserver(rod, R=_R), FreeMotions(rod), rod.dof
    w = np.concatenate([_GUESS * random.normal(size=free.count), np.zeros(free.count)])
    guess, _ = free.closed(rest.q + (free.frame(rest.q)[0] @ w)[:n], np.zeros(n))
    pull = np.zeros(len(rod.input_names))
    pull[: rod.n_tendons] = [_PULL * tendon.limits.tension[1] for tendon in rod.robot.tendons]
    truth, alone = Integrator(rod), Integrator(rod)
    truth.reset(rest.q)
    alone.reset(guess)
    belief, is_sound = observer.begin(guess), True
    for k in range(_STEPS):
        u = 0.5 * pull * (1.0 - np.cos(5.0 * k / _RATE))
        if not (truth.step(1.0 / _RATE, u) and alone.step(1.0 / _RATE, u)):
            return None
        belief, _ = observer.step(belief, rod.tendon_displacement(truth.q), u, 1.0 / _RATE)
        is_sound = is_sound and _is_sound(belief.P, free.frame(belief.q)[1]) and np.isfinite(belief.q).all()
    first = np.linalg.norm((guess - rest.q) / rod.scale)
    left, by_itself = (np.linalg.norm((q - truth.q) / rod.scale) / first for q in (belief.q, alone.q))
    is_observable = observer.observability(rest.q, np.zeros(n)).observable
    return _Outcome(is_observable, bool(is_sound), float(left), float(by_itself))


def _is_sound(P: np.ndarray, inward: np.ndarray) -> bool:
    """Whether P is positive definite on the free motions."""
    values = np.linalg.eigvalsh(inward @ P @ inward.T)
    return bool(values[0] > -1e-12 * values[-1])
