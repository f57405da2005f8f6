"""Hyper-parameters and weights of NEMPC from closed loops (nempc V-B1, table VII).

In two stages, as in the paper: first the algorithm with one factor on the weights of the input's change, then
the weights of groups of states. The closed loops, say a setpoint and a trajectory with the physics model as
the robot, are the caller's; a particle swarm stands in for the paper's Bayesian optimisation.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from continua.control.evolution import NempcSettings
from continua.optimisation import minimise

__all__ = ['tune_settings', 'tune_weights']

# Parents, strangers in parts of the rest, mutation, lg noise, segments, first knot fixed, lg factor of R.
_LOW = np.array([0.02, 0.0, 0.0, -3.0, 0.51, 0.0, -2.0])
_HIGH = np.array([0.8, 0.8, 1.0, 0.0, 3.49, 1.0, 2.0])


def tune_settings(
    error: Callable[[NempcSettings, float], float],
    start: NempcSettings,
    rng: np.random.Generator,
    particles: int = 20,
    iterations: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[NempcSettings, float, float]:
    """Settings with the start's particles, horizon and generations; the factor of R; and the least error.

    error(settings, factor): root mean square of the scaled state errors in closed loops, the same at each
    call with the same arguments.
    """

    def errors(points: np.ndarray) -> np.ndarray:
        return np.array([error(*_settings(point, start)) for point in points])

    found = minimise(
        errors,
        _LOW,
        _HIGH,
        rng,
        _vector(start),
        particles=particles,
        iterations=iterations,
        progress=progress,
    )
    return *_settings(found.x, start), found.cost


def tune_weights(
    error: Callable[[np.ndarray], float],
    start: np.ndarray,
    rng: np.random.Generator,
    decades: float = 2.0,
    particles: int = 20,
    iterations: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, float]:
    """Weights (g,) > 0 of groups of states, within so many decades of the start, and the least error."""
    centre = np.log10(start)
    found = minimise(
        lambda points: np.array([error(10.0**point) for point in points]),
        centre - decades,
        centre + decades,
        rng,
        centre,
        particles=particles,
        iterations=iterations,
        progress=progress,
    )
    return 10.0**found.x, found.cost


def _vector(settings: NempcSettings) -> np.ndarray:
    strangers = settings.strangers / (1.0 - settings.parents) if settings.parents < 1.0 else 0.0
    noise = np.log10(max(settings.noise, 1e-12))
    fixed = float(settings.first_knot_fixed)
    vector = [settings.parents, strangers, settings.mutation, noise, settings.segments, fixed, 0.0]
    return np.clip(vector, _LOW, _HIGH)


def _settings(vector: np.ndarray, start: NempcSettings) -> tuple[NempcSettings, float]:
    parents, strangers, mutation, noise, segments, fixed, factor = vector.tolist()
    settings = replace(
        start,
        parents=parents,
        strangers=strangers * (1.0 - parents),
        mutation=mutation,
        noise=10.0**noise,
        segments=min(round(segments), start.horizon - 1),
        first_knot_fixed=fixed > 0.5,
    )
    return settings, 10.0**factor
