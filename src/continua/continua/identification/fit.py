"""Parameters of a robot from observed markers: a particle swarm from afar, then nonlinear least squares.

Poses and motions are fitted together, sdre_tendon_observer section V-B in one step. Each of the two groups
has a noise of its own, that of its residuals (feasible generalised least squares): where the model is wrong,
or the markers are, intervals grow. The residuals of a motion repeat themselves; with a correlation of c from
one sample to the next they count as a share (1 - c) / (1 + c) of as many independent ones. Clocks of markers
and load cells differ by milliseconds, which looks like damping: each motion has a delay, fitted too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student_t

from continua.description import Robot
from continua.identification.excitation import Excitation, excitation
from continua.identification.observations import Motion, Poses
from continua.identification.parameters import Parameter, ParameterSet
from continua.identification.prediction import LONGEST_DELAY, Predictor, Unsolved
from continua.optimisation import minimise

__all__ = ['Identified', 'Progress', 'Residuals', 'Swarm', 'identify']

Progress = Callable[[float, str], None]
"""Called with the share that is done and a sentence; what it raises ends the identification."""

_DIFFERENCE = 1e-5  # of the bounds, step of differences
_TOLERANCE = 1e-6  # of the bounds
_ROUNDS, _SETTLED = 6, 0.02  # of the noise levels, and their relative change that ends them
_FIRST_NOISE = 1e-3  # m, where the robot file's values do not say
_LEAST_NOISE = 1e-6  # m
_AT_BOUND = 1e-3  # of the bounds


@dataclass(frozen=True)
class Swarm:
    """A global start: how many particles move how many times, and the seed of their moves."""

    particles: int = 12
    iterations: int = 10
    seed: int = 0


@dataclass(frozen=True)
class Residuals:
    """A group of measurements at the solution: predicted and measured positions (k, M, 3) m, NaN where not
    seen; noise: standard deviation m of a coordinate; correlation from one sample to the next; delay (s) of
    its markers."""

    label: str
    predicted: np.ndarray
    measured: np.ndarray
    noise: float
    correlation: float = 0.0
    delay: float = 0.0

    @property
    def distance(self) -> np.ndarray:
        """(k, M) m from predicted to measured, NaN where not seen."""
        return np.linalg.norm(self.predicted - self.measured, axis=2)

    @property
    def rms(self) -> float:
        """Root mean square of the distances, m."""
        return float(np.sqrt(np.nanmean(self.distance**2)))


@dataclass(frozen=True)
class Identified:
    """Parameters, in their order: value (p,) and deviation (p,), the standard deviation, in units of the
    robot file; interval (p, 2): of 95 %, within the bounds. message: one sentence on how it went; sentences:
    what the data do not tell."""

    parameters: tuple[Parameter, ...]
    robot: Robot
    given: np.ndarray
    value: np.ndarray
    deviation: np.ndarray
    interval: np.ndarray
    excitation: Excitation
    residuals: tuple[Residuals, ...]
    converged: bool
    message: str
    sentences: tuple[str, ...]


def identify(
    robot: Robot,
    parameters: Sequence[Parameter],
    poses: Poses | None = None,
    motions: Sequence[Motion] = (),
    hook: tuple[str, float] | None = None,
    swarm: Swarm | None = None,
    progress: Progress = lambda share, sentence: None,
) -> Identified:
    """Fit parameters to poses and motions.

    hook: link and arc length (m) where the weights of poses hang; None: the tip of the last link. swarm None:
    from the values of the robot file. Raises ValueError where the data do not fit the robot or are too few.
    """
    problem = _Problem(robot, ParameterSet(robot, parameters), poses, motions, hook)
    start = problem.start
    noise = problem.first_noise(start)
    if swarm is not None:
        start = _search(problem, start, noise, swarm, progress)
    for round_ in range(_ROUNDS):
        progress(0.7 + 0.3 * round_ / _ROUNDS, 'least squares')
        found = least_squares(
            lambda z, noise=noise: problem.weighted(problem.residual(z), noise),
            np.clip(start, 1e-9, 1.0 - 1e-9),
            lambda z, noise=noise: problem.weighted(problem.jacobian(z), noise),
            bounds=(0.0, 1.0),
            xtol=_TOLERANCE,
            max_nfev=40,
        )
        start, before = found.x, noise
        noise = problem.noise(start, before)
        if np.all(np.abs(noise - before) <= _SETTLED * before):
            break
    progress(1.0, 'done')
    return _result(problem, start, noise, bool(found.status > 0), found.nfev)


class _Problem:
    """Residuals (r,) m of markers that were seen, NaN where unsolved, by shares (n,): those of the parameters
    between their bounds, then those of the motions' delays."""

    def __init__(self, robot: Robot, parameters: ParameterSet, poses, motions, hook):
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
        given = np.clip(parameters.shares(parameters.given), 0.0, 1.0)
        self.start, self.count = np.r_[given, np.full(len(motions), 0.5)], given.size
        if self._kind.size <= self.start.size:
            raise ValueError(
                f'{self._kind.size} marker coordinates were seen, too few to identify {given.size} parameters'
            )

    def values(self, shares: np.ndarray) -> np.ndarray:
        return self.set.values(shares[: self.count])

    def delays(self, shares: np.ndarray) -> np.ndarray:
        """Of the motions, s."""
        return LONGEST_DELAY * (2.0 * shares[self.count :] - 1.0)

    def predicted(self, shares: np.ndarray) -> list[np.ndarray] | None:
        try:
            return self._predict(self.set.robot(self.values(shares)), self.delays(shares))
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


def _search(problem: _Problem, start: np.ndarray, noise: np.ndarray, swarm: Swarm, progress: Progress):
    def cost(batch: np.ndarray) -> np.ndarray:
        return np.array([np.sum(problem.weighted(problem.residual(z), noise) ** 2) for z in batch])

    return minimise(
        cost,
        np.zeros(start.size),
        np.ones(start.size),
        np.random.default_rng(swarm.seed),
        start=start,
        particles=swarm.particles,
        iterations=swarm.iterations,
        tolerance=0.05,
        progress=lambda done, total: progress(0.7 * done / total, f'particle swarm, {done} of {total}'),
    ).x


def _result(problem: _Problem, shares, noise, converged: bool, evaluations: int) -> Identified:
    own, value = shares[: problem.count], problem.values(shares)
    found = excitation(_alone(problem.weighted(problem.jacobian(shares), noise), own.size), problem.set.names)
    deviation = np.sqrt(np.diag(found.covariance))
    half = student_t.ppf(0.975, problem.residual(shares).size - shares.size) * deviation
    ends = [problem.set.values(np.clip(end, 0.0, 1.0)) for end in (own - half, own + half)]
    slope = [each.slope(x) for each, x in zip(problem.set.parameters, value, strict=True)]
    outcome = 'converged' if converged else 'no convergence'
    return Identified(
        problem.set.parameters,
        problem.set.robot(value),
        problem.set.given,
        value,
        slope * deviation,
        np.stack(ends, axis=1),
        found,
        _residuals(problem, shares, noise),
        converged,
        f'{outcome} after {evaluations} evaluations of the last round',
        (*_at_bounds(problem, own), *found.sentences),
    )


def _alone(jacobian: np.ndarray, count: int) -> np.ndarray:
    """What of the first columns the others, of the delays, cannot do as well."""
    own, delays = jacobian[:, :count], jacobian[:, count:]
    return own - delays @ np.linalg.lstsq(delays, own, rcond=None)[0] if delays.shape[1] else own


def _residuals(problem: _Problem, shares: np.ndarray, noise: np.ndarray) -> tuple[Residuals, ...]:
    correlation, delays = problem.correlation(problem.residual(shares)), iter(problem.delays(shares))
    out = []
    for group, positions in zip(problem.groups, problem.predicted(shares), strict=True):
        if isinstance(group, Motion):
            of_motion = (group.label, positions, group.marker, float(noise[1]), correlation)
            out.append(Residuals(*of_motion, delay=float(next(delays))))
        else:
            out.append(Residuals('poses', positions, group.marker, float(noise[0])))
    return tuple(out)


def _at_bounds(problem: _Problem, shares: np.ndarray) -> list[str]:
    return [
        f'{each.path} ended at a bound, {each.value(share):.4g}; widen its bounds, or look for what is wrong '
        'in the model'
        for each, share in zip(problem.set.parameters, shares, strict=True)
        if min(share, 1.0 - share) < _AT_BOUND
    ]
