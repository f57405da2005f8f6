"""Koopman models where a finite one exists, and the regulator against direct minimisation and Riccati."""

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

from continua.control.koopman import KoopmanModel, fit_koopman
from continua.control.koopman_lqr import KoopmanLqr

DT = 1.0 / 60.0


def slow_manifold(x, u):
    """x1 -> 0.95 x1, x2 -> 0.8 x2 + 0.4 x1^2 + 0.5 u: linear in (x1, x2, x1^2)."""
    return np.array([0.95 * x[0], 0.8 * x[1] + 0.4 * x[0] ** 2 + 0.5 * u[0]])


def oscillator(x, u):
    """A damped oscillator whose position alone is seen, driven through a lag."""
    return np.array([x[0] + 0.2 * x[1], x[1] - 0.3 * x[0] - 0.1 * x[1] + 0.2 * x[2], 0.5 * x[2] + 0.5 * u[0]])


def record(system, x, steps, rng, seen):
    """Outputs (steps, o) and inputs (steps, 1) of random steps that are held for a while."""
    u = np.repeat(rng.uniform(-1.0, 1.0, (steps // 5 + 1, 1)), 5, axis=0)[:steps]
    y = []
    for each in u:
        y.append(x[:seen])
        x = system(x, each)
    return np.array(y), u


@pytest.fixture(scope='module')
def manifold():
    rng = np.random.default_rng(0)
    runs = [record(slow_manifold, rng.uniform(-2.0, 2.0, 2), 80, rng, 2) for _ in range(10)]
    return fit_koopman(runs, DT, delays=0, degree=2)


@pytest.fixture(scope='module')
def oscillation():
    rng = np.random.default_rng(1)
    return fit_koopman([record(oscillator, rng.normal(size=3), 400, rng, 1)], DT, delays=3)


def test_a_system_with_a_finite_representation_is_predicted_exactly(manifold):
    rng = np.random.default_rng(5)
    y, u = record(slow_manifold, np.array([1.7, -0.6]), 60, rng, 2)
    found = manifold.predict(manifold.lift(y[:1], np.zeros((0, 1))), u[:-1])
    np.testing.assert_allclose(found, y[1:], atol=1e-10)


def test_its_eigenvalues_are_those_of_the_representation(manifold):
    """0.95, 0.8 and 0.95^2 of (x1, x2, x1^2) are among those that are found."""
    found = np.linalg.eigvals(manifold.A)
    for expected in (0.95, 0.8, 0.95**2):
        assert np.abs(found - expected).min() < 1e-8


def test_delays_stand_for_what_is_not_seen(oscillation):
    """Three states seen through one output: three delays tell them."""
    rng = np.random.default_rng(6)
    y, u = record(oscillator, np.array([0.5, -0.2, 0.1]), 100, rng, 1)
    found = oscillation.predict(oscillation.lift(y[:4], u[:3]), u[3:-1])
    np.testing.assert_allclose(found, y[4:], atol=1e-9)


def test_ridge_keeps_directions_that_nothing_excites_at_zero():
    rng = np.random.default_rng(2)
    y, u = record(slow_manifold, np.zeros(2), 200, rng, 2)
    u = np.hstack([u, np.zeros_like(u)])
    model = fit_koopman([(y, u)], DT, delays=0, degree=1, ridge=1e-9)
    assert np.abs(model.A[:, 0]).max() < 1e-12
    assert np.abs(model.B[:, 1]).max() < 1e-12


def direct(model, z, before, reference, Q, R):
    """The first input of the least cost, by one least-squares problem in all changes of the input."""
    o, horizon = model.y_mean.size, len(reference)
    free = np.tile(before, (horizon, 1))
    base = model.predict(z, free).ravel()
    columns = []
    for j in range(horizon):
        changed = free.copy()
        changed[j:, 0] += 1.0
        columns.append(model.predict(z, changed).ravel() - base)
    weight = np.sqrt(np.tile(Q, horizon))
    rows = np.vstack([weight[:, None] * np.array(columns).T, np.sqrt(R[0]) * np.eye(horizon)])
    wanted = np.concatenate([weight * (reference.ravel() - base), np.zeros(horizon)])
    assert rows.shape == (horizon * (o + 1), horizon)
    return before + np.linalg.lstsq(rows, wanted, rcond=None)[0][:1]


@pytest.mark.parametrize('horizon', [1, 2, 25])
def test_a_step_is_the_least_of_its_cost(manifold, horizon):
    Q, R = np.array([0.3, 2.0]), np.array([0.7])
    controller = KoopmanLqr(manifold, Q, R, [-50.0], [50.0], horizon)
    rng = np.random.default_rng(7)
    x, before = np.array([0.8, -0.3]), np.zeros(1)
    for _ in range(5):
        reference = rng.normal(size=(horizon, 2))
        expected = direct(manifold, manifold.lift(x[None], np.zeros((0, 1))), before, reference, Q, R)
        command, status = controller.step(x, reference)
        assert status.status == 'ok'
        np.testing.assert_allclose(command, expected, atol=1e-9)
        x, before = slow_manifold(x, command), command


def test_a_long_horizon_is_the_stationary_regulator():
    """The gain of scipy's Riccati equation for the change of the input of x[k+1] = 0.9 x[k] + 0.3 u[k]."""
    one = np.ones(1)
    model = KoopmanModel(
        np.array([[0.9]]), np.array([[0.3]]), np.zeros(1), 0 * one, one, 0 * one, one, 0, 1, DT
    )
    controller = KoopmanLqr(model, one, 0.5 * one, [-9.0], [9.0], horizon=400)
    A, B = np.array([[0.9, 0.3], [0.0, 1.0]]), np.array([[0.3], [1.0]])
    P = solve_discrete_are(A, B, np.diag([1.0, 0.0]), np.array([[0.5]]))
    gain = np.linalg.solve(0.5 + B.T @ P @ B, B.T @ P @ A)
    command, _ = controller.step(np.array([2.0]), np.zeros((400, 1)))
    np.testing.assert_allclose(command, -gain @ [2.0, 0.0], rtol=1e-9)


def track(controller, system, x, reference, seen, gap=()):
    y, statuses = [], []
    for k in range(len(reference) - controller.horizon):
        y.append(x[:seen])
        measurement = None if k in gap else x[:seen]
        u, status = controller.step(measurement, reference[k + 1 : k + 1 + controller.horizon])
        statuses.append(status.status)
        x = system(x, u)
    return np.array(y), statuses


def test_a_goal_is_reached_without_offset(oscillation):
    controller = KoopmanLqr(oscillation, [1.0], [0.1], [-2.0], [2.0])
    y, statuses = track(controller, oscillator, np.zeros(3), np.full((460, 1), 0.4), 1)
    assert statuses == ['waiting'] * 3 + ['ok'] * 397
    assert y[-1, 0] == pytest.approx(0.4, abs=1e-6)


def test_a_gap_in_the_measurements_is_predicted(oscillation):
    reference = 0.3 * np.sin(2.0 * np.pi * 0.5 * DT * np.arange(400))[:, None]
    runs = []
    for gap in ((), range(150, 180)):
        controller = KoopmanLqr(oscillation, [1.0], [1e-3], [-2.0], [2.0])
        y, statuses = track(controller, oscillator, np.zeros(3), reference, 1, gap)
        assert statuses.count('predicted') == len(gap)
        runs.append(y)
    np.testing.assert_allclose(runs[0], runs[1], atol=1e-8)
    assert np.abs(runs[0] - reference[: len(runs[0])])[50:].max() < 0.01


def test_limits_and_rate_hold_and_trouble_keeps_the_input(oscillation):
    controller = KoopmanLqr(oscillation, [1.0], [1e-6], [-0.5], [0.7], horizon=20, rate=6.0)
    x, before = np.zeros(3), np.zeros(1)
    for k in range(80):
        reference = np.full((20, 1), 50.0 if k % 40 < 20 else -50.0)
        reference[k % 20] = np.nan if k % 7 == 3 else reference[0]
        u, status = controller.step(x[:1], reference)
        assert -0.5 <= u[0] <= 0.7
        assert abs(u[0] - before[0]) <= 6.0 * DT + 1e-15
        if k > 3:
            assert (status.status == 'failed') == (k % 7 == 3)
        x, before = oscillator(x, u), u
    controller.reset()
    u, status = controller.step(None, np.zeros((20, 1)))
    assert (u[0], status.status) == (0.0, 'waiting')
    # The first sample with all outputs has no command, the next no output.
    for k, (y, r, expected) in enumerate([(x[:1], np.nan, 'failed'), (None, 0.0, 'predicted')]):
        for _ in range(4 if k == 0 else 1):
            _, status = controller.step(y, np.full((20, 1), r))
        assert status.status == expected


@pytest.mark.parametrize(
    ('recording', 'arguments', 'words'),
    [
        ((np.zeros((50, 1)), np.zeros((49, 1))), {}, 'equal length'),
        ((np.full((50, 1), np.nan), np.zeros((50, 1))), {}, 'not finite'),
        ((np.zeros((3, 1)), np.zeros((3, 1))), {}, 'got none'),
        ((np.zeros((12, 1)), np.zeros((12, 1))), {'delays': 4}, 'record for longer'),
        ((np.zeros((50, 1)), np.zeros((50, 1))), {'degree': 0}, 'degree >= 1'),
    ],
)
def test_recordings_that_do_not_fit_are_refused(recording, arguments, words):
    with pytest.raises(ValueError, match=words):
        fit_koopman([recording], DT, **arguments)


def test_wrong_settings_and_calls_are_refused(oscillation):
    for arguments in (
        ([-1.0], [1.0], [0.0], [1.0]),
        ([1.0], [0.0], [0.0], [1.0]),
        ([1.0], [1.0], [1.0], [0.0]),
    ):
        with pytest.raises(ValueError, match='Koopman LQR: expected'):
            KoopmanLqr(oscillation, *arguments)
    with pytest.raises(ValueError, match='Koopman LQR: expected'):
        KoopmanLqr(oscillation, [1.0], [1.0], [0.0], [1.0], horizon=5).step(np.zeros(2), np.zeros((5, 1)))
