"""Tuning of NEMPC: what it searches, and a closed loop that it makes better."""

import numpy as np
import pytest

from continua.control.costs import InputRateCost, StateCost, Sum
from continua.control.nempc import Nempc, NempcSettings, Start
from continua.control.nempc_tuning import tune_settings, tune_weights

DT = 0.1
A = np.array([[1.0, DT], [-0.4, 0.9]])
B = np.array([[0.0], [0.3]])


def closed_loop(settings, factor):
    """Root mean square of the distance from a goal that can be held, once there was time to reach it."""
    goal = np.array([0.75, 0.0])
    cost = Sum(StateCost(np.array([1.0, 0.1])), InputRateCost(np.array([0.01 * factor])))
    nempc = Nempc(lambda x, u, p, dt: x @ A.T + u @ B.T, cost, [-2.0], [2.0], settings, delay=0, seed=1)
    x, off = np.zeros(2), []
    for _ in range(40):
        u, _ = nempc.step(Start(x, np.zeros(0), np.zeros(1)), np.tile(goal, (nempc.instants, 1)), DT)
        x = A @ x + B @ u
        off.append(x - goal)
    return float(np.sqrt(np.mean(np.square(off[20:]))))


def test_a_bad_start_is_made_better():
    start = NempcSettings(particles=20, horizon=6, parents=0.9, strangers=0.0, mutation=0.0)
    settings, factor, error = tune_settings(
        closed_loop, start, np.random.default_rng(0), particles=8, iterations=5
    )
    assert (settings.particles, settings.horizon) == (20, 6)
    assert settings.parents + settings.strangers <= 1.0
    assert error == pytest.approx(closed_loop(settings, factor))
    assert error < 0.9 * closed_loop(start, 1.0)


def test_weights_are_found_by_their_logarithms():
    wanted = np.array([0.2, 14.6])
    found, error = tune_weights(
        lambda w: float(np.sum(np.log10(w / wanted) ** 2)), np.ones(2), np.random.default_rng(0)
    )
    assert error < 1e-3
    np.testing.assert_allclose(found, wanted, rtol=0.1)
