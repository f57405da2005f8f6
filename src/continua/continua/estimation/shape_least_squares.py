"""Shape from a few markers: bounded least squares on positions (soft_synergies section VI-A, eqs 30-34).

The unknowns are coefficients z of the robot's synergies, q = mean + basis z:

    minimise  sum rho(|p_m(q) - p_m| / noise) + |z|^2 / 2   within  z_min <= z <= z_max.

rho is Cauchy's loss, half the square up to about `outlier` and hardly more beyond, so that a marker that is
far off pulls less the farther it is. The second term is the prior of the synergies; it decides what the
visible markers leave open, and makes the inverse of the normal matrix the covariance of z. A third term
remembers the last estimate: z is taken for a random walk, so that a marker that is hidden for a moment costs
little, while the memory weighs next to nothing where the markers are seen. Without a last estimate the fit
goes from coarse to fine: with little weight on the markers first, when no loss is beyond its square.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from continua.estimation.levenberg_marquardt import Solution, solve
from continua.estimation.synergies import Synergies
from continua.rod import Rod
from continua.sensing import MarkerModel

__all__ = ['ShapeEstimate', 'ShapeLeastSquares']

# Of a standard deviation: steps that are shorter end the fit.
_TOLERANCE = 1e-3
# Times the noise, in fits without a guess, one after the other.
_COARSE = (30.0, 5.0)
# Of squared lengths relative to `outlier`: below, the loss is the square.
_SMALL = 1e-8


@dataclass(frozen=True)
class ShapeEstimate:
    """Coordinates q (n,), coefficients z (r,) of the synergies, their covariances, and how the fit went.

    residual: m, root mean square distance of measured and predicted markers; markers: how many were used;
    outliers: which of these are farther off than `outlier`; message: one sentence.
    """

    q: np.ndarray
    covariance: np.ndarray
    z: np.ndarray
    z_covariance: np.ndarray
    residual: float
    markers: int
    outliers: tuple[str, ...]
    converged: bool
    iterations: int
    message: str


class ShapeLeastSquares:
    """Estimator of a rod's shape from the positions of tracked markers, any subset of them visible."""

    def __init__(
        self,
        rod: Rod,
        synergies: Synergies,
        noise: float = 1e-3,
        drift: float = 2.0,
        outlier: float = 10.0,
        markers: MarkerModel | None = None,
    ):
        """noise: m, standard deviation of a marker coordinate. drift: 1/s, growth of the variance of z
        between measurements. outlier: distance in units of noise beyond which a marker counts less; infinite:
        plain least squares. markers: those that are used; by default all with role `tracked`.

        Raises ValueError where a setting is not positive, the synergies are of another rod, or the robot has
        no tracked marker.
        """
        for name, value in {'noise': noise, 'drift': drift, 'outlier': outlier}.items():
            if not (value > 0.0 and (np.isfinite(value) or name == 'outlier')):
                raise ValueError(f'{name}: expected a positive number, got {value}')
        if synergies.mean.shape != (rod.dof,):
            raise ValueError(
                f'synergies: expected those of {rod.dof} coordinates, as {rod.robot.name} has here, got '
                f'{synergies.mean.size}; make them of the same rod'
            )
        self.synergies = synergies
        self._model = _tracked(rod) if markers is None else markers
        self._noise = noise
        self._drift = drift
        self._outlier = outlier

    @property
    def names(self) -> tuple[str, ...]:
        """The markers that are used, in the order that `step` expects."""
        return self._model.names

    def step(
        self, belief: ShapeEstimate | None, position: np.ndarray, valid: np.ndarray, dt: float = math.inf
    ) -> ShapeEstimate:
        """The estimate for one measurement, `dt` seconds after the last belief, from which the fit starts.

        position: (m, 3) m in world; valid: (m,) bool, rows of others are ignored. dt: s > 0; infinite, the
        belief is only where the fit starts. Raises ValueError where an array has another shape, no marker is
        valid or a valid one is not finite.
        """
        measured, valid = self._measured(position, valid)
        z, expected, root = self._expected(belief, dt)
        mean, basis = self.synergies.mean, self.synergies.basis

        def residual(z: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
            predicted, J = self._model.jacobian(mean + basis @ z)
            error = (predicted[valid] - measured) / noise
            error, slope = cauchy(error, J[valid] @ (basis / noise), self._outlier)
            return (
                np.concatenate([error.ravel(), root @ (z - expected)]),
                np.concatenate([slope.reshape(error.size, z.size), root]),
            )

        bounds = self.synergies.low, self.synergies.high
        for coarse in _COARSE if belief is None else ():
            z = solve(partial(residual, noise=coarse * self._noise), z, *bounds, 1.0, _TOLERANCE).x
        found = solve(partial(residual, noise=self._noise), z, *bounds, 1.0, _TOLERANCE)
        return self._estimate(found, measured, valid)

    def _measured(self, position: np.ndarray, valid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (v, 3) of the markers that are valid, and which these are (m,)."""
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
        return measured, valid

    def _expected(self, belief: ShapeEstimate | None, dt: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the fit starts (r,); what prior and memory expect (r,), and a root (r, r) of its weight."""
        r = self.synergies.low.size
        if belief is None or not np.isfinite(dt):
            return np.zeros(r) if belief is None else belief.z, np.zeros(r), np.eye(r)
        spread = belief.z_covariance + self._drift * dt * np.eye(r)
        expected = np.linalg.solve(np.eye(r) + spread, belief.z)
        return belief.z, expected, np.linalg.cholesky(np.eye(r) + np.linalg.inv(spread)).T

    def _estimate(self, solution: Solution, measured: np.ndarray, valid: np.ndarray) -> ShapeEstimate:
        basis = self.synergies.basis
        q = self.synergies.mean + basis @ solution.x
        distance = np.linalg.norm(self._model.predict(q)[valid] - measured, axis=1)
        far = np.flatnonzero(valid)[distance > self._outlier * self._noise]
        outliers = tuple(self.names[k] for k in far)
        z_covariance = np.linalg.inv(solution.jacobian.T @ solution.jacobian)
        off = f'; {", ".join(outliers)} up to {1e3 * distance.max():.3g} mm off' if outliers else ''
        return ShapeEstimate(
            q=q,
            covariance=basis @ z_covariance @ basis.T,
            z=solution.x,
            z_covariance=z_covariance,
            residual=float(np.sqrt(np.mean(distance**2))),
            markers=len(measured),
            outliers=outliers,
            converged=solution.converged,
            iterations=solution.iterations,
            message=solution.message + off,
        )


def _tracked(rod: Rod) -> MarkerModel:
    names = [marker.name for marker in rod.robot.markers if marker.role == 'tracked']
    if not names:
        raise ValueError(f'markers: robot {rod.robot.name} has no marker with role tracked')
    return MarkerModel(rod, names)


def cauchy(error: np.ndarray, slope: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """Errors (m, 3) and slopes (m, 3, r) so that half the squares of the errors sum to Cauchy's loss of their
    lengths d, limit^2 / 2 log(1 + d^2 / limit^2)."""
    ratio = np.maximum(np.einsum('mi,mi->m', error, error) / limit**2, _SMALL)[:, None]
    weight = np.sqrt(np.log1p(ratio) / ratio)
    change = (1.0 / (1.0 + ratio) / weight - weight) / (ratio * limit**2)
    turned = change[:, :, None] * error[:, :, None] * (error[:, None] @ slope)
    return weight * error, weight[:, :, None] * slope + turned
