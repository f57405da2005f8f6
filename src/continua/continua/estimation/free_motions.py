"""The motions of a robot that its loops and position drives leave, in units of deformation."""

import numpy as np

from continua.rod import Rod

__all__ = ['FreeMotions']

# Constraints whose share in what the others leave is smaller say nothing new.
_REPEATED = 1e-9
_CLOSED, _ITERATIONS = 1e-9, 5


class FreeMotions:
    """States x = [q, qd] near one that fulfils the constraints A(q) qd = 0: x + outward w, with w (2f,) in
    units of deformation and of deformation within a radian of the rod's slowest vibration. count: f."""

    def __init__(self, rod: Rod):
        self._rod = rod
        self.time = rod.period / (2.0 * np.pi)
        self._frame = self._of(np.diag(rod.scale), np.diag(1.0 / rod.scale))
        self._loops = rod.n_constraints - len(rod.target_names)
        self._rank = np.linalg.matrix_rank(self._constraints(np.zeros(rod.dof)), _REPEATED)
        self.count = rod.dof - int(self._rank)

    def frame(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """outward (2n, 2f), and inward (2f, 2n) with inward outward = I, at q (n,)."""
        if not self._rod.n_constraints:
            return self._frame
        free = np.linalg.svd(self._constraints(q))[2][self._rank :]
        return self._of(self._rod.scale[:, None] * free.T, free / self._rod.scale)

    def closed(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The state q, qd (n,) with its loops closed; coordinates of position drives stay as they are."""
        if not self._loops:
            return q, qd
        scale = self._rod.scale
        for _ in range(_ITERATIONS):
            error = self._of_loops(self._rod.constraint_error(q))
            if np.abs(error).max() < _CLOSED:
                break
            q = q - scale * np.linalg.lstsq(self._constraints(q), error, rcond=_REPEATED)[0]
        A = self._constraints(q)
        return q, qd - scale * np.linalg.lstsq(A, self._of_loops(A @ (qd / scale)), rcond=_REPEATED)[0]

    def _of_loops(self, rows: np.ndarray) -> np.ndarray:
        """Rows (k,) of the constraints, those of drives put to zero."""
        return np.where(np.arange(rows.size) < self._loops, rows, 0.0)

    def _constraints(self, q: np.ndarray) -> np.ndarray:
        """A (k, n) for coordinates in units of deformation."""
        return self._rod.constraint_matrix(q) * self._rod.scale

    def _of(self, outward: np.ndarray, inward: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        zero = np.zeros_like(outward)
        return (
            np.block([[outward, zero], [zero, outward / self.time]]),
            np.block([[inward, zero.T], [zero.T, inward * self.time]]),
        )
