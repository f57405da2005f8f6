"""Errors of a transition model against the collocation rod: one step, and motions on its own."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from continua.cosserat import CollocationRod
from continua.surrogate.motions import COMPLIANCE_RANGE, babbled_pressures

__all__ = ['Rollouts', 'Verification', 'rollouts', 'verify']

Transition = Callable[[np.ndarray, np.ndarray, np.ndarray, float], np.ndarray]


@dataclass(frozen=True)
class Rollouts:
    """Motions of the rod: pressures u (s, K, m) Pa, bending compliance c (K,), states x (s + 1, K, n) and tip
    (s + 1, K, 3) m."""

    u: np.ndarray
    c: np.ndarray
    x: np.ndarray
    tip: np.ndarray
    dt: float


@dataclass(frozen=True)
class Verification:
    """one_step (s, K) and rollout (s, K): distances m between the tips after one step from the rod's state,
    and along a motion from the rod's first state on. states: root mean square (n,) of the errors of one step,
    in units of the standard deviation of each state. tip (s, K, 3) m: along the motions."""

    one_step: np.ndarray
    rollout: np.ndarray
    states: np.ndarray
    tip: np.ndarray


def rollouts(rod: CollocationRod, count: int, duration: float, dt: float, seed: int = 0) -> Rollouts:
    """`count` motions of `duration` s from equilibria, under babbled pressures; the compliance of the first
    is that of the robot file, that of the others in the range of the training."""
    random, steps = np.random.default_rng(seed), round(duration / dt)
    limits = np.array([chamber.limits.pressure for chamber in rod.robot.chambers]).T
    u = np.stack([babbled_pressures(random, steps, limits, dt) for _ in range(count)], axis=1)
    c = rod.theta[2] * np.append(1.0, random.uniform(*COMPLIANCE_RANGE, count - 1))
    theta = np.array([rod.with_theta(bending_compliance=each) for each in c])
    x = [rod.statics(u[0], theta=theta)]
    for each in u:
        x.append(rod.step(x[-1], each, dt, theta))
    x = np.array(x)
    return Rollouts(u, c, x, rod.output(x, theta), dt)


@np.errstate(all='ignore')
def verify(transition: Transition, rod: CollocationRod, true: Rollouts) -> Verification:
    """Errors of transition(x (B, n), u (B, m), parameters (B, 1), dt) on motions of the rod; NaN where its
    own motion has left all numbers."""
    parameters = true.c[:, None]
    theta = np.array([rod.with_theta(bending_compliance=each) for each in true.c])
    once = np.array([transition(x, u, parameters, true.dt) for x, u in zip(true.x, true.u, strict=False)])
    along = [true.x[0]]
    for u in true.u:
        along.append(transition(along[-1], u, parameters, true.dt))
    once_tip, tip = rod.output(once, theta), rod.output(np.array(along[1:]), theta)
    one_step, rollout = (np.linalg.norm(each - true.tip[1:], axis=2) for each in (once_tip, tip))
    error = (once - true.x[1:]) / true.x.std(axis=(0, 1))
    return Verification(one_step, rollout, np.sqrt(np.mean(error**2, axis=(0, 1))), tip)
