"""Static equilibrium K q = B(q) T + F(q) (soft_synergies eq 11) by Newton's method with line search.

The Newton matrix is exact (`residual_tangent`), so convergence is quadratic near the solution. Where the
full load does not converge from the start, it is applied in steps, each starting from the last. Neither cares
whether an equilibrium is stable. Where they end in an unstable one, or in none, the energy is descended from
the guess (`descent`), for a robot at rest is in a stable equilibrium. Only a guess from which no force leads
aside, as that of a straight column, gives an unstable one; the result says so.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from continua.jit import Held, inner, njit, part
from continua.linalg import assign, lu_factor, lu_solve
from continua.rod.arrays import Conditions
from continua.rod.descent import ROUNDING, descend, free_motions
from continua.rod.residual import residual, residual_tangent

__all__ = ['StaticsResult', 'solve_statics']

_MAX_ITERATIONS = 60
_MAX_HALVINGS = 12
_SMALLEST_LOAD_STEP = 1e-3
# A rod squeezed to less than this share of its length is far outside its material law.
_SQUEEZED = 0.1
# Corrections below this, in units of deformation, are taken without asking whether the residual shrinks:
# there it is of the size of the rounding errors.
_SMALL_STEP = 1e-6


@dataclass(frozen=True)
class StaticsResult:
    """An equilibrium, or the best that was found.

    q: (n,) generalised coordinates. stable: whether the rod would come back from a small push (the tangent
    stiffness is positive definite). message: one sentence on how it went. residual: largest generalised force
    left at q, as a share of the largest elastic force at one unit of deformation. smallest_eigenvalue: of the
    tangent stiffness in units of deformation, J, within the constraints; positive where stable, 0 where the
    rod can move without any force. reaction: (k,) multipliers of the constraints.
    """

    q: np.ndarray
    converged: bool
    stable: bool
    message: str
    iterations: int
    residual: float
    smallest_eigenvalue: float
    reaction: np.ndarray


def solve_statics(
    model: Held, q0: np.ndarray, acting: Conditions, scale: np.ndarray, tolerance: float = 1e-10
) -> StaticsResult:
    """Equilibrium near q0 (n,).

    scale: (n,) size of one unit of deformation in each coordinate; a step below tolerance * scale ends the
    iteration.
    """
    guess = np.concatenate([q0, np.zeros(model.value.constraints.rate.size)])
    unit = _energy_unit(model, scale)
    # these turn residuals into energies; a loop open by a metre or a radian is one unit
    weight = np.concatenate([scale, unit / model.value.constraints.rate])
    x = guess.copy()
    converged, total = _newton(model, x, acting, scale, weight, tolerance)
    message = f'converged in {total} iterations'
    if not converged:
        x, done, steps, iterations = _in_load_steps(model, acting, scale, weight, tolerance)
        total += iterations
        converged = done >= 1.0
        message = f'converged in {steps} load steps, {total} iterations'
    left, smallest, stretch = _assess(model, x, acting, scale, weight, unit)
    if not converged or smallest < 0.0:
        found, iterations = _descend(model, guess, acting, scale, weight, tolerance)
        if found is not None:
            assessed = _assess(model, found, acting, scale, weight, unit)
            if not converged or assessed[1] >= 0.0:
                x, converged, (left, smallest, stretch) = found, True, assessed
                total += iterations
                message = f'converged in {total} iterations, the last {iterations} down the energy'
    if converged and stretch <= 0.0:
        converged = False
        message = 'no equilibrium found: where forces balance, the rod is turned inside out; reduce the load'
    elif converged:
        message += _caveat(smallest, stretch)
    else:
        message = (
            f'no equilibrium found beyond {done:.1%} of the load (residual of all of it {left:.1e}): '
            'the rod may buckle or fold there; reduce the load or start from a nearby shape'
        )
        if np.any(np.diag(model.value.rod.stiffness) == 0.0):
            message += '; a joint without a spring bears no load that nothing balances'
    n = scale.size
    return StaticsResult(x[:n], converged, smallest > 0.0, message, total, left, smallest, x[n:])


def _caveat(smallest: float, stretch: float) -> str:
    """What there is to say about an equilibrium with this smallest eigenvalue and least stretch."""
    if smallest < 0.0:
        return ', but the equilibrium is unstable: the rod would move away from it'
    if smallest == 0.0:
        return ', but the equilibrium is indifferent: the rod can move without any force'
    if stretch < _SQUEEZED:
        return f', but the rod is squeezed to {stretch:.1%} of its length, where no linear elasticity holds'
    return ''


def _energy_unit(model: Held, scale: np.ndarray) -> float:
    """Energy (J) of one unit of deformation, of the stiffest coordinate or of the weight, the larger."""
    rod = model.value.rod
    mass = rod.inertia[:, 3, 3].sum()
    # a bar on a joint has its mass away from its only station
    gyration = np.sqrt(np.trace(rod.inertia[:, :3, :3].sum(axis=0)) / max(mass, 1e-300))
    weight = mass * np.linalg.norm(rod.gravity) * (rod.arc_length.max() + gyration)
    return max(float(np.max(np.diag(rod.stiffness) * scale**2)), float(weight), 1e-12)


def _in_load_steps(
    model: Held, acting: Conditions, scale: np.ndarray, weight: np.ndarray, tolerance: float
) -> tuple[np.ndarray, float, int, int]:
    """The last equilibrium (n + k,) on the way to the full load, the share of it, load steps, iterations."""
    x, done, increment, steps, total = np.zeros_like(weight), 0.0, 0.25, 0, 0
    while done < 1.0 and increment > _SMALLEST_LOAD_STEP:
        share = min(1.0, done + increment)
        trial = x.copy()
        partial = Conditions(
            share * acting.u,
            share * acting.gravity,
            share * acting.dead,
            share * acting.following,
            share * acting.target,
            acting.target_rate,
        )
        ok, iterations = _newton(model, trial, partial, scale, weight, tolerance)
        total += iterations
        if ok:
            x, done, steps = trial, share, steps + 1
            increment *= 2.0
        else:
            increment *= 0.5
    return x, done, steps, total


def _descend(
    model: Held,
    guess: np.ndarray,
    acting: Conditions,
    scale: np.ndarray,
    weight: np.ndarray,
    tolerance: float,
) -> tuple[np.ndarray | None, int]:
    """The equilibrium (n + k,) down the energy from a guess (n + k,), None if there is none; iterations."""
    found, iterations = descend(model, guess, acting, scale, tolerance)
    if found is None or found.size == scale.size:
        return found, iterations
    # descended with rigid loop joints, while those of the model yield a little
    finished = found.copy()
    converged, more = _newton(model, finished, acting, scale, weight, tolerance)
    return finished if converged else found, iterations + more


def _assess(
    model: Held, x: np.ndarray, acting: Conditions, scale: np.ndarray, weight: np.ndarray, unit: float
) -> tuple[float, float, float]:
    """Residual at x (n + k,), the smallest eigenvalue as in `StaticsResult`, and the least stretch.

    An eigenvalue that is a rounding error is 0.
    """
    n = scale.size
    q, zero, r, A = x[:n].copy(), np.zeros(n), np.zeros(x.size), np.zeros((x.size, x.size))
    residual(model, q, zero, zero, x[n:].copy(), acting, r)
    residual_tangent(model, 1.0, 0.0, 0.0, acting, A)
    left = np.abs(r * weight).max() / unit
    scaled = 0.5 * scale[:, None] * (A[:n, :n] + A[:n, :n].T) * scale
    if not np.all(np.isfinite(A)):
        return float(left), -np.inf, float(model.value.routing.xi[:, 3].min())
    free = free_motions(A[n:, :n] * scale)
    smallest = np.linalg.eigvalsh(free.T @ scaled @ free)[0] if free.size else np.inf
    if abs(smallest) < ROUNDING * np.abs(scaled).max(initial=0.0):
        smallest = 0.0
    return float(left), float(smallest), _least_stretch(model)


def _least_stretch(model: Held) -> float:
    """Smallest stretch of the soft links' sections; 1 where there are none."""
    soft = model.value.rod.weight > 0.0
    return float(model.value.routing.xi[soft, 3].min()) if soft.any() else 1.0


class _Search(NamedTuple):
    """Buffers of Newton's method for n coordinates and k reactions."""

    zero: np.ndarray  # (n,) rates and accelerations of a robot at rest
    residual: np.ndarray  # (n + k,)
    trial: np.ndarray  # (n + k,)
    step: np.ndarray  # (n + k,)
    matrix: np.ndarray  # (n + k, n + k)
    pivot: np.ndarray  # (n + k,)


def _newton(
    model: Held, x: np.ndarray, acting: Conditions, scale: np.ndarray, weight: np.ndarray, tolerance: float
) -> tuple[bool, int]:
    """Improve x (n + k,), coordinates and reactions, in place. Returns whether it converged, iterations."""
    size = x.size
    buffers = _Search(
        np.zeros_like(scale),
        *(np.zeros(size) for _ in range(3)),
        np.zeros((size, size)),
        np.zeros(size, dtype=np.int64),
    )
    return _iterate(model, buffers, x, acting, scale, weight, tolerance)


@njit
def _iterate(
    model: Held,
    b: _Search,
    x: np.ndarray,
    acting: Conditions,
    scale: np.ndarray,
    weight: np.ndarray,
    tolerance: float,
) -> tuple[bool, int]:
    """The iterations of `_newton`."""
    n = scale.size
    r, trial, step = b.residual, b.trial, b.step
    residual(model, x[:n], b.zero, b.zero, x[n:], acting, r)
    norm = _scaled_norm(r, weight)
    for iteration in range(_MAX_ITERATIONS):
        residual_tangent(model, 1.0, 0.0, 0.0, acting, b.matrix)
        if not lu_factor(b.matrix, b.pivot):
            return False, iteration
        assign(r, step)
        lu_solve(b.matrix, b.pivot, step)
        size, total = 0.0, 0.0
        for i in range(x.size):
            total += step[i]
            if i < n:
                size = max(size, abs(step[i]) / scale[i])
        if not np.isfinite(total):
            return False, iteration
        # no step may deform the rod by more than a unit: keeps the line search in reach
        factor = min(1.0, 1.0 / max(size, 1e-300))
        new = _search_line(model, b, x, acting, weight, factor, norm, size < _SMALL_STEP)
        if new < 0.0:
            return False, iteration + 1
        assign(trial, x)
        norm = new
        if size < tolerance:
            return True, iteration + 1
    return False, _MAX_ITERATIONS


@part
def _search_line(
    model: Held,
    b: _Search,
    x: np.ndarray,
    acting: Conditions,
    weight: np.ndarray,
    factor: float,
    norm: float,
    small: bool,
) -> float:
    """Halve `factor` until b.trial = x - factor b.step has a smaller residual: its norm, or -1 if none."""
    n = b.zero.size
    for _ in range(_MAX_HALVINGS):
        for i in range(x.size):
            b.trial[i] = x[i] - factor * b.step[i]
        residual(model, b.trial[:n], b.zero, b.zero, b.trial[n:], acting, b.residual)
        new = _scaled_norm(b.residual, weight)
        if new < (1.0 - 1e-4 * factor) * norm or small:
            return new
        factor *= 0.5
    return -1.0


@inner
def _scaled_norm(r: np.ndarray, weight: np.ndarray) -> float:
    """Euclidean norm of the residuals as energies (J)."""
    total = 0.0
    for i in range(r.size):
        total += (r[i] * weight[i]) ** 2
    return np.sqrt(total)
