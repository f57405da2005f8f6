"""Whether a state can be told from its measurements: the test of Popov, Belevitch and Hautus."""

from dataclasses import dataclass

import numpy as np

__all__ = ['Observability', 'observability']

# Singular values below this share of the largest one count as zero: what rounding leaves of A and C.
_ZERO = 1e-10


@dataclass(frozen=True)
class Observability:
    """observable: whether eq 21 holds. eigenvalue (n,) 1/s: modes of A; margin (n,): smallest singular value
    of the matrix of eq 21 at each, relative to the largest; message: one sentence."""

    observable: bool
    eigenvalue: np.ndarray
    margin: np.ndarray
    message: str


def observability(A: np.ndarray, C: np.ndarray, alpha: float) -> Observability:
    """The pair (C (m, n), A (n, n)) tested (sdre eq 21), in units in which sizes compare.

    alpha, 1/s, shifts all eigenvalues and leaves the rank as it is; but the error of a mode that is not seen
    cannot be made to decay that fast.
    """
    eigenvalue = np.linalg.eigvals(A)
    # readings that do not change are rounding
    C = np.where(np.abs(C) > _ZERO, C, 0.0)
    rows = C * (np.linalg.norm(A, 2) / max(np.abs(C).max(initial=0.0), 1e-300))
    margin = np.empty(len(A))
    for k, each in enumerate(eigenvalue):
        values = np.linalg.svd(np.vstack([each * np.eye(len(A)) - A, rows]), compute_uv=False)
        margin[k] = values[-1] / values[0]
    lost = margin < _ZERO
    if not lost.any():
        return Observability(True, eigenvalue, margin, 'observable: the tendons see every mode')
    slowest = eigenvalue[lost][np.argmax(eigenvalue[lost].real)]
    decay = -slowest.real
    fate = f'whose error decays by itself at {decay:.3g} 1/s' if decay > 0.0 else 'whose error stays'
    wanted = '' if decay > alpha else f', slower than the {alpha:g} 1/s wanted (alpha)'
    kind = f'of {abs(slowest.imag) / (2.0 * np.pi):.3g} Hz' if slowest.imag else 'without oscillation'
    message = (
        f'not observable: the tendons do not see {_count(eigenvalue[lost])}; the slowest is one {kind}, '
        f'{fate}{wanted}; measure more tendons or use fewer strains'
    )
    return Observability(False, eigenvalue, margin, message)


def _count(eigenvalue: np.ndarray) -> str:
    """Modes in words; a conjugate pair is one."""
    count = int(np.sum(eigenvalue.imag >= 0.0))
    return '1 mode' if count == 1 else f'{count} modes'
