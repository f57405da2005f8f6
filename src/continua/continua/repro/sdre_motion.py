"""Motions of the arms of the SDRE paper, readings of their tendons, and what observers make of them."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from continua.description import PolynomialBasis, Robot, StrainOrders
from continua.estimation import SdreBelief, SdreObserver
from continua.rod import Integrator, Rod

__all__ = ['Observed', 'Recording', 'observe', 'record', 'settled', 'tips', 'with_strains']

_SUBSTEPS = 5


@dataclass(frozen=True)
class Recording:
    """A motion from rest in s steps of 1 / rate: coordinates q (s, n) at their ends, tensions (s, K) N held
    during them, displacements (s, K) m at their ends."""

    rod: Rod
    rate: float
    q: np.ndarray
    tension: np.ndarray
    displacement: np.ndarray

    @property
    def time(self) -> np.ndarray:
        """Ends of the steps (s,), s."""
        return np.arange(1, len(self.q) + 1) / self.rate


@dataclass(frozen=True)
class Observed:
    """Coordinates q (s, n) and rates (s, n) of an observer, and the wall times (s,) s of its steps."""

    q: np.ndarray
    qd: np.ndarray
    seconds: np.ndarray


def with_strains(robot: Robot, tendons: int, **orders: int) -> Robot:
    """The robot with its first so many tendons and Legendre polynomials of these orders for its strains."""
    order = StrainOrders(**dict.fromkeys(StrainOrders.model_fields) | orders)
    basis = PolynomialBasis(type='legendre', order=order)
    links = tuple(link.model_copy(update={'strain_basis': basis}) for link in robot.links)
    return robot.model_copy(update={'links': links, 'tendons': robot.tendons[:tendons]})


def record(
    rod: Rod,
    tension: np.ndarray,
    rate: float,
    load: Callable[[float], np.ndarray | None] = lambda t: None,
) -> Recording:
    """The motion from rest in the reference shape under tensions (s, K) N, each held for 1 / rate (s); load:
    t -> dead loads (N, 6) at the stations. Raises RuntimeError where it cannot be integrated."""
    motion, q = Integrator(rod), []
    motion.reset(np.zeros(rod.dof))
    for k, u in enumerate(tension):
        acting = load((k + 0.5) / rate)
        for _ in range(_SUBSTEPS):
            if not motion.step(1.0 / rate / _SUBSTEPS, u, load=acting):
                raise RuntimeError(f'robot {rod.robot.name}: no step at {k / rate:g} s')
        q.append(motion.q)
    return Recording(rod, rate, np.array(q), tension, np.array([rod.tendon_displacement(each) for each in q]))


def observe(
    observer: SdreObserver,
    belief: SdreBelief,
    recording: Recording,
    load: np.ndarray | None = None,
    readings: bool = True,
) -> Observed:
    """The beliefs after each reading of the recording, or without any of them; load (N, 6): the forces that
    the observer knows."""
    q, qd, seconds = [], [], []
    shown = recording.displacement if readings else [None] * len(recording.q)
    for reading, u in zip(shown, recording.tension, strict=True):
        start = time.perf_counter()
        belief, _ = observer.step(belief, reading, u, 1.0 / recording.rate, load=load)
        seconds.append(time.perf_counter() - start)
        q.append(belief.q)
        qd.append(belief.qd)
    return Observed(np.array(q), np.array(qd), np.array(seconds))


def tips(rod: Rod, q: np.ndarray) -> np.ndarray:
    """Positions (s, 3) m of the tip at q (s, n)."""
    sampler = rod.sampler(np.array([rod.length]))
    return np.array([sampler.poses(each)[1][0] for each in q])


def settled(error: np.ndarray, limit: float, rate: float) -> float:
    """Time (s) from which on the error (s,) stays below the limit; infinite where it does not."""
    above = np.flatnonzero(error > limit)
    if not above.size:
        return 0.0
    return (above[-1] + 2) / rate if above[-1] + 1 < error.size else np.inf
