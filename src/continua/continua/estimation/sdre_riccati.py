"""The Riccati equation of an observer, solved from a guess that is near.

    A P + P A^T - P C^T C P + Q = 0                  (sdre eq 18, alpha within A, R^(-1/2) within C)

Newton's method on it (Kleinman, IEEE Trans. Automat. Contr. 13, 1968) solves a Lyapunov equation with the
closed loop of the last P each time. From a P whose closed loop is stable all iterates are positive definite
and converge quadratically; the residual after an iteration that changed P by D is D C^T C D.
"""

import numpy as np
from scipy.linalg import solve_continuous_are
from scipy.linalg.lapack import dgees, dtrsyl

__all__ = ['direct_riccati', 'newton_kleinman']

_MAX_ITERATIONS = 8
# Largest residual, relative to the terms that it is the sum of.
_TOLERANCE, _DIRECT_TOLERANCE = 1e-5, 1e-6


def newton_kleinman(
    A: np.ndarray, C: np.ndarray, Q: np.ndarray, P: np.ndarray
) -> tuple[np.ndarray | None, int]:
    """P (n, n) from the guess P, and the iterations it took; None where these do not converge.

    A, Q (n, n), Q positive definite, C (m, n). Without rows in C, the Lyapunov equation.
    """
    G = C.T @ C
    for iteration in range(1, _MAX_ITERATIONS + 1):
        PG = P @ G
        known = Q + PG @ P
        found = _lyapunov(A - PG, known)
        if found is None:
            return None, iteration
        change = found - P
        P = found
        if np.linalg.norm(change @ G @ change) <= _TOLERANCE * np.linalg.norm(known):
            return P, iteration
    return None, _MAX_ITERATIONS


def direct_riccati(A: np.ndarray, C: np.ndarray, Q: np.ndarray) -> np.ndarray | None:
    """P (n, n) without a guess; None where there is no positive definite solution with a stable loop."""
    try:
        P = solve_continuous_are(A.T, C.T, Q, np.eye(len(C)))
    except (np.linalg.LinAlgError, ValueError):
        return None
    P = 0.5 * (P + P.T)
    PC = P @ C.T
    terms = (A @ P, P @ A.T, -PC @ PC.T, Q)
    if np.linalg.norm(sum(terms)) > _DIRECT_TOLERANCE * max(map(np.linalg.norm, terms)):
        return None
    return P if np.linalg.eigvalsh(P)[0] > 0.0 else None


def _lyapunov(F: np.ndarray, W: np.ndarray) -> np.ndarray | None:
    """P with F P + P F^T + W = 0 by Bartels and Stewart's method; None where F is not stable.

    LAPACK's routines by themselves: for a few coordinates SciPy's checks take longer than they do.
    """
    T, _, real, _, U, _, failed = dgees(_any_order, F)
    if failed or not real.max() < 0.0:
        return None
    Y, scale, _ = dtrsyl(T, T, -(U.T @ W @ U), tranb='T')
    P = U @ Y @ U.T / scale
    return 0.5 * (P + P.T)


def _any_order(*_: float) -> None:
    """Schur forms may be sorted; this one is not."""
