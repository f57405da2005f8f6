"""State and parameters from any model and any measurement: square-root unscented Kalman filter (UKF).

The state is augmented with parameters that the model keeps (nempc V-A, there the bending compliance). With
mean m, covariance S S^T and size n, the scaled sigma points and what a function g makes of them are

    chi_0 = m,  chi_j = m +- gamma S_j,   gamma^2 = alpha^2 (n + kappa),   d_j = g(chi_j) - g(chi_0)
    c = sum W d_j,   W = 1 / (2 gamma^2),   mean = g(chi_0) + c
    covariance = sum W d_j d_j^T + (beta - alpha^2) c c^T + noise

which is the usual weighted sum with the central weights 1 - n / gamma^2 (mean) and 2 - n / gamma^2 - alpha^2
+ beta (covariance) multiplied out: these are large and negative for a small alpha, and here they never
appear. All terms are positive for beta >= alpha^2, so S is the triangle of one QR factorisation, and so is
the correction, of the stacked square roots of R, of the predicted reading and of the state: neither a
downdate nor an inverse, and nothing that could make the covariance indefinite.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

__all__ = ['Ukf', 'UkfBelief', 'UkfInfo']

# Beyond this multiple of the first standard deviations a covariance tells nothing any more.
_LARGEST = 1e4

Transition = Callable[[np.ndarray, np.ndarray, np.ndarray, float], np.ndarray]
Measurement = Callable[[np.ndarray, np.ndarray], np.ndarray]
Difference = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class UkfBelief:
    """State x (n,), parameters (p,), the lower triangle `root` (n + p, n + p) of the covariance of both, and
    how many readings have been rejected one after the other."""

    x: np.ndarray
    parameters: np.ndarray
    root: np.ndarray
    rejected: int = 0

    @property
    def covariance(self) -> np.ndarray:
        """(n + p, n + p), of the state and the parameters."""
        return self.root @ self.root.T


@dataclass(frozen=True)
class UkfInfo:
    """What a step did.

    status: 'corrected', 'predicted' (no reading), 'rejected' (one that cannot be), 'restarted' (the filter
    had diverged: the belief is the prior again), or 'failed' (the model has no value: the state stays).
    innovation (d,): reading minus prediction, NaN where there is none. distance: of the innovation in its
    standard deviations, root mean square. lost: sigma points without a value. message: one sentence.
    """

    status: str
    innovation: np.ndarray
    distance: float
    lost: int
    message: str


class Ukf:
    """Filter of one model and one sensor; it keeps nothing between steps.

    begin() gives the first belief, the prior, to which a filter that has diverged returns.
    """

    def __init__(
        self,
        transition: Transition,
        measurement: Measurement,
        prior: UkfBelief,
        process_noise: np.ndarray,
        measurement_noise: np.ndarray,
        alpha: float = 0.1,
        beta: float = 2.0,
        kappa: float = 0.0,
        gate: float = 5.0,
        patience: int = 20,
        low: np.ndarray | None = None,
        high: np.ndarray | None = None,
        difference: Difference = np.subtract,
    ) -> None:
        """transition(x (k, n), u (k, m), parameters (k, p), dt) -> (k, n), and measurement(x, parameters) ->
        (k, y): any model, on all sigma points at once; NaN where it has no value.

        process_noise: variance per second of state and parameters, (n + p,) or matrix. measurement_noise:
        variance of a reading, (d,) or matrix. gate: readings farther off than so many standard deviations
        are rejected, and after `patience` of them in a row the filter has diverged. low, high (n + p,): what
        state and parameters cannot leave. difference(a (k, y), b (y,)) -> (k, d), for readings that are
        no vectors: `pose_difference`. Raises ValueError where these do not fit.
        """
        size = prior.x.size + prior.parameters.size
        if not (alpha > 0.0 and kappa > -size and beta >= alpha**2 and gate > 0.0 and patience > 0):
            raise ValueError(
                f'UKF: expected alpha > 0, kappa > -{size}, beta >= alpha^2, gate > 0 and patience > 0, '
                f'got {alpha}, {kappa}, {beta}, {gate} and {patience}'
            )
        if prior.root.shape != (size, size) or np.any(np.triu(prior.root, 1)) or not _is_definite(prior.root):
            raise ValueError(
                f'UKF prior: expected a lower triangle ({size}, {size}) with a positive diagonal'
            )
        self._transition, self._measurement, self._difference = transition, measurement, difference
        self._prior = prior
        self._noise = _root(process_noise, size, 'process_noise', positive=False)
        d = np.shape(measurement_noise)[0] if np.ndim(measurement_noise) else 1
        self._R = _root(measurement_noise, d, 'measurement_noise', positive=True)
        self._gamma = alpha * np.sqrt(size + kappa)
        self._centre = np.sqrt(beta - alpha**2)
        self._gate, self._patience = gate, patience
        self._low = np.full(size, -np.inf) if low is None else np.asarray(low, dtype=float)
        self._high = np.full(size, np.inf) if high is None else np.asarray(high, dtype=float)
        self._largest = _LARGEST * np.linalg.norm(prior.root, axis=1)

    def begin(self) -> UkfBelief:
        """The prior."""
        return self._prior

    def step(
        self, belief: UkfBelief, measurement: np.ndarray | None, u: np.ndarray, dt: float
    ) -> tuple[UkfBelief, UkfInfo]:
        """The belief dt (s) later, the time of the measurement, under the inputs u (m,).

        measurement (y,), NaN where something is missing, or None. Raises ValueError for another shape, and
        for inputs or dt that are no numbers.
        """
        u = np.atleast_1d(np.asarray(u, dtype=float))
        if not (np.isfinite(dt) and dt > 0.0 and np.all(np.isfinite(u))):
            raise ValueError(f'expected a time step dt > 0 s and finite inputs u, got {dt} and {u}')
        predicted, lost, moved = self._predict(belief, u, dt)
        if predicted is None:
            return self._restart(np.full(len(self._R), np.nan), lost, 'the covariance has no bound')
        return self._correct(predicted, measurement, lost, moved)

    def _predict(self, belief: UkfBelief, u: np.ndarray, dt: float) -> tuple[UkfBelief | None, int, bool]:
        """What is known without the reading, None where that is nothing; lost points; did the model move."""
        n = belief.x.size
        points = self._points(belief)
        inputs = np.broadcast_to(u, (len(points), u.size))
        with np.errstate(all='ignore'):
            x = np.asarray(self._transition(points[:, :n], inputs, points[:, n:], dt), dtype=float)
        if x.shape != (len(points), n):
            raise ValueError(f'transition: expected states {(len(points), n)}, got shape {x.shape}')
        valid = np.isfinite(x).all(axis=1)
        moved = bool(valid[0])
        # A point without a value goes where the centre goes, and without a centre nothing moves.
        x = np.where(valid[:, None] & moved, x, points[:, :n] + (x[0] - points[0, :n] if moved else 0.0))
        deviation = np.hstack([x, points[:, n:]])
        mean, rows = self._moments(deviation[0], deviation[1:] - deviation[0])
        root = _triangle(np.vstack([rows, np.sqrt(dt) * self._noise.T]))
        bounded = _is_definite(root) and np.all(np.linalg.norm(root, axis=1) <= self._largest)
        if not (bounded and np.all(np.isfinite(mean))):
            return None, int(np.sum(~valid)), moved
        return self._belief(mean, root, n, belief.rejected), int(np.sum(~valid)), moved

    def _correct(
        self, belief: UkfBelief, measurement: np.ndarray | None, lost: int, moved: bool
    ) -> tuple[UkfBelief, UkfInfo]:
        n, points = belief.x.size, self._points(belief)
        with np.errstate(all='ignore'):
            y = np.asarray(self._measurement(points[:, :n], points[:, n:]), dtype=float)
        reading = np.full(y.shape[1], np.nan) if measurement is None else np.asarray(measurement, dtype=float)
        if reading.shape != (y.shape[1],):
            raise ValueError(f'measurement: expected {y.shape[1]} values, got shape {reading.shape}')
        if not np.all(np.isfinite(y[0])):
            return self._end(belief, np.full(len(self._R), np.nan), np.nan, lost, False)
        valid = np.isfinite(y).all(axis=1)
        lost += int(np.sum(~valid))
        deviation = self._difference(np.where(valid[:, None], y, y[0]), y[0])
        expected, rows = self._moments(np.zeros(deviation.shape[1]), deviation[1:])
        innovation = self._difference(reading[None], y[0])[0] - expected
        used = ~np.isnan(innovation)
        if not used.any():
            return self._end(belief, innovation, np.nan, lost, moved)
        d = int(used.sum())
        R = self._R if used.all() else _triangle(self._R[used].T)
        state = self._moments(np.zeros(points.shape[1]), points[1:] - points[0])[1]
        joint = _triangle(np.block([[R.T, np.zeros((d, points.shape[1]))], [rows[:, used], state]]))
        if not _is_definite(joint):
            return self._restart(innovation, lost, 'the covariance is not positive definite')
        white = solve_triangular(joint[:d, :d], innovation[used], lower=True, check_finite=False)
        distance = float(np.hypot.reduce(white) / np.sqrt(d))
        if not distance <= self._gate:
            return self._end(belief, innovation, distance, lost, moved)
        mean = np.concatenate([belief.x, belief.parameters]) + joint[d:, :d] @ white
        corrected = self._belief(mean, joint[d:, d:], n, 0)
        return self._end(corrected, innovation, distance, lost, moved)

    def _end(
        self, belief: UkfBelief, innovation: np.ndarray, distance: float, lost: int, moved: bool
    ) -> tuple[UkfBelief, UkfInfo]:
        """The belief and what to say of it."""
        if distance > self._gate:
            belief = UkfBelief(belief.x, belief.parameters, belief.root, belief.rejected + 1)
            if belief.rejected >= self._patience:
                why = f'{belief.rejected} readings in a row were rejected'
                return self._restart(innovation, lost, why)
            status, message = 'rejected', f'the reading is {distance:.1f} standard deviations off'
        elif np.isnan(distance):
            status, message = 'predicted', 'no reading: the covariance grows as the model says'
        else:
            status, message = 'corrected', f'the reading was {distance:.1f} standard deviations off'
        if not moved:
            status, message = 'failed', f'the model has no value here and the state stays; {message}'
        elif lost:
            message = f'{message}; the model has no value at {lost} sigma points'
        return belief, UkfInfo(status, innovation, distance, lost, message)

    def _restart(self, innovation: np.ndarray, lost: int, why: str) -> tuple[UkfBelief, UkfInfo]:
        message = f'the filter has diverged, {why}: it starts again'
        return self._prior, UkfInfo('restarted', innovation, np.nan, lost, message)

    def _points(self, belief: UkfBelief) -> np.ndarray:
        """Sigma points (2 (n + p) + 1, n + p), the centre first."""
        mean = np.concatenate([belief.x, belief.parameters])
        spread = self._gamma * belief.root.T
        points = np.vstack([mean, mean + spread, mean - spread])
        return np.clip(points, self._low, self._high)

    def _moments(self, centre: np.ndarray, deviation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n,), and rows (k + 1, n) whose squares add up to the covariance, of deviations (k, n)."""
        rows = deviation / (np.sqrt(2.0) * self._gamma)
        c = rows.sum(axis=0) / (np.sqrt(2.0) * self._gamma)
        return centre + c, np.vstack([rows, self._centre * c])

    def _belief(self, mean: np.ndarray, root: np.ndarray, n: int, rejected: int) -> UkfBelief:
        mean = np.clip(mean, self._low, self._high)
        return UkfBelief(mean[:n], mean[n:], root, rejected)


def _triangle(rows: np.ndarray) -> np.ndarray:
    """Lower triangle L with a diagonal >= 0 and L L^T = rows^T rows."""
    if not np.all(np.isfinite(rows)):
        return np.full((rows.shape[1],) * 2, np.nan)
    R = np.linalg.qr(rows, mode='r')
    return (R * np.where(np.diag(R) < 0.0, -1.0, 1.0)[:, None]).T


def _is_definite(L: np.ndarray) -> bool:
    """Is the triangle L the root of a positive definite covariance."""
    return bool(np.all(np.isfinite(L)) and np.all(np.diag(L) > 0.0))


def _root(variance: np.ndarray, size: int, name: str, positive: bool) -> np.ndarray:
    """Lower square root of a variance (size,) or (size, size)."""
    matrix = np.asarray(variance, dtype=float)
    matrix = np.diag(np.atleast_1d(matrix)) if matrix.ndim < 2 else matrix
    if matrix.shape == (size, size) and np.allclose(matrix, matrix.T):
        eigenvalues, axes = np.linalg.eigh(matrix)
        if eigenvalues[0] > 0.0 or (not positive and eigenvalues[0] >= 0.0):
            return _triangle((axes * np.sqrt(eigenvalues)).T)
    raise ValueError(
        f'{name}: expected {size} variances or a matrix ({size}, {size}) that is positive '
        f'{"definite" if positive else "semidefinite"}, got {variance}'
    )
