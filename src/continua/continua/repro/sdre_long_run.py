"""Hours of readings that are lost, repeated, extreme or wrong, and the SDRE observer's variance all along."""

from collections.abc import Iterator

import numpy as np

from continua.estimation import SdreObserver
from continua.reduction import hold_signal
from continua.repro.experiment import Number, at_least, at_most
from continua.repro.sdre_motion import tips
from continua.rod import Integrator, Rod

__all__ = ['long_run']

_RATE, _BLOCK = 10.0, 30.0  # Hz; s, of inputs at a time
_PULL, _HOLD, _R = 7.0, (0.5, 2.0), 1e-6  # N, s, m^2 s
_NOISE = 1e-4  # m
# Shares of steps at which a fault begins, and the longest in steps.
_FAULTS, _LONGEST = {'lost': 0.01, 'repeated': 0.01, 'extreme': 0.02, 'wrong': 0.005}, 20
_EXTREMES = (np.inf, -np.inf, 1e300, -1e30, 1e3)


def long_run(rod: Rod, duration: float, random: np.random.Generator) -> Iterator[Number]:
    """Numbers of an observer that goes through all of it from one belief."""
    observer, truth = SdreObserver(rod, R=_R), Integrator(rod)
    unit = np.concatenate([rod.scale, rod.scale * 2.0 * np.pi / rod.period])
    truth.reset(np.zeros(rod.dof))
    belief, last = observer.begin(), np.zeros(rod.n_tendons)
    margins, errors, faulty = [], [], 0
    fault, left = '', 0
    for _ in range(round(duration / _BLOCK)):
        pulls = hold_signal([0.0] * 3, [_PULL] * 3, _HOLD, _BLOCK, _RATE, random)[:-1]
        true = truth.run(1.0 / _RATE, pulls)[0]
        for q, u in zip(true, pulls, strict=True):
            if not left:
                fault = str(random.choice(['', *_FAULTS], p=[1.0 - sum(_FAULTS.values()), *_FAULTS.values()]))
                left = 1 if fault in ('', 'extreme') else int(random.integers(1, _LONGEST))
            left -= 1
            faulty += fault != ''
            reading = rod.tendon_displacement(q) + _NOISE * random.normal(size=rod.n_tendons)
            belief, _ = observer.step(belief, _damaged(reading, last, fault, random), u, 1.0 / _RATE)
            last = last if fault == 'repeated' else reading
            values = np.linalg.eigvalsh(belief.P / np.outer(unit, unit))
            margins.append(values[0] / values[-1])
        errors.append(1e3 * np.linalg.norm(tips(rod, belief.q[None]) - tips(rod, q[None])))
    margins = np.array(margins)
    yield Number('hours of wrong readings: simulated time', duration / 3600.0, 'h')
    yield Number('hours of wrong readings: steps with a fault', faulty / margins.size)
    yield at_least('hours of wrong readings: steps with P positive definite', np.mean(margins > 0.0), 1.0)
    yield Number('hours of wrong readings: smallest eigenvalue of P in the largest', margins.min())
    yield Number('hours of wrong readings: tip error, median of every 30 s', np.median(errors), 'mm')
    yield at_most(
        'hours of wrong readings: tip error, largest of every 30 s', np.max(errors), 1e3 * rod.length, 'mm'
    )


def _damaged(
    reading: np.ndarray, last: np.ndarray, fault: str, random: np.random.Generator
) -> np.ndarray | None:
    """The readings (K,) m with a fault, or None."""
    match fault:
        case 'lost':
            return np.where(random.random(reading.size) < 0.7, np.nan, reading)
        case 'repeated':
            return last
        case 'extreme':
            return np.where(random.random(reading.size) < 0.5, random.choice(_EXTREMES), reading)
        case 'wrong':
            return reading + 0.02
        case _:
            return reading
