"""Parameters of a robot from observed markers: a particle swarm from afar, then nonlinear least squares.

Poses and motions are fitted together, sdre_tendon_observer section V-B in one step. Each of the two groups
has a noise of its own, that of its residuals (feasible generalised least squares): where the model is wrong,
or the markers are, intervals grow. The residuals of a motion repeat themselves; with a correlation of c from
one sample to the next they count as a share (1 - c) / (1 + c) of as many independent ones. What clocks and
load cells get wrong of a release looks like damping: each has a `Misreading`, fitted too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student_t

from continua.description import Robot
from continua.identification.excitation import Excitation, excitation
from continua.identification.observations import Motion, Poses
from continua.identification.parameters import Parameter, ParameterSet
from continua.identification.prediction import Misreading
from continua.identification.problem import Problem
from continua.optimisation import minimise

__all__ = ['Identified', 'Progress', 'Residuals', 'Swarm', 'identify']

Progress = Callable[[float, str], None]
"""Called with the share that is done and a sentence; what it raises ends the identification."""

_TOLERANCE = 1e-6  # of the bounds
_ROUNDS, _SETTLED = 6, 0.02  # of the noise levels, and their relative change that ends them
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
    seen; noise: standard deviation m of a coordinate; correlation from one sample to the next; misread: of a
    motion."""

    label: str
    predicted: np.ndarray
    measured: np.ndarray
    noise: float
    correlation: float = 0.0
    misread: Misreading = Misreading()

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
    problem = Problem(robot, ParameterSet(robot, parameters), poses, motions, hook)
    start = problem.start
    noise = problem.first_noise(start)
    if swarm is not None:
        start = _search(problem, start, noise, swarm, progress)
    if not np.all(np.isfinite(problem.residual(start))):
        raise ValueError(
            f'{robot.name}: its equilibria or motions cannot be solved with the values of the robot file; '
            'give it others, or search with a swarm'
        )
    for round_ in range(_ROUNDS):
        found = _least_squares(
            problem, start, noise, lambda share=0.7 + 0.3 * round_ / _ROUNDS: progress(share, 'least squares')
        )
        start, before = found.x, noise
        noise = problem.noise(start, before)
        if np.all(np.abs(noise - before) <= _SETTLED * before):
            break
    progress(1.0, 'done')
    return _result(problem, start, noise, bool(found.status > 0), found.nfev)


def _least_squares(problem: Problem, start: np.ndarray, noise: np.ndarray, tell: Callable[[], None]):
    def residual(z: np.ndarray) -> np.ndarray:
        tell()
        return problem.weighted(problem.residual(z), noise)

    def jacobian(z: np.ndarray) -> np.ndarray:
        tell()
        return problem.weighted(problem.jacobian(z), noise)

    # it begins between the bounds, not on one
    start = np.clip(start, 1e-9, 1.0 - 1e-9)
    return least_squares(residual, start, jacobian, bounds=(0.0, 1.0), xtol=_TOLERANCE, max_nfev=40)


def _search(problem: Problem, start: np.ndarray, noise: np.ndarray, swarm: Swarm, progress: Progress):
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


def _result(problem: Problem, shares, noise, converged: bool, evaluations: int) -> Identified:
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
    """What of the first columns the others, of misreadings, cannot do as well."""
    own, others = jacobian[:, :count], jacobian[:, count:]
    return own - others @ np.linalg.lstsq(others, own, rcond=None)[0] if others.shape[1] else own


def _residuals(problem: Problem, shares: np.ndarray, noise: np.ndarray) -> tuple[Residuals, ...]:
    correlation, misread = problem.correlation(problem.residual(shares)), iter(problem.misread(shares))
    out = []
    for group, positions in zip(problem.groups, problem.predicted(shares), strict=True):
        if isinstance(group, Motion):
            of_motion = (group.label, positions, group.marker, float(noise[1]), correlation)
            out.append(Residuals(*of_motion, misread=next(misread)))
        else:
            out.append(Residuals('poses', positions, group.marker, float(noise[0])))
    return tuple(out)


def _at_bounds(problem: Problem, shares: np.ndarray) -> list[str]:
    return [
        f'{each.path} ended at a bound, {each.value(share):.4g}; widen its bounds, or look for what is wrong '
        'in the model'
        for each, share in zip(problem.set.parameters, shares, strict=True)
        if min(share, 1.0 - share) < _AT_BOUND
    ]
