"""Noises and scaling of an unscented filter from a recording without ground truth (nempc V-A1, table VI).

A particle swarm minimises what a recording shows of a filter (eq 38): how far its predictions are from the
readings, in position and orientation, how rough the estimated strain is along the rod, for how many sigma
points the model has no value, and how often the filter diverges,

    cost = w_EE e_EE + w_ori e_ori + w_kink e_kink + w_NaNs n_NaNs + e_div

with the inverse of the errors at the start as weights. The errors are those before each reading corrects the
state: after it, a filter that believes every reading would be the best one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from continua.estimation.ukf import Ukf
from continua.optimisation import minimise

__all__ = ['FilterErrors', 'Recording', 'UkfSettings', 'cost', 'filter_errors', 'tune_ukf']

_WINDOW = 3  # stations of the moving deviation


@dataclass(frozen=True)
class Recording:
    """Readings (k, y), NaN where missing, and the inputs (k, m) of the dt (s) before each of them."""

    readings: np.ndarray
    inputs: np.ndarray
    dt: float


@dataclass(frozen=True)
class UkfSettings:
    """What is tuned: variance per second of each group of states and parameters (g,), variance of the
    readings, and the scaling of the sigma points."""

    process: np.ndarray
    measurement: float
    alpha: float = 0.1
    beta: float = 2.0
    kappa: float = 0.0


@dataclass(frozen=True)
class FilterErrors:
    """Means over a recording: position m, orientation rad (0 where readings have none), kink: deviation of
    the strain's slope over neighbouring stations; counts: lost sigma points, and steps that diverged."""

    position: float
    orientation: float
    kink: float
    lost: int
    diverged: int


def filter_errors(
    ukf: Ukf, recording: Recording, strain: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> FilterErrors:
    """What the recording shows of a filter.

    strain(x (k, n), parameters (k, p)) -> (k, s, c), the strains at stations along the rod. Innovations end
    with the position's three entries, after those of the orientation if there are any.
    """
    belief, beliefs, infos = ukf.begin(), [], []
    for reading, u in zip(recording.readings, recording.inputs, strict=True):
        belief, info = ukf.step(belief, reading, u, recording.dt)
        beliefs.append(belief)
        infos.append(info)
    off = np.array([info.innovation for info in infos])
    slope = np.diff(
        strain(*(np.array([getattr(b, name) for b in beliefs]) for name in ('x', 'parameters'))), axis=1
    )
    windows = np.lib.stride_tricks.sliding_window_view(slope, _WINDOW, axis=1)
    return FilterErrors(
        _mean_length(off[:, -3:]),
        _mean_length(off[:, :-3]),
        float(windows.std(axis=-1).mean()),
        sum(info.lost for info in infos),
        sum(info.status in ('restarted', 'failed') for info in infos),
    )


def cost(errors: FilterErrors, start: FilterErrors) -> float:
    """Eq 38, weighted by the errors at the start; counts that were 0 there, and divergence, by 1."""
    return sum(
        getattr(errors, name) / (getattr(start, name) or 1.0)
        for name in ('position', 'orientation', 'kink', 'lost')
    ) + float(errors.diverged)


def tune_ukf(
    make: Callable[[UkfSettings], Ukf],
    recording: Recording,
    strain: Callable[[np.ndarray, np.ndarray], np.ndarray],
    start: UkfSettings,
    low: UkfSettings,
    high: UkfSettings,
    rng: np.random.Generator,
    particles: int = 30,
    iterations: int = 50,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[UkfSettings, float]:
    """The settings of least cost between low and high, and this cost; that of the start is 3 at most.

    make(settings): the filter. Noises and alpha are searched by their logarithms. progress as in
    `continua.optimisation.minimise`, whose ValueErrors this raises too.
    """
    reference = filter_errors(make(start), recording, strain)

    def costs(points: np.ndarray) -> np.ndarray:
        settings = (_settings(point) for point in points)
        return np.array([cost(filter_errors(make(s), recording, strain), reference) for s in settings])

    box = (_vector(settings) for settings in (low, high))
    found = minimise(
        costs, *box, rng, start=_vector(start), particles=particles, iterations=iterations, progress=progress
    )
    return _settings(found.x), found.cost


def _vector(settings: UkfSettings) -> np.ndarray:
    logarithms = np.log10([*settings.process, settings.measurement, settings.alpha])
    return np.array([*logarithms, settings.beta, settings.kappa])


def _settings(vector: np.ndarray) -> UkfSettings:
    *process, measurement, alpha = 10.0 ** vector[:-2]
    return UkfSettings(np.array(process), measurement, alpha, *vector[-2:])


def _mean_length(vectors: np.ndarray) -> float:
    """Mean length of the rows (k, d) that are there, 0 for none."""
    lengths = np.linalg.norm(vectors, axis=1)
    return float(np.nanmean(lengths)) if np.isfinite(lengths).any() else 0.0
