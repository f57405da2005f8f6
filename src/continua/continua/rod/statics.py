"""Static equilibrium K q = B(q) T + F(q) (soft_synergies eq 11) by Newton's method with line search.

The Newton matrix is exact (`residual_tangent`), so convergence is quadratic near the solution. Where the
full load does not converge from the start, it is applied in steps, each starting from the last. Newton's
method does not care whether an equilibrium is stable; the result says so.
"""

from dataclasses import dataclass

import numpy as np

from continua.jit import njit
from continua.linalg import lu_factor, lu_solve
from continua.rod.residual import Model, residual, residual_tangent

__all__ = ['StaticsResult', 'solve_statics']

_MAX_ITERATIONS = 60
_MAX_HALVINGS = 12
_SMALLEST_LOAD_STEP = 1e-3
# A rod squeezed to less than this share of its length is far outside its material law.
_SQUEEZED = 0.1
# Corrections below this, in units of deformation, are taken without asking whether the residual shrinks:
# there it is of the size of the rounding errors.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class StaticsResult:
    """An equilibrium, or the best that was found.

    q: (n,) generalised coordinates. stable: whether the rod would come back from a small push (the tangent
    stiffness is positive definite). message: one sentence on how it went. residual: largest generalised force
    left at q, as a share of the elastic force at one unit of deformation.
    """

    q: np.ndarray
    converged: bool
    stable: bool
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
    converged, total = _newton(model, q, tension, gravity, load, scale, tolerance)
    message = f'converged in {total} iterations'
    if not converged:
        q, done, steps, iterations = _in_load_steps(model, tension, gravity, load, scale, tolerance)
        total += iterations
        converged = done >= 1.0
        message = f'converged in {steps} load steps, {total} iterations'
    left, stable, stretch = _assess(model, q, tension, gravity, load, scale)
    if not converged:
        message = (
            f'no equilibrium found beyond {done:.1%} of the load (residual of all of it {left:.1e}): '
            'the rod may buckle or fold there; reduce the load or start from a nearby shape'
        )
    elif not stable:
        message += ', but the equilibrium is unstable: the rod would move away from it'
    elif stretch < _SQUEEZED:
        message += (
            f', but the rod is squeezed to {stretch:.1%} of its length, where no linear elasticity holds'
        )
    return StaticsResult(q, converged, stable, message, total, left)


def _in_load_steps(
    model: Model, tension: np.ndarray, gravity: float, load: np.ndarray, scale: np.ndarray, tolerance: float
) -> tuple[np.ndarray, float, int, int]:
    """The last equilibrium (n,) on the way to the full load, the share of it, load steps and iterations."""
    q, done, increment, steps, total = np.zeros_like(scale), 0.0, 0.25, 0, 0
    while done < 1.0 and increment > _SMALLEST_LOAD_STEP:
        share = min(1.0, done + increment)
        trial = q.copy()
        ok, iterations = _newton(
            model, trial, share * tension, share * gravity, share * load, scale, tolerance
        )
        total += iterations
        if ok:
            q, done, steps = trial, share, steps + 1
            increment *= 2.0
        else:
            increment *= 0.5
    return q, done, steps, total


def _assess(
    model: Model, q: np.ndarray, tension: np.ndarray, gravity: float, load: np.ndarray, scale: np.ndarray
) -> tuple[float, bool, float]:
    """Residual at q (n,) as in `StaticsResult`, whether an equilibrium is stable, and the least stretch."""
    zero, r, A = np.zeros_like(q), np.zeros_like(q), np.zeros((q.size, q.size))
    residual(model, q, zero, zero, tension, gravity, load, r)
    residual_tangent(model, 1.0, 0.0, 0.0, tension, A)
    share = np.abs(r) / (np.diag(model.rod.stiffness) * scale)
    scaled = scale[:, None] * (A + A.T) * scale
    stable = bool(np.all(np.isfinite(scaled)) and np.linalg.eigvalsh(scaled)[0] > 0.0)
    return float(share.max()), stable, float(model.routing.xi[:, 3].min())


@njit
def _newton(
    m: Model,
    q: np.ndarray,
    tension: np.ndarray,
    gravity: float,
    load: np.ndarray,
    scale: np.ndarray,
    tolerance: float,
) -> tuple[bool, int]:
    """Improve q (n,) in place. Returns whether it converged, and the iterations."""
    n = q.size
    zero, r, trial, step = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    A, pivot = np.zeros((n, n)), np.zeros(n, dtype=np.int64)
    residual(m, q, zero, zero, tension, gravity, load, r)
    norm = _scaled_norm(r, scale)
    for iteration in range(_MAX_ITERATIONS):
        residual_tangent(m, 1.0, 0.0, 0.0, tension, A)
        if not lu_factor(A, pivot):
            return False, iteration
        step[:] = -r
        lu_solve(A, pivot, step)
        size = np.max(np.abs(step) / scale)
        if not np.isfinite(size):
            return False, iteration
        # no step may deform the rod by more than a unit: keeps the line search in reach
        factor = min(1.0, 1.0 / max(size, 1e-300))
        accepted = False
        for _ in range(_MAX_HALVINGS):
            trial[:] = q + factor * step
            residual(m, trial, zero, zero, tension, gravity, load, r)
            new = _scaled_norm(r, scale)
            if new < (1.0 - 1e-4 * factor) * norm or size < _ROUNDING:
                accepted = True
                break
            factor *= 0.5
        if not accepted:
            return False, iteration + 1
        q[:] = trial
        norm = new
        if size < tolerance:
            return True, iteration + 1
    return False, _MAX_ITERATIONS


@njit
def _scaled_norm(r: np.ndarray, scale: np.ndarray) -> float:
    """Euclidean norm of the work (J) that r does on one unit of each coordinate."""
    total = 0.0
    for i in range(r.size):
        total += (r[i] * scale[i]) ** 2
    return np.sqrt(total)
