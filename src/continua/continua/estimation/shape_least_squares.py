"""Shape from a few markers: bounded least squares on their positions (soft_synergies section VI-A, eqs 30-34).

The unknowns are a few synergies of the robot: proper orthogonal modes of its static shapes under random
tensions. With coefficients z in units of their standard deviation over those shapes, q = mean + basis z and

    minimise  sum |p_m(q) - p_m|^2 / noise^2 + |z|^2   within  z_min <= z <= z_max.

The second term is the Gaussian prior that the sampled shapes suggest; it decides what the visible markers
leave open, and makes the inverse of the normal matrix the covariance of z. The bounds come from the samples.
"""

from dataclasses import dataclass

import numpy as np

from continua.estimation.levenberg_marquardt import solve
from continua.reduction import energy_modes, static_snapshots
from continua.rod import Rod
from continua.sensing import MarkerModel

__all__ = ['ShapeEstimate', 'ShapeLeastSquares']


@dataclass(frozen=True)
class ShapeEstimate:
    """Coordinates q (n,) with covariance (n, n), coefficients z (r,) of the modes, and how the fit went.

    residual: m, root mean square distance between measured and predicted markers; markers: how many were used.
    """

    q: np.ndarray
    z: np.ndarray
    covariance: np.ndarray
    residual: float
    markers: int
    converged: bool
    iterations: int
    message: str


class ShapeLeastSquares:
    """Estimator of a rod's shape from the positions of tracked markers, any subset of them visible."""

    def __init__(
        self,
        rod: Rod,
        noise: float = 1e-3,
        modes: int = 6,
        samples: int = 300,
        disturbance: float = 1e-4,
        seed: int = 0,
    ):
        """Markers with role `tracked` are used; those held out never enter.

        noise: m, standard deviation of a marker coordinate. modes: unknowns of the fit. samples: static
        shapes that give the modes, with `seed`. disturbance: J, elastic energy that unknown loads may put
        into each mode beside the tendons. Raises ValueError where a setting is not positive or the robot has
        no tracked marker.
        """
        settings = {'noise': noise, 'modes': modes, 'samples': samples, 'disturbance': disturbance}
        for name, value in settings.items():
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f'{name}: expected a positive number, got {value}')
        tracked = [marker.name for marker in rod.robot.markers if marker.role == 'tracked']
        if not tracked:
            raise ValueError(f'markers: robot {rod.robot.name} has no marker with role tracked')
        self._model = MarkerModel(rod, tracked)
        self._noise = noise
        found = energy_modes(static_snapshots(rod, samples, seed), rod.stiffness, modes)
        deviation = np.sqrt(found.amplitude**2 + disturbance)
        self._mean = found.mean
        self._basis = found.basis * deviation
        self._low = 1.5 * found.low / deviation - 3.0
        self._high = 1.5 * found.high / deviation + 3.0

    @property
    def names(self) -> tuple[str, ...]:
        """The tracked markers, in the order that `step` expects."""
        return self._model.names

    def step(self, belief: ShapeEstimate | None, position: np.ndarray, valid: np.ndarray) -> ShapeEstimate:
        """The estimate for one measurement, warm-started from the last belief.

        position: (m, 3) m in world; valid: (m,) bool, rows of others are ignored. Raises ValueError where no
        marker is valid or a valid one is not finite.
        """
        valid = np.asarray(valid, dtype=bool)
        if not valid.any():
            raise ValueError('no tracked marker is visible')
        measured = np.asarray(position, dtype=float)[valid]
        if not np.all(np.isfinite(measured)):
            raise ValueError('a marker position is not finite')

        def residual(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            predicted, J = self._model.jacobian(self._mean + self._basis @ z)
            error = (predicted[valid] - measured).ravel() / self._noise
            slope = (J[valid] @ self._basis).reshape(error.size, -1) / self._noise
            return np.concatenate([error, z]), np.concatenate([slope, np.eye(z.size)])

        start = np.zeros_like(self._low) if belief is None else belief.z
        solution = solve(residual, start, self._low, self._high, np.ones_like(start), tolerance=1e-4)
        q = self._mean + self._basis @ solution.x
        distance = np.linalg.norm(self._model.predict(q)[valid] - measured, axis=1)
        half = np.linalg.solve(np.linalg.cholesky(solution.jacobian.T @ solution.jacobian), self._basis.T)
        return ShapeEstimate(
            q=q,
            z=solution.x,
            covariance=half.T @ half,
            residual=float(np.sqrt(np.mean(distance**2))),
            markers=int(valid.sum()),
            converged=solution.converged,
            iterations=solution.iterations,
            message=solution.message,
        )
