"""The residuals of an identification, their derivatives and their noise."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from continua.description import Robot
from continua.identification.observations import Motion, Poses
from continua.identification.parameters import ParameterSet
from continua.identification.prediction import LARGEST, Misreading, Predictor, Unsolved

__all__ = ['Problem']

_DIFFERENCE = 1e-5  # of the bounds, step of differences
_FIRST_NOISE = 1e-3  # m, where the robot file's values do not say
_LEAST_NOISE = 1e-6  # m


class Problem:
    """Residuals (r,) m of markers that were seen, NaN where unsolved, by shares (n,): those of the parameters
    between their bounds, then two of each motion, of its `Misreading`."""

    def __init__(
        self,
        robot: Robot,
        parameters: ParameterSet,
        poses: Poses | None,
        motions: Sequence[Motion],
        hook: tuple[str, float] | None,
    ):
        """As `identify`."""
        self.set = parameters
        self.groups = [each for each in (poses, *motions) if each is not None]
        if not self.groups:
            raise ValueError('no data to identify from: expected poses, motions, or both')
        self._predict = Predictor(robot, poses, motions, hook)
        # they are asked for again, beside derivatives
        self._residual = lru_cache(maxsize=32)(self._computed)
        self._seen = [np.isfinite(each.marker) for each in self.groups]
        # poses have one noise and all motions another
        kind = [int(isinstance(each, Motion)) for each in self.groups]
        self._kind = np.repeat(kind, [seen.sum() for seen in self._seen])
        bounds = [parameters.values(np.full(len(parameters.names), end)) for end in (0.0, 1.0)]
        given = parameters.shares(np.clip(parameters.given, *bounds))
        self.start, self.count = np.r_[given, np.full(2 * len(motions), 0.5)], given.size
        if self._kind.size <= self.start.size:
            raise ValueError(
                f'{self._kind.size} marker coordinates were seen, too few to identify {given.size} parameters'
            )

    def values(self, shares: np.ndarray) -> np.ndarray:
        return self.set.values(shares[: self.count])

    def misread(self, shares: np.ndarray) -> list[Misreading]:
        """Of each motion."""
        return [
            Misreading(LARGEST.delay * delay, LARGEST.fall * fall)
            for delay, fall in 2.0 * shares[self.count :].reshape(-1, 2) - 1.0
        ]

    def predicted(self, shares: np.ndarray) -> list[np.ndarray] | None:
        try:
            return self._predict(self.set.robot(self.values(shares)), self.misread(shares))
        except (Unsolved, ValueError):
            return None

    def residual(self, shares: np.ndarray) -> np.ndarray:
        return self._residual(shares.tobytes())

    def _computed(self, shares: bytes) -> np.ndarray:
        predicted = self.predicted(np.frombuffer(shares))
        if predicted is None:
            return np.full(self._kind.size, np.nan)
        rows = zip(predicted, self.groups, self._seen, strict=True)
        return np.concatenate([(each - data.marker)[seen] for each, data, seen in rows])

    def jacobian(self, shares: np.ndarray) -> np.ndarray:
        """(r, p) by differences, away from the nearer bound."""
        here, columns = self.residual(shares), []
        for direction, share in zip(np.eye(shares.size), shares, strict=True):
            step = _DIFFERENCE if share < 0.5 else -_DIFFERENCE
            columns.append((self.residual(shares + step * direction) - here) / step)
        return np.nan_to_num(np.stack(columns, axis=1))

    def weighted(self, rows: np.ndarray, noise: np.ndarray) -> np.ndarray:
        weight = 1.0 / noise[self._kind]
        return rows * (weight if rows.ndim == 1 else weight[:, None])

    def first_noise(self, shares: np.ndarray) -> np.ndarray:
        """(2,) m: errors of the first guess, which balance the groups (adaptive_nempc_ddpinn III-I)."""
        r = self.residual(shares)
        rms = [np.sqrt(np.mean(r[self._kind == kind] ** 2)) if kind in self._kind else 1.0 for kind in (0, 1)]
        return np.nan_to_num(np.maximum(rms, _LEAST_NOISE), nan=_FIRST_NOISE)

    def noise(self, shares: np.ndarray, before: np.ndarray) -> np.ndarray:
        """(2,) m of poses and motions: what their residuals leave beside the fitted parameters, those of
        motions for their repetition."""
        residual = self.residual(shares)
        basis = np.linalg.svd(self.weighted(self.jacobian(shares), before), full_matrices=False)[0]
        fitted, out = np.sum(basis**2, axis=1), before.copy()
        for kind in np.unique(self._kind):
            own = self._kind == kind
            free = max(own.sum() - fitted[own].sum(), 1.0)
            out[kind] = np.sqrt(np.sum(residual[own] ** 2) / free)
        c = self.correlation(residual)
        out[1] *= np.sqrt((1.0 + c) / (1.0 - c))
        return np.maximum(out, _LEAST_NOISE)

    def correlation(self, residual: np.ndarray) -> float:
        """Of the residuals of motions from one sample to the next, 0 to 0.99."""
        products, squares = 0.0, 1e-300
        for group, values in zip(self.groups, self.split(residual), strict=True):
            if isinstance(group, Motion):
                products += np.nansum(values[1:] * values[:-1])
                squares += np.nansum(values[1:] ** 2)
        return float(np.clip(products / squares, 0.0, 0.99))

    def split(self, residual: np.ndarray) -> list[np.ndarray]:
        """Of each group, in the shape of its markers."""
        out, begin = [], 0
        for group, seen in zip(self.groups, self._seen, strict=True):
            values = np.full(group.marker.shape, np.nan)
            values[seen] = residual[begin : begin + seen.sum()]
            begin += seen.sum()
            out.append(values)
        return out
