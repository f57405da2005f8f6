"""Static equilibrium K q = B(q) T + F(q) (soft_synergies eq 11) by Newton's method with line search.

The Newton matrix is exact (`residual_tangent`), so convergence is quadratic near the solution. Where the
full load does not converge from the start, it is applied in steps, each starting from the last.
"""

from dataclasses import dataclass

import numpy as np

from continua.jit import njit
from continua.linalg import lu_factor, lu_solve
from continua.rod.residual import Model, residual, residual_tangent

__all__ = ['StaticsResult', 'solve_statics']

_MAX_ITERATIONS = 60
_MAX_HALVINGS = 12


@dataclass(frozen=True)
class StaticsResult:
    """An equilibrium, or the best that was found.

    q: (n,) generalised coordinates. residual: largest generalised force left, relative to the largest
    elastic or actuation force. message: one sentence on how it went.
    """

    q: np.ndarray
    converged: bool
    message: str
    iterations: int
    residual: float


def solve_statics(
    model: Model,
    q0: np.ndarray,
    tension: np.ndarray,
    gravity: float,
    load: np.ndarray,
    scale: np.ndarray,
    tolerance: float = 1e-10,
) -> StaticsResult:
    """Equilibrium near q0 (n,) under tensions (K,) N, gravity (0 ... 1) and dead loads (N, 6).

    scale: (n,) size of one unit of deformation in each coordinate; a step below tolerance * scale ends the
    iteration.
    """
    q = np.array(q0, dtype=float)
    ok, iterations, left = _newton(model, q, tension, gravity, load, scale, tolerance)
    if ok:
        return StaticsResult(q, True, f'converged in {iterations} iterations', iterations, left)
    q, steps, total = np.zeros_like(q), 0, iterations
    done, increment = 0.0, 0.25
    while done < 1.0 and increment > 1e-3:
        share = min(1.0, done + increment)
        trial = q.copy()
        ok, iterations, left = _newton(
            model, trial, share * tension, share * gravity, share * load, scale, tolerance
        )
        total += iterations
        if ok:
            q, done, steps = trial, share, steps + 1
            increment *= 2.0
        else:
            increment *= 0.5
    if done >= 1.0:
        return StaticsResult(q, True, f'converged in {steps} load steps, {total} iterations', total, left)
    return StaticsResult(
        q,
        False,
        f'no equilibrium found beyond {done:.0%} of the load (relative residual {left:.1e}): the rod may '
        'buckle or fold there; reduce the load or start from a nearby shape',
        total,
        left,
    )


@njit
def _newton(
    m: Model,
    q: np.ndarray,
    tension: np.ndarray,
    gravity: float,
    load: np.ndarray,
    scale: np.ndarray,
    tolerance: float,
) -> tuple[bool, int, float]:
    """Improve q in place. Returns whether it converged, the iterations, and the relative residual."""
    n = q.size
    zero, r, trial, step = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    A, pivot = np.zeros((n, n)), np.zeros(n, dtype=np.int64)
    residual(m, q, zero, zero, tension, gravity, load, r)
    norm = _scaled_norm(r, scale)
    for iteration in range(_MAX_ITERATIONS):
        residual_tangent(m, 1.0, 0.0, 0.0, tension, A)
        if not lu_factor(A, pivot):
            return False, iteration, _relative(m, q, tension, r, scale)
        step[:] = -r
        lu_solve(A, pivot, step)
        size = np.max(np.abs(step) / scale)
        if not np.isfinite(size):
            return False, iteration, _relative(m, q, tension, r, scale)
        # no step may deform the rod by more than a unit: keeps the line search in reach
        factor = min(1.0, 1.0 / max(size, 1e-300))
        for _ in range(_MAX_HALVINGS):
            trial[:] = q + factor * step
            residual(m, trial, zero, zero, tension, gravity, load, r)
            new = _scaled_norm(r, scale)
            if new < (1.0 - 1e-4 * factor) * norm or size < 1e-6:
                break
            factor *= 0.5
        q[:] = trial
        norm = new
        if size < tolerance:
            return True, iteration + 1, _relative(m, q, tension, r, scale)
    return False, _MAX_ITERATIONS, _relative(m, q, tension, r, scale)


@njit
def _scaled_norm(r: np.ndarray, scale: np.ndarray) -> float:
    """Euclidean norm of the work (J) that r does on one unit of each coordinate."""
    total = 0.0
    for i in range(r.size):
        total += (r[i] * scale[i]) ** 2
    return np.sqrt(total)


@njit
def _relative(m: Model, q: np.ndarray, tension: np.ndarray, r: np.ndarray, scale: np.ndarray) -> float:
    """Largest residual over the largest elastic or actuation term, both as work."""
    largest, reference = 0.0, 1e-300
    for i in range(q.size):
        elastic, actuation = 0.0, 0.0
        for b in range(q.size):
            elastic += m.rod.stiffness[i, b] * q[b]
        for k in range(tension.size):
            actuation += m.B[i, k] * tension[k]
        largest = max(largest, abs(r[i]) * scale[i])
        reference = max(reference, abs(elastic) * scale[i], abs(actuation) * scale[i])
    return largest / reference
