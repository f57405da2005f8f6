"""Global search in a box with a particle swarm.

Each particle is drawn to the best point that it has seen and to the best that its two neighbours on a ring
have seen (Kennedy and Mendes 2002), with the constriction of Clerc and Kennedy (2002):

    v <- 0.7298 (v + 2.05 r1 (own - x) + 2.05 r2 (neighbours' - x)),    x <- x + v

The ring spreads news slowly, so that the swarm leaves local minima more often than one with a common best.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ['SwarmResult', 'minimise']

_CONSTRICTION, _PULL = 0.7298437881283576, 2.05


@dataclass(frozen=True)
class SwarmResult:
    """x (n,) with the least cost found; particles (P, n), the best point of each, and costs (P,) there; best
    (k,), the least cost after each of the k iterations."""

    x: np.ndarray
    cost: float
    particles: np.ndarray
    costs: np.ndarray
    best: np.ndarray
    evaluations: int
    message: str


def minimise(
    cost: Callable[[np.ndarray], np.ndarray],
    low: np.ndarray,
    high: np.ndarray,
    rng: np.random.Generator,
    start: np.ndarray | None = None,
    particles: int = 30,
    iterations: int = 100,
    tolerance: float = 1e-3,
    progress: Callable[[int, int], None] | None = None,
) -> SwarmResult:
    """Least cost in low <= x <= high (n,).

    cost: points (P, n) -> (P,), all of a batch at once; what is not finite counts as infinite. start (s, n)
    or (n,): points in the box that are tried first. It ends early where the best points of all particles lie
    within tolerance times the box. progress(done, all) is called after each iteration; what it raises ends
    the search. Raises ValueError for a box that is none, starts outside, and where no cost of the first
    points is finite.
    """
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    x = _first_points(low, high, rng, start, particles)
    velocity = 0.5 * (rng.uniform(low, high, x.shape) - x)
    own, own_cost = x.copy(), _finite(cost(x), len(x))
    if not np.isfinite(own_cost).any():
        raise ValueError(
            f'swarm: no cost of the first {len(x)} points is finite; narrow the box or give a start'
        )
    best, message = [], f'ended after {iterations} iterations'
    for iteration in range(1, iterations + 1):
        pulls = _PULL * rng.random((2, *x.shape))
        velocity += pulls[0] * (own - x) + pulls[1] * (_of_neighbours(own, own_cost) - x)
        velocity *= _CONSTRICTION
        moved = x + velocity
        x = np.clip(moved, low, high)
        velocity[x != moved] = 0.0
        now = _finite(cost(x), len(x))
        better = now < own_cost
        own[better], own_cost[better] = x[better], now[better]
        best.append(own_cost.min())
        if progress is not None:
            progress(iteration, iterations)
        if np.all(np.ptp(own, axis=0) <= tolerance * (high - low)):
            message = f'all particles met after {iteration} iterations'
            break
    winner = int(np.argmin(own_cost))
    evaluations = len(x) * (len(best) + 1)
    return SwarmResult(
        own[winner].copy(), float(own_cost[winner]), own, own_cost, np.array(best), evaluations, message
    )


def _first_points(low, high, rng: np.random.Generator, start, particles: int) -> np.ndarray:
    """(P, n) the starts, then a Latin hypercube: each P-th of the box once in each direction."""
    if low.ndim != 1 or low.shape != high.shape or not np.all(np.isfinite(high - low) & (low < high)):
        raise ValueError(f'swarm: expected finite bounds (n,) with low < high, got {low} and {high}')
    if particles < 3:
        raise ValueError(f'swarm: expected 3 particles or more, got {particles}')
    strata = rng.permuted(np.tile(np.arange(particles), (low.size, 1)), axis=1).T
    x = low + (strata + rng.random(strata.shape)) / particles * (high - low)
    if start is not None:
        start = np.atleast_2d(start)
        if start.shape[1] != low.size or np.any((start < low) | (start > high)):
            raise ValueError(f'swarm: expected start points of {low.size} values in the box, got {start}')
        x[: len(start)] = start[:particles]
    return x


def _of_neighbours(own: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """(P, n) the best of each particle's own point and those beside it on the ring."""
    ring = np.arange(costs.size) + np.array([[-1], [0], [1]])
    ring %= costs.size
    return own[ring[np.argmin(costs[ring], axis=0), np.arange(costs.size)]]


def _finite(costs: np.ndarray, n: int) -> np.ndarray:
    costs = np.asarray(costs, dtype=float)
    if costs.shape != (n,):
        raise ValueError(f'swarm: expected a cost for each of {n} points, got shape {costs.shape}')
    return np.where(np.isfinite(costs), costs, np.inf)
