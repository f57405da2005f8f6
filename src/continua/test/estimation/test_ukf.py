"""The unscented filter: exact on linear systems, known moments, parameters, poses, bad readings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

from continua.estimation import Ukf, UkfBelief, pose_difference

DT = 0.02


def no_parameters(x):
    return np.zeros(0)


def prior(x, std, parameters=()):
    return UkfBelief(np.array(x, dtype=float), np.array(parameters, dtype=float), np.diag(std).astype(float))


def linear(rng, n, m, d):
    """A stable system with inputs, its noises, and a prior with a full covariance."""
    A = rng.normal(size=(n, n))
    A *= 0.98 / np.abs(np.linalg.eigvals(A)).max()
    noise = [v @ v.T + 0.1 * np.eye(len(v)) for v in (rng.normal(size=(n, n)), rng.normal(size=(d, d)))]
    root = np.linalg.cholesky(np.cov(rng.normal(size=(n, 3 * n))))
    return (
        A,
        rng.normal(size=(n, m)),
        rng.normal(size=(d, n)),
        *noise,
        UkfBelief(rng.normal(size=n), np.zeros(0), root),
    )


def kalman(A, B, H, Q, R, x, P, reading, u, dt):
    """One step of the textbook filter with the readings that are there."""
    x, P = A @ x + B @ u, A @ P @ A.T + dt * Q
    there = ~np.isnan(reading)
    H, R = H[there], R[np.ix_(there, there)]
    K = np.linalg.solve(H @ P @ H.T + R, H @ P).T
    rest = np.eye(x.size) - K @ H
    return x + K @ (reading[there] - H @ x), rest @ P @ rest.T + K @ R @ K.T


@pytest.mark.parametrize('scaling', [{}, {'alpha': 1e-3}, {'alpha': 1.0}, {'beta': 1.097, 'kappa': 10.13}])
@pytest.mark.parametrize('seed', range(3))
def test_it_is_the_kalman_filter_on_a_linear_system(scaling, seed):
    rng = np.random.default_rng(seed)
    A, B, H, Q, R, belief = linear(rng, n=6, m=2, d=3)
    ukf = Ukf(lambda x, u, p, dt: x @ A.T + u @ B.T, lambda x, p: x @ H.T, belief, Q, R, gate=1e9, **scaling)
    x, P = belief.x, belief.covariance
    for _ in range(200):
        u, reading = rng.normal(size=2), H @ x + rng.normal(size=3)
        reading[rng.random(3) < 0.3] = np.nan
        dt = rng.uniform(0.01, 0.1)
        belief, info = ukf.step(belief, reading, u, dt)
        x, P = kalman(A, B, H, Q, R, x, P, reading, u, dt)
        assert info.status == ('predicted' if np.isnan(reading).all() else 'corrected')
        # Deviations of size alpha carry the rounding of the state's size.
        scale = 1e-10 * max(1.0, 1e-1 / scaling.get('alpha', 0.1))
        np.testing.assert_allclose(belief.x, x, rtol=0.0, atol=scale)
        np.testing.assert_allclose(belief.covariance, P, rtol=0.0, atol=scale)


@pytest.mark.parametrize('alpha', [1e-2, 0.1, 1.0])
def test_mean_and_variance_of_a_square_are_exact(alpha):
    """x^2 of a Gaussian: mean m^2 + s^2, variance 4 m^2 s^2 + 2 s^4; beta = 2 is made for it."""
    m, s = 0.7, 0.3
    ukf = Ukf(lambda x, u, p, dt: x**2, lambda x, p: x, prior([m], [s]), np.zeros(1), np.ones(1), alpha=alpha)
    belief, _ = ukf.step(ukf.begin(), None, np.zeros(1), DT)
    assert belief.x[0] == pytest.approx(m**2 + s**2, rel=1e-11)
    assert belief.covariance[0, 0] == pytest.approx(4 * m**2 * s**2 + 2 * s**4, rel=1e-11)


def test_range_and_bearing_have_their_known_mean_and_variance():
    """The example of Julier and Uhlmann (2004): bearing pi/2 +- 15 deg at range 1 +- 0.02."""
    std = np.array([0.02, np.deg2rad(15.0)])
    mean = np.array([1.0, np.pi / 2.0])

    def place(x, u, p, dt):
        return x[:, :1] * np.stack([np.cos(x[:, 1]), np.sin(x[:, 1])], axis=1)

    ukf = Ukf(place, lambda x, p: x, prior(mean, std), np.zeros(2), np.ones(2))
    belief, _ = ukf.step(ukf.begin(), None, np.zeros(1), DT)
    # E[sin] = exp(-s^2 / 2), E[sin^2] = (1 + exp(-2 s^2)) / 2 about pi / 2.
    s2, r2 = std[1] ** 2, 1.0 + std[0] ** 2
    variance = np.array([r2 * (1 - np.exp(-2 * s2)) / 2, r2 * (1 + np.exp(-2 * s2)) / 2 - np.exp(-s2)])
    # The next terms of the series, of order s^4 where the function is odd, s^6 where it is even.
    np.testing.assert_allclose(belief.x, [0.0, np.exp(-s2 / 2.0)], atol=s2**2 / 4)
    np.testing.assert_allclose(np.diag(belief.covariance), variance, atol=s2**2)
    assert belief.covariance[1, 1] == pytest.approx(variance[1], abs=2.0 * s2**3)


def pendulum(x, u, p, dt):
    """Semi-implicit Euler, ten steps; p: stiffness."""
    angle, rate = x.T.copy()
    for _ in range(10):
        rate = rate + 0.1 * dt * (u[:, 0] - p[:, 0] * np.sin(angle) - 0.3 * rate)
        angle = angle + 0.1 * dt * rate
    return np.stack([angle, rate], axis=1)


def swing(steps, stiffness, rng):
    """Angles (steps, 2) of a pendulum that is driven, readings of the angle, and inputs."""
    x, states = np.zeros((1, 2)), []
    u = np.sin(1.3 * DT * np.arange(steps))[:, None] * 2.0
    for each in u:
        x = pendulum(x, each[None], np.array([[stiffness]]), DT)
        states.append(x[0])
    states = np.array(states)
    return states, states[:, :1] + rng.normal(0.0, 1e-3, (steps, 1)), u


def pendulum_filter(**changes):
    noise = np.array([1e-6, 1e-5, 1e-4])
    arguments = {'process_noise': noise, 'measurement_noise': np.array([1e-6]), **changes}
    return Ukf(pendulum, lambda x, p: x[:, :1], prior([0, 0], [0.2, 0.5, 2.0], [4.0]), **arguments)


def test_a_parameter_is_found_with_the_state():
    states, readings, u = swing(1500, 5.0, np.random.default_rng(1))
    ukf = pendulum_filter()
    belief, errors = ukf.begin(), []
    for each, reading in zip(u, readings, strict=True):
        belief, info = ukf.step(belief, reading, each, DT)
        assert info.status == 'corrected'
    errors = np.abs(np.concatenate([belief.x - states[-1], belief.parameters - 5.0]))
    std = np.sqrt(np.diag(belief.covariance))
    assert np.all(errors < 4.0 * std)
    assert std[2] < 0.05


def test_the_innovations_of_a_consistent_filter_are_white_and_of_size_one():
    _, readings, u = swing(1500, 5.0, np.random.default_rng(2))
    ukf = pendulum_filter(process_noise=np.array([1e-9, 1e-9, 1e-9]))
    belief, distances = ukf.begin(), []
    for each, reading in zip(u, readings, strict=True):
        belief, info = ukf.step(belief, reading, each, DT)
        distances.append(info.distance)
    # The mean of 1200 squares of a standard normal is within 4 standard deviations, 4 sqrt(2 / 1200).
    assert np.mean(np.square(distances[300:])) == pytest.approx(1.0, abs=0.17)


def test_poses_differ_by_a_rotation_vector_and_a_vector():
    rng = np.random.default_rng(0)
    turns = np.vstack([rng.normal(0.0, 1.0, (20, 3)), np.zeros((1, 3)), [[1e-12, 0, 0], [0, 3.1, 0]]])
    base = Rotation.from_rotvec([0.3, -1.2, 0.5])
    poses = np.hstack([rng.normal(size=(23, 3)), (base * Rotation.from_rotvec(turns)).as_quat()])
    poses[::2, 3:] *= -1.0
    found = pose_difference(poses, np.concatenate([[1.0, 2.0, 3.0], base.as_quat()]))
    np.testing.assert_allclose(found[:, 3:], poses[:, :3] - [1.0, 2.0, 3.0])
    expected = Rotation.from_rotvec(turns).as_rotvec()
    np.testing.assert_allclose(found[:, :3], expected, atol=1e-14)


def test_a_pose_corrects_the_orientation_it_reads():
    """State: a rotation vector about one axis, near the cut of the quaternion's sign."""

    def read(x, p):
        return np.hstack([np.zeros((len(x), 3)), Rotation.from_rotvec(x).as_quat()])

    truth, start = np.array([0.0, 0.0, 3.3]), np.array([0.0, 0.0, 3.0])
    ukf = Ukf(
        lambda x, u, p, dt: x, read, prior(start, 0.3 * np.ones(3)), np.full(3, 1e-8), np.full(6, 1e-6),
        difference=pose_difference,
    )  # fmt: skip
    reading = -read(truth[None], None)[0]
    belief = ukf.begin()
    for _ in range(5):
        belief, info = ukf.step(belief, reading, np.zeros(1), DT)
        assert info.status == 'corrected'
    np.testing.assert_allclose(belief.x, truth, atol=5e-3)
    reading[:3] = np.nan
    belief, info = ukf.step(belief, reading, np.zeros(1), DT)
    assert info.status == 'corrected'
    assert np.isnan(info.innovation[3:]).all()


def is_definite(belief):
    root = belief.root
    assert np.array_equal(root, np.tril(root))
    assert np.all(np.isfinite(root)) and np.all(np.diag(root) > 0.0)
    assert np.all(np.isfinite(belief.x)) and np.all(np.isfinite(belief.parameters))
    spread = np.sqrt(np.diag(belief.covariance))
    return np.linalg.eigvalsh(belief.covariance / np.outer(spread, spread))[0] > 0.0


EXTREME = st.sampled_from([np.nan, np.inf, -np.inf, 1e300, -1e9, 1e3, 0.0])
EVENT = st.tuples(st.sampled_from(['good', 'none', 'again', 'extreme']), EXTREME, st.integers(1, 30))


@settings(max_examples=25)
@given(events=st.lists(EVENT, min_size=1, max_size=8), alpha=st.sampled_from([1e-3, 0.1, 1.0]))
def test_the_root_stays_one_through_readings_of_all_kinds(events, alpha):
    """Dropped, repeated and extreme readings in any order."""
    states, readings, u = swing(400, 5.0, np.random.default_rng(3))
    ukf = pendulum_filter(alpha=alpha, low=np.array([-np.inf] * 2 + [1.0]), high=np.full(3, np.inf))
    belief, k, last = ukf.begin(), 0, readings[0]
    for kind, value, times in events:
        for _ in range(times):
            last = readings[k % 400] if kind == 'good' else last
            reading = {'none': None, 'extreme': np.array([value])}.get(kind, last)
            belief, info = ukf.step(belief, reading, u[k % 400], DT if kind != 'none' else 10.0 * DT)
            k += 1
            assert is_definite(belief)
            assert info.message
    # And it goes on from there.
    for _ in range(100):
        belief, info = ukf.step(belief, readings[k % 400], u[k % 400], DT)
        k += 1
    assert info.status in ('corrected', 'rejected', 'restarted')


def test_hours_without_a_parameter_in_the_readings():
    """At rest nothing tells the stiffness: its variance grows to the bound and no farther."""
    ukf = pendulum_filter(process_noise=np.array([1e-6, 1e-5, 1e2]))
    belief, statuses = ukf.begin(), set()
    for _ in range(2000):
        belief, info = ukf.step(belief, np.zeros(1), np.zeros(1), 1.0)
        statuses.add(info.status)
        assert is_definite(belief)
    assert statuses <= {'corrected', 'restarted', 'rejected'}


def test_a_model_without_a_value_is_said_and_survived():
    def fails(where):
        def model(x, u, p, dt):
            out = pendulum(x, u, p, dt)
            out[where] = np.nan
            return out

        return model

    belief = pendulum_filter().begin()
    for where, status, lost in ((slice(None), 'failed', 7), (0, 'failed', 1), (3, 'corrected', 1)):
        ukf = Ukf(fails(where), lambda x, p: x[:, :1], belief, np.full(3, 1e-6), np.array([1e-6]))
        after, info = ukf.step(belief, np.array([0.1]), np.zeros(1), DT)
        assert (info.status, info.lost) == (status, lost)
        assert is_definite(after)
        # The reading still tells where the angle is.
        assert after.x[0] == pytest.approx(0.1, abs=1e-2)


def test_a_sensor_that_is_far_off_is_rejected_then_believed_again():
    states, readings, u = swing(300, 4.0, np.random.default_rng(4))
    ukf = pendulum_filter(patience=10)
    belief, statuses = ukf.begin(), []
    for k in range(300):
        reading = readings[k] + (0.5 if 100 <= k < 105 or k >= 200 else 0.0)
        belief, info = ukf.step(belief, reading, u[k], DT)
        statuses.append(info.status)
    assert set(statuses[:100]) == {'corrected'}
    assert statuses[100:105] == ['rejected'] * 5
    assert set(statuses[105:200]) == {'corrected'}
    assert statuses[200:210] == ['rejected'] * 9 + ['restarted']


@pytest.mark.parametrize(
    ('changes', 'words'),
    [
        ({'alpha': 0.0}, 'alpha > 0'),
        ({'beta': 0.5, 'alpha': 1.0}, 'beta >= alpha'),
        ({'kappa': -3.0}, 'kappa > -3'),
        ({'process_noise': np.array([1.0, -1.0, 1.0])}, 'process_noise'),
        ({'measurement_noise': np.array([0.0])}, 'definite'),
        ({'measurement_noise': block_diag(1.0, -1.0)}, 'definite'),
    ],
)
def test_wrong_settings_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        pendulum_filter(**changes)


def test_wrong_calls_are_refused():
    ukf = pendulum_filter()
    for arguments in ((np.zeros(2), np.zeros(1), DT), (None, np.zeros(1), 0.0), (None, [np.nan], DT)):
        with pytest.raises(ValueError, match='expected'):
            ukf.step(ukf.begin(), *arguments)
    with pytest.raises(ValueError, match='lower triangle'):
        Ukf(pendulum, None, UkfBelief(np.zeros(2), np.zeros(1), np.eye(2)), np.ones(3), np.ones(1))
