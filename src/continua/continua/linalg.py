"""Copies and LU factorisation inside compiled kernels, without allocation.

Newton loops keep and reuse the factors.
"""

import numpy as np

from continua.jit import njit

__all__ = ['assign', 'lu_factor', 'lu_solve']


@njit
def assign(x: np.ndarray, out: np.ndarray) -> None:
    """out = x, element by element. `out[:] = x` would ask whether they overlap, and copy."""
    for i in np.ndindex(x.shape):
        out[i] = x[i]


@njit
def lu_factor(A: np.ndarray, pivot: np.ndarray) -> bool:
    """Factorise A (n, n) in place with row pivoting; pivot (n,) int64.

    Returns False where A is singular or not finite.
    """
    n = A.shape[0]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if not abs(A[best, k]) > 0.0 or not np.isfinite(A[best, k]):
            return False
        pivot[k] = best
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, n):
            A[i, k] *= inverse
            factor = A[i, k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= factor * A[k, j]
    return True


@njit
def lu_solve(A: np.ndarray, pivot: np.ndarray, x: np.ndarray) -> None:
    """Solve A y = x for the factors of `lu_factor`; the answer replaces x (n,)."""
    n = A.shape[0]
    for k in range(n):
        best = pivot[k]
        x[k], x[best] = x[best], x[k]
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= A[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]
