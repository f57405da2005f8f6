"""Shape from a few markers: bounded least squares on positions (soft_synergies section VI-A, eqs 30-34).

The unknowns are a few synergies of the robot: proper orthogonal modes of its static shapes under random
tensions. With coefficients z in units of their standard deviation over those shapes, q = mean + basis z and

    minimise  sum |p_m(q) - p_m|^2 / noise^2 + |z|^2   within  z_min <= z <= z_max.

The second term is the Gaussian prior that the sampled shapes suggest; it decides what the visible markers
leave open, and makes the inverse of the normal matrix the covariance of z. The bounds come from the samples.
A third term remembers the last estimate: z is taken for a random walk, so that a marker that is hidden for a
moment costs little, while the memory weighs next to nothing where the markers are seen.
"""

import math
from dataclasses import dataclass

import numpy as np

from continua.estimation.levenberg_marquardt import solve
from continua.reduction import decompose, equilibria, random_inputs
from continua.rod import Rod
from continua.sensing import MarkerModel

__all__ = ['ShapeEstimate', 'ShapeLeastSquares']


@dataclass(frozen=True)
class ShapeEstimate:
    """Coordinates q (n,), coefficients z (r,) of the modes, their covariances, and how the fit went.

    residual: m, root mean square distance of measured and predicted markers; markers: how many were used.
    """

    q: np.ndarray
    covariance: np.ndarray
    z: np.ndarray
    z_covariance: np.ndarray
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
        drift: float = 2.0,
        seed: int = 0,
    ):
        """Markers with role `tracked` are used; those held out never enter.

        noise: m, standard deviation of a marker coordinate. modes: unknowns of the fit. samples: static
        shapes that give the modes, with `seed`. disturbance: J, elastic energy that unknown loads may put
        into each mode beside the tendons. drift: 1/s, growth of the variance of z between measurements.
        Raises ValueError where a setting is not positive, the robot has no tracked marker, or none of the
        random tensions has a static equilibrium.
        """
        settings = {
            'noise': noise,
            'modes': modes,
            'samples': samples,
            'disturbance': disturbance,
            'drift': drift,
        }
        for name, value in settings.items():
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f'{name}: expected a positive number, got {value}')
        tracked = [marker.name for marker in rod.robot.markers if marker.role == 'tracked']
        if not tracked:
            raise ValueError(f'markers: robot {rod.robot.name} has no marker with role tracked')
        self._model = MarkerModel(rod, tracked)
        self._noise = noise
        self._drift = drift
        shapes = _static_shapes(rod, samples, seed)
        self._mean = shapes.mean(axis=0)
        found = decompose(rod, shapes - self._mean, 'energy', min(modes, rod.dof))
        deviation = np.sqrt(found.singular_values**2 / len(shapes) + disturbance)
        self._basis = found.modes * deviation
        self._low = 1.5 * found.bounds[:, 0] / deviation - 3.0
        self._high = 1.5 * found.bounds[:, 1] / deviation + 3.0

    @property
    def names(self) -> tuple[str, ...]:
        """The tracked markers, in the order that `step` expects."""
        return self._model.names

    def step(
        self, belief: ShapeEstimate | None, position: np.ndarray, valid: np.ndarray, dt: float = math.inf
    ) -> ShapeEstimate:
        """The estimate for one measurement, `dt` seconds after the last belief, from which the fit starts.

        position: (m, 3) m in world; valid: (m,) bool, rows of others are ignored. dt: s > 0; infinite, the
        belief is only where the fit starts. Raises ValueError where an array has
        another shape, no marker is valid or a valid one is not finite.
        """
        position, valid = np.asarray(position, dtype=float), np.asarray(valid, dtype=bool)
        m = len(self.names)
        if position.shape != (m, 3) or valid.shape != (m,):
            raise ValueError(
                f'markers: expected positions ({m}, 3) and valid ({m},), a row for each of `names`, '
                f'got {position.shape} and {valid.shape}'
            )
        if not valid.any():
            raise ValueError('no tracked marker is visible')
        measured = position[valid]
        if not np.all(np.isfinite(measured)):
            raise ValueError('a marker position is not finite')

        last, memory = self._memory(belief, dt)

        def residual(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            predicted, J = self._model.jacobian(self._mean + self._basis @ z)
            error = (predicted[valid] - measured).ravel() / self._noise
            slope = (J[valid] @ self._basis).reshape(error.size, -1) / self._noise
            return (
                np.concatenate([error, z, memory @ (z - last)]),
                np.concatenate([slope, np.eye(z.size), memory]),
            )

        solution = solve(residual, last, self._low, self._high, np.ones_like(last), tolerance=1e-4)
        q = self._mean + self._basis @ solution.x
        distance = np.linalg.norm(self._model.predict(q)[valid] - measured, axis=1)
        z_covariance = np.linalg.inv(solution.jacobian.T @ solution.jacobian)
        return ShapeEstimate(
            q=q,
            covariance=self._basis @ z_covariance @ self._basis.T,
            z=solution.x,
            z_covariance=z_covariance,
            residual=float(np.sqrt(np.mean(distance**2))),
            markers=int(valid.sum()),
            converged=solution.converged,
            iterations=solution.iterations,
            message=solution.message,
        )

    def _memory(self, belief: ShapeEstimate | None, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Last coefficients (r,), and the square root (r, r) of the information that they are still worth."""
        r = self._low.size
        if belief is None:
            return np.zeros(r), np.zeros((r, r))
        if not np.isfinite(dt):
            return belief.z, np.zeros((r, r))
        spread = belief.z_covariance + self._drift * dt * np.eye(r)
        return belief.z, np.linalg.inv(np.linalg.cholesky(spread))


def _static_shapes(rod: Rod, count: int, seed: int) -> np.ndarray:
    """Equilibria (s, n) with s <= count, in which each tendon pulls with probability one half."""
    low, high = np.zeros((2, len(rod.input_names)))
    limits = [tendon.limits.tension for tendon in rod.robot.tendons]
    low[: rod.n_tendons], high[: rod.n_tendons] = np.reshape(limits, (-1, 2)).T
    q, solved = equilibria(rod, random_inputs(low, high, count, np.random.default_rng(seed), 0.5))
    if not solved.any():
        raise ValueError(
            f'robot {rod.robot.name}: none of {count} random tensions has a static equilibrium; '
            'check tension limits, material and gravity in the robot file'
        )
    return q[solved]
