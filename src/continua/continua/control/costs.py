"""What a predictive controller minimises: costs of one stage of the horizon, for all candidates at once.

A cost is any callable stage -> (N,). Those here run on NumPy and on PyTorch (`continua.arrays`):

    cost = Sum(TaskCost(tip, 1e6 * np.ones(3)), InputRateCost(1e-9 * np.ones(3)), Obstacle(...))
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from continua.arrays import Arrays

__all__ = ['InputRateCost', 'Obstacle', 'RatePenalty', 'Stage', 'StateCost', 'Sum', 'TaskCost']


@dataclass(frozen=True)
class Stage:
    """The state x (N, n) that the input u (N, m) leads to, du (N, m), the change from the input before,
    parameters (N, p) of the model, the goal (g,) at that moment, and the length dt of the stage in s."""

    x: Any
    u: Any
    du: Any
    parameters: Any
    goal: Any
    dt: float


class Sum:
    """The sum of several costs."""

    def __init__(self, *terms: Callable[[Stage], Any]) -> None:
        self._terms = terms

    def __call__(self, stage: Stage) -> Any:
        return sum(term(stage) for term in self._terms)


class StateCost:
    """|goal - x|^2 weighted by Q (n,) (nempc eq 39)."""

    def __init__(self, Q: np.ndarray, arrays: Arrays | None = None) -> None:
        self._Q = (arrays or Arrays()).put(_weights(Q, 'Q'))

    def __call__(self, stage: Stage) -> Any:
        return ((stage.x - stage.goal) ** 2 * self._Q).sum(-1)


class TaskCost:
    """|goal - output(x, parameters)|^2 weighted by Q (o,); output(x (N, n), parameters (N, p)) -> (N, o),
    say the tip's position."""

    def __init__(
        self, output: Callable[[Any, Any], Any], Q: np.ndarray, arrays: Arrays | None = None
    ) -> None:
        self._output = output
        self._Q = (arrays or Arrays()).put(_weights(Q, 'Q'))

    def __call__(self, stage: Stage) -> Any:
        return ((self._output(stage.x, stage.parameters) - stage.goal) ** 2 * self._Q).sum(-1)


class InputRateCost:
    """|change of the input|^2 weighted by R (m,) (nempc eq 39)."""

    def __init__(self, R: np.ndarray, arrays: Arrays | None = None) -> None:
        self._R = (arrays or Arrays()).put(_weights(R, 'R'))

    def __call__(self, stage: Stage) -> Any:
        return (stage.du**2 * self._R).sum(-1)


class RatePenalty:
    """weight times the squared excess over a rate (m,) of the input per second, in parts of that rate."""

    def __init__(self, rate: np.ndarray, weight: float, arrays: Arrays | None = None) -> None:
        if not np.all(np.asarray(rate) > 0.0):
            raise ValueError(f'rate: expected positive rates, got {rate}')
        self._inverse = (arrays or Arrays()).put(1.0 / np.asarray(rate, dtype=float))
        self._weight = weight

    def __call__(self, stage: Stage) -> Any:
        excess = (abs(stage.du) * self._inverse / stage.dt - 1.0).clip(0.0)
        return self._weight * (excess**2).sum(-1)


class Obstacle:
    """weight times the squared depths, in m, to which points of the body are inside a ball.

    points(x (N, n), parameters (N, p)) -> (N, s, 3) m; centre (3,) m; radius m, the body's own included.
    """

    def __init__(
        self,
        points: Callable[[Any, Any], Any],
        centre: np.ndarray,
        radius: float,
        weight: float,
        arrays: Arrays | None = None,
    ) -> None:
        if not radius > 0.0:
            raise ValueError(f'radius: expected a positive number of m, got {radius}')
        self._points, self._radius, self._weight = points, radius, weight
        self._centre = (arrays or Arrays()).put(np.asarray(centre, dtype=float))

    def __call__(self, stage: Stage) -> Any:
        offset = self._points(stage.x, stage.parameters) - self._centre
        depth = (self._radius - (offset**2).sum(-1) ** 0.5).clip(0.0)
        return self._weight * (depth**2).sum(-1)


def _weights(values: np.ndarray, name: str) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or not np.all(np.isfinite(values) & (values >= 0.0)):
        raise ValueError(f'{name}: expected one weight >= 0 for each entry, got {values}')
    return values
