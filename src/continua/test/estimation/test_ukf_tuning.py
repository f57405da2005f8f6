"""Tuning of the unscented filter: the terms of its cost, and noises that are found again."""

import numpy as np
import pytest

from continua.estimation import Ukf, UkfBelief
from continua.estimation.ukf_tuning import (
    FilterErrors,
    Recording,
    UkfSettings,
    cost,
    filter_errors,
    tune_ukf,
)

DT = 0.02
# Three oscillators, seen by their positions.
A = np.eye(6) + DT * np.block([[np.zeros((3, 3)), np.eye(3)], [-9.0 * np.eye(3), -0.2 * np.eye(3)]])
NOISE, READING = 0.3, 1e-4  # variance per second of the rates, variance of the readings


def make(settings):
    process = np.repeat([1e-12, settings.process[0]], 3)
    first = UkfBelief(np.zeros(6), np.zeros(0), np.eye(6))
    return Ukf(
        lambda x, u, p, dt: x @ A.T, lambda x, p: x[:, :3], first, process, np.full(3, settings.measurement),
        settings.alpha, settings.beta, settings.kappa,
    )  # fmt: skip


def straight(x, parameters):
    return np.zeros((len(x), 5, 1))


@pytest.fixture(scope='module')
def recording():
    rng, x, readings = np.random.default_rng(0), np.zeros(6), []
    for _ in range(100):
        x = A @ x + np.repeat([0.0, np.sqrt(NOISE * DT)], 3) * rng.normal(size=6)
        readings.append(x[:3] + np.sqrt(READING) * rng.normal(size=3))
    return Recording(np.array(readings), np.zeros((100, 1)), DT)


def test_the_errors_are_those_of_their_words(recording):
    def kinked(x, parameters):
        """A strain with slopes 0, 0, 1, 0 between five stations: windows of deviation sqrt(2)/3 twice."""
        return np.tile([0.0, 0.0, 0.0, 1.0, 1.0], (len(x), 1))[:, :, None]

    ukf = make(UkfSettings(np.array([NOISE]), READING))
    errors = filter_errors(ukf, recording, kinked)
    assert errors.kink == pytest.approx(np.sqrt(2.0) / 3.0)
    assert (errors.orientation, errors.lost, errors.diverged) == (0.0, 0, 0)
    belief, lengths = ukf.begin(), []
    for reading in recording.readings:
        belief, info = ukf.step(belief, reading, np.zeros(1), DT)
        lengths.append(np.linalg.norm(info.innovation))
    assert errors.position == pytest.approx(np.mean(lengths))


def test_the_cost_is_weighted_by_the_start():
    start = FilterErrors(2e-3, 0.1, 0.0, 0, 0)
    assert cost(start, start) == pytest.approx(2.0)
    assert cost(FilterErrors(1e-3, 0.2, 0.5, 3, 2), start) == pytest.approx(0.5 + 2.0 + 0.5 + 3.0 + 2.0)


def test_noises_are_found_again(recording):
    """The ratio of process to reading noise sets the gain; both are a hundred times off at the start."""
    start = UkfSettings(np.array([100.0 * NOISE]), 0.01 * READING)
    low = UkfSettings(np.array([1e-4]), 1e-7, 1e-2, 1.0, 0.0)
    high = UkfSettings(np.array([1e3]), 1e-1, 1.0, 3.0, 3.0)
    found, least = tune_ukf(
        make, recording, straight, start, low, high, np.random.default_rng(1), particles=6, iterations=6
    )
    truth = filter_errors(make(UkfSettings(np.array([NOISE]), READING)), recording, straight)
    reference = filter_errors(make(start), recording, straight)
    assert least <= cost(truth, reference) * 1.02 < cost(reference, reference)
    assert np.log10(found.process[0] / found.measurement) == pytest.approx(np.log10(NOISE / READING), abs=1.0)
