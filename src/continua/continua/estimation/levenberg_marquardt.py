"""Bounded nonlinear least squares: Levenberg-Marquardt with an active set of simple bounds.

Minimises |r(x)|^2 / 2 subject to low <= x <= high. Variables that sit on a bound and are pushed outwards by
the gradient are held for the step (Bertsekas 1982, projected Newton); one that the step would carry beyond a
bound stops there, and the others' step is found anew. The damping scales with the diagonal of J^T J
(Marquardt 1963) and follows the gain ratio (Nielsen 1999).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dposv

__all__ = ['Solution', 'solve']


@dataclass(frozen=True)
class Solution:
    """x (n,), and how it went; cost |r|^2 / 2 and Jacobian (m, n) before the last step, if that was small."""

    x: np.ndarray
    cost: float
    jacobian: np.ndarray
    converged: bool
    iterations: int
    message: str


def solve(
    function: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    x0: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    scale: np.ndarray | float,
    tolerance: float = 1e-6,
    max_iterations: int = 30,
) -> Solution:
    """Minimise from x0 (n,), which is clipped into the bounds.

    function: x -> residual (m,) and Jacobian (m, n). scale (n,): typical size of each variable; the iteration
    ends when a step is below tolerance * scale.
    """
    x = np.clip(x0, low, high)
    r, J = function(x)
    cost, damping, growth = 0.5 * r @ r, 1e-3, 2.0
    for iteration in range(1, max_iterations + 1):
        gradient = J.T @ r
        is_held = ((x <= low) & (gradient > 0.0)) | ((x >= high) & (gradient < 0.0))
        if not gradient[~is_held].any():
            return Solution(x, cost, J, True, iteration, 'converged: no free variable lowers the cost')
        normal = J.T @ J
        diagonal = normal.diagonal()
        normal.flat[:: x.size + 1] = (1.0 + damping) * diagonal + 1e-12 * max(1e-300, diagonal.sum())
        step = _bounded_step(normal, gradient, low - x, high - x, is_held)
        trial = np.minimum(np.maximum(x + step, low), high)
        step = trial - x
        if (np.abs(step) <= tolerance * scale).all():
            return Solution(trial, cost, J, True, iteration, f'converged in {iteration} iterations')
        r_trial, J_trial = function(trial)
        cost_trial = 0.5 * r_trial @ r_trial
        if not np.isfinite(cost_trial):
            cost_trial = np.inf
        slope = J @ step
        predicted = -(gradient @ step) - 0.5 * slope @ slope
        if cost_trial <= cost:
            gain = (cost - cost_trial) / max(predicted, 1e-300)
            x, r, J, cost = trial, r_trial, J_trial, cost_trial
            damping *= max(1.0 / 3.0, 1.0 - (2.0 * min(gain, 2.0) - 1.0) ** 3)
            growth = 2.0
        else:
            damping *= growth
            growth *= 2.0
    return Solution(x, cost, J, False, max_iterations, f'no convergence in {max_iterations} iterations')


def _bounded_step(
    normal: np.ndarray, gradient: np.ndarray, low: np.ndarray, high: np.ndarray, is_held: np.ndarray
) -> np.ndarray:
    """Step (n,) to the minimum of step^T normal step / 2 + gradient^T step in the variables that are not
    held; those that would go beyond low or high are held there."""
    step = np.zeros_like(gradient)
    while not is_held.all():
        free = np.flatnonzero(~is_held)
        step[free] = 0.0
        step[free] = dposv(normal[free[:, None], free], -(gradient + normal @ step)[free])[1]
        is_beyond = (step < low) | (step > high)
        if not is_beyond.any():
            break
        step, is_held = np.minimum(np.maximum(step, low), high), is_held | is_beyond
    return step
