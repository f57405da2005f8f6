"""A linear system with white noise, from one moment to a later one."""

import math

import numpy as np

__all__ = ['discretise']

# Terms of the series: the next one is below rounding where |A| dt is at most a half.
_TERMS = 13


def discretise(A: np.ndarray, Q: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """Transition F (n, n) and covariance W (n, n) of what xd = A x + w adds to x in dt >= 0 s.

    Q (n, n): intensity of w. Power series of both for a step in which even the fastest mode moves little;
    doubling it (Van Loan, IEEE Trans. Automat. Contr. 23, 1978) only adds covariances, so that a stiff A
    costs some doublings and no digits.
    """
    doublings = max(0, math.frexp(2.0 * dt * np.linalg.norm(A, 1))[1])
    A = A * (dt / 2.0**doublings)
    F, power = np.eye(len(A)), np.eye(len(A))
    W = term = Q * (dt / 2.0**doublings)
    for k in range(1, _TERMS):
        power = A @ power / k
        F = F + power
        half = A @ term / (k + 1)
        term = half + half.T
        W = W + term
    for _ in range(doublings):
        W = W + F @ W @ F.T
        F = F @ F
    return F, 0.5 * (W + W.T)
