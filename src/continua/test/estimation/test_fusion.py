"""The observer of several sensors: a linear system whose Kalman filter is known, arms, gates, covariance."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.linalg import expm, solve_continuous_lyapunov

from continua.description import PolynomialBasis, StrainOrders, load_robot
from continua.description.load import parse_robot
from continua.estimation import FusedObserver, Replay, Sensor, marker_sensor, tendon_sensor
from continua.estimation.discretisation import discretise
from continua.rod import Integrator, Rod
from continua.sensing import MarkerModel

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'
ARM = load_robot(ROBOTS / 'sdre_arm.yaml')
TIP = np.array([0.25])
RATE = 100.0

# A cart of 0.5 kg on a rail, held by a spring of 8 N/m and a damper of 0.6 N s/m; a marker rides on it.
MASS, SPRING, DAMPER = 0.5, 8.0, 0.6
CART = f"""
version: 1
name: cart
gravity: [0.0, 0.0, 0.0]
links:
  - name: cart
    type: rigid
    length: 0.1
    joint: {{type: prismatic, axis: [1.0, 0.0, 0.0], stiffness: {SPRING}, damping: {DAMPER}}}
    body:
      type: lumped
      mass: {MASS}
      center_of_mass: [0.0, 0.0, 0.0]
      inertia: [1.0e-3, 1.0e-3, 1.0e-3, 0.0, 0.0, 0.0]
markers:
  - {{name: rider, link: cart, arc_length: 0.0, offset: [0.0, 0.0]}}
"""


@pytest.fixture(scope='module')
def cart():
    return Rod(parse_robot(CART))


@pytest.fixture(scope='module')
def arm():
    """The paper's arm with nine coordinates; its three tendons and two tracked markers."""
    orders = dict.fromkeys(StrainOrders.model_fields) | {'bending_y': 2, 'bending_z': 2, 'elongation': 0}
    basis = PolynomialBasis(type='legendre', order=StrainOrders(**orders))
    link = ARM.links[0].model_copy(update={'strain_basis': basis})
    return Rod(ARM.model_copy(update={'links': (link,)}))


def make(rod, **changes):
    sensors = {
        'tendons': tendon_sensor(rod, 1e-4),
        'markers': marker_sensor(MarkerModel(rod, ['middle', 'tip']), 1e-3),
    }
    return FusedObserver(rod, sensors, **changes)


def pull(t):
    """Tensions (3,) N between 0 and 7 at 5 rad/s, one after the other."""
    return 3.5 * (1.0 - np.cos(5.0 * t + 2.0 * np.pi * np.arange(3) / 3.0))


def motion(rod, duration):
    """Coordinates (s, n) of the arm that is pulled, from rest."""
    run, q = Integrator(rod), []
    run.reset(np.zeros(rod.dof))
    for k in range(round(duration * RATE)):
        assert run.step(1.0 / RATE, pull((k + 0.5) / RATE))
        q.append(run.q)
    return np.array(q)


def observe(observer, belief, q, kinds, seed=0):
    """Beliefs and infos of noisy readings of q (s, n), those of several kinds in turn."""
    rod, random, out = observer.rod, np.random.default_rng(seed), []
    markers = MarkerModel(rod, ['middle', 'tip'])
    for k, each in enumerate(q):
        readings = {
            'tendons': rod.tendon_displacement(each)[:, None] + random.normal(0.0, 1e-4, (3, 1)),
            'markers': markers.predict(each) + random.normal(0.0, 1e-3, (2, 3)),
        }
        for kind, dt in zip(kinds, (1.0 / RATE, 0.0), strict=False):
            belief, info = observer.step(belief, (kind, readings[kind]), pull((k + 0.5) / RATE), dt)
        out.append((belief, info))
    return out


def tip_error(rod, beliefs, q):
    tips = [[rod.shape(each, TIP).position[0] for each in shapes] for shapes in ([b.q for b in beliefs], q)]
    return np.linalg.norm(np.subtract(*tips), axis=1)


def is_definite(P):
    return np.array_equal(P, P.T) and np.all(np.isfinite(P)) and np.linalg.eigvalsh(P)[0] > 0.0


@pytest.mark.parametrize('dt', [0.0, 1e-4, 0.01, 1.0])
def test_discretisation_is_van_loans(dt):
    random = np.random.default_rng(1)
    A, B = random.normal(size=(4, 4)), random.normal(size=(4, 2))
    both = expm(dt * np.block([[-A, B @ B.T], [np.zeros((4, 4)), A.T]]))
    F, W = discretise(A, B @ B.T, dt)
    assert np.allclose(F, expm(A * dt), rtol=1e-12, atol=1e-14)
    assert np.allclose(W, F @ both[:4, 4:], rtol=1e-10, atol=1e-14)


def test_discretisation_of_a_stiff_system_keeps_what_is_stationary():
    A = np.diag([-1.0, -1e3, -1e6]) + np.diag([1.0, 10.0], 1)
    stationary = solve_continuous_lyapunov(A, -np.eye(3))
    for dt in (1e-3, 0.1):
        F, W = discretise(A, np.eye(3), dt)
        assert np.allclose(F @ stationary @ F.T + W, stationary, rtol=1e-9)
        assert np.linalg.eigvalsh(W)[0] > 0.0


def kalman(E, noise, dt, readings):
    """Means and covariances of the cart's Kalman filter, from scipy's matrix exponential alone."""
    A = np.array([[0.0, 1.0], [-SPRING / MASS, -DAMPER / MASS]])
    # the disturbance is shared out within a radian of the cart's own vibration
    force = 2.0 * E * SPRING * np.sqrt(MASS / SPRING)
    Q = np.diag([0.0, force / MASS**2])
    F = expm(A * dt)
    W = F @ expm(dt * np.block([[-A, Q], [np.zeros((2, 2)), A.T]]))[:2, 2:]
    x, P = np.zeros(2), np.diag([E / SPRING, E / MASS])
    for y in readings:
        x, P = F @ x, F @ P @ F.T + W
        K = P[:, 0] / (P[0, 0] + noise**2)
        x, P = x + K * (y - x[0]), P - np.outer(K, P[0])
        yield x, P


def test_on_a_linear_system_it_is_the_kalman_filter(cart):
    E, noise, dt = 1e-3, 5e-3, 5e-3
    random = np.random.default_rng(2)
    readings = np.cumsum(random.normal(0.0, 1e-3, 200)) + random.normal(0.0, noise, 200)
    observer = FusedObserver(
        cart, {'markers': marker_sensor(MarkerModel(cart), noise)}, disturbance=E, false_alarm=1e-300
    )
    belief = observer.begin()
    for y, (x, P) in zip(readings, kalman(E, noise, dt, readings), strict=True):
        belief, info = observer.step(belief, ('markers', np.array([[y, 0.0, 0.0]])), np.zeros(0), dt)
        assert info.status == 'corrected'
        assert np.allclose(belief.P, P, rtol=1e-9, atol=0.0)
        # the integrator of the motion has an error of its own
        assert np.allclose([belief.q[0], belief.qd[0]], x, rtol=0.0, atol=1e-5)


def test_innovations_scatter_as_the_covariance_says(cart):
    """A cart shaken by just the noise that the filter expects: chi-square with one degree of freedom."""
    E, noise, dt, steps = 1e-3, 5e-3, 0.02, 4000
    A = np.array([[0.0, 1.0], [-SPRING / MASS, -DAMPER / MASS]])
    Q = np.diag([0.0, 2.0 * E * SPRING * np.sqrt(MASS / SPRING) / MASS**2])
    F, W = discretise(A, Q, dt)
    random, root, x = np.random.default_rng(3), np.linalg.cholesky(W), np.zeros(2)

    def predict(q):
        return q[:, None], np.ones((1, 1, 1))

    observer = FusedObserver(cart, {'rail': Sensor(noise, predict)}, disturbance=E)
    belief, distance = observer.begin(), []
    for _ in range(steps):
        x = F @ x + root @ random.normal(size=2)
        reading = x[:1, None] + random.normal(0.0, noise)
        belief, info = observer.step(belief, ('rail', reading), np.zeros(0), dt)
        distance.append(info.distance[0])
    mean, spread = 1.0, np.sqrt(2.0 / steps)
    assert abs(np.mean(distance[10:]) - mean) < 4.0 * spread
    assert np.mean(np.array(distance) > 3.841) == pytest.approx(0.05, abs=4.0 * np.sqrt(0.05 / steps))


@pytest.mark.parametrize('kinds', [('tendons',), ('markers',), ('tendons', 'markers')])
def test_a_wrong_guess_converges_with_each_kind_and_with_both(arm, kinds):
    q = motion(arm, 1.5)
    observer = make(arm, disturbance=1e-4)
    guess = observer.begin(0.3 * arm.scale)
    steps = observe(observer, guess, q, kinds)
    assert tip_error(arm, [guess], q[:1])[0] > 0.04
    assert tip_error(arm, [belief for belief, _ in steps[50:]], q[50:]).max() < 5e-3
    assert all(is_definite(belief.P) for belief, _ in steps[::10])


def test_the_spread_of_the_error_is_what_the_covariance_says(arm):
    """No disturbance acts here, so that errors may be smaller than said, but not larger."""
    q, observer = motion(arm, 1.0), make(arm)
    belief, _ = observe(observer, observer.begin(), q, ('tendons', 'markers'))[-1]
    n = arm.dof
    error = belief.q - q[-1]
    assert error @ np.linalg.solve(belief.P[:n, :n], error) < 3.0 * n


def test_both_kinds_know_more_than_either(arm):
    q, variances = motion(arm, 0.5), []
    for kinds in (('tendons',), ('markers',), ('tendons', 'markers')):
        observer = make(arm)
        belief, _ = observe(observer, observer.begin(), q, kinds)[-1]
        _, (rows,) = MarkerModel(arm, ['tip']).jacobian(belief.q)
        variances.append(np.trace(rows @ belief.P[: arm.dof, : arm.dof] @ rows.T))
    assert variances[2] < 0.9 * min(variances[:2])


def test_a_wrong_marker_is_refused_and_the_others_are_used(arm):
    q, observer = motion(arm, 0.5), make(arm)
    belief, _ = observe(observer, observer.begin(), q, ('tendons', 'markers'))[-1]
    right = MarkerModel(arm, ['middle', 'tip']).predict(belief.q)
    wrong = right + [[0.0, 0.05, 0.0], [0.0, 0.0, 0.0]]
    after, info = observer.step(belief, ('markers', wrong), pull(0.5), 0.0)
    assert info.used.tolist() == [False, True]
    assert (info.status, info.rejected, info.missing) == ('corrected', 1, 0)
    assert info.distance[0] > 100.0 > info.distance[1]
    assert np.allclose(after.q, belief.q, atol=1e-9 * arm.scale.max())
    hidden = np.where([[True], [False]], np.nan, right)
    _, info = observer.step(belief, ('markers', hidden), pull(0.5), 0.0)
    assert (info.used.tolist(), info.rejected, info.missing) == ([False, True], 0, 1)


def test_without_readings_the_covariance_grows_to_that_of_a_shaken_robot(cart):
    E = 1e-3
    observer = FusedObserver(cart, {'markers': marker_sensor(MarkerModel(cart), 1e-3)}, disturbance=E)
    belief = observer.begin()
    belief, _ = observer.step(belief, ('markers', np.zeros((1, 3))), np.zeros(0), 0.0)
    small = belief.P[0, 0]
    for _ in range(400):
        belief, info = observer.step(belief, None, np.zeros(0), 0.1)
    assert info.status == 'predicted'
    # a linear oscillator in white noise: intensity / (2 damper spring) in the position
    shaken = 2.0 * E * SPRING * np.sqrt(MASS / SPRING) / (2.0 * DAMPER * SPRING)
    assert belief.P[0, 0] == pytest.approx(shaken, rel=1e-6)
    assert small < 0.1 * shaken


def test_modes_are_coordinates_like_others(arm):
    modes = np.eye(arm.dof)[:, [0, 1, 3, 6]] @ np.random.default_rng(0).normal(size=(4, 4))
    reduced = Rod(arm.robot, modes=modes)
    q, observer = motion(reduced, 1.0), make(reduced, disturbance=1e-4)
    steps = observe(observer, observer.begin(0.2 * reduced.scale), q, ('tendons', 'markers'))
    assert tip_error(reduced, [belief for belief, _ in steps[50:]], q[50:]).max() < 5e-3


number = st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.floats(-0.2, 0.2))
readings = st.lists(
    st.one_of(
        st.sampled_from(['tendons', 'markers', 'nothing', 'repeated']),
        st.tuples(st.just('tendons'), st.lists(number, min_size=3, max_size=3)),
        st.tuples(st.just('markers'), st.lists(number, min_size=6, max_size=6)),
    ),
    min_size=20,
    max_size=60,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=readings, disturbance=st.sampled_from([1e-8, 1e-5, 1e-2]), gap=st.sampled_from([1e-3, 0.01, 0.1])
)
def test_the_covariance_stays_definite_through_any_readings(arm, kinds, disturbance, gap):
    observer = make(arm, disturbance=disturbance)
    belief, last = observer.begin(), None
    model = MarkerModel(arm, ['middle', 'tip'])
    for k, kind in enumerate(kinds):
        true = {
            'tendons': ('tendons', arm.tendon_displacement(0.9 * belief.q)[:, None]),
            'markers': ('markers', model.predict(0.9 * belief.q)),
            'nothing': None,
            'repeated': last,
        }
        shape = {'tendons': (3, 1), 'markers': (2, 3)}
        last = true[kind] if isinstance(kind, str) else (kind[0], np.reshape(kind[1], shape[kind[0]]))
        dt = 0.0 if kind == 'repeated' else gap
        belief, info = observer.step(belief, last, pull(k / RATE), dt)
        assert is_definite(belief.P)
        assert np.all(np.isfinite(belief.q)) and np.all(np.isfinite(belief.qd))
        assert info.used.sum() + info.missing + info.rejected == (0 if last is None else len(last[1]))


def test_late_markers_give_what_they_give_in_time(arm):
    q, model = motion(arm, 1.0), MarkerModel(arm, ['middle', 'tip'])
    beliefs = []
    for delay in (0, 7):
        observer = make(arm)
        replay = Replay(observer.step, lambda u, observer=observer: observer.begin())
        for k in range(len(q) + delay):
            if k < len(q):
                reading = ('tendons', arm.tendon_displacement(q[k])[:, None])
                replay.add('tendons', k / RATE, k / RATE, reading, pull(k / RATE))
            if k >= delay:
                old = k - delay
                replay.add('markers', old / RATE, k / RATE, ('markers', model.predict(q[old])))
        beliefs.append(replay.belief)
    # the integrator solves its stages to 1e-5, from where it was before
    assert np.allclose(beliefs[0].q, beliefs[1].q, rtol=0.0, atol=1e-5 * arm.scale.max())
    assert np.allclose(beliefs[0].P, beliefs[1].P, rtol=1e-3, atol=1e-5 * np.abs(beliefs[0].P).max())


@pytest.mark.parametrize('name', ['disturbance', 'false_alarm'])
def test_settings_that_are_not_positive_are_refused(arm, name):
    with pytest.raises(ValueError, match=f'^{name}: expected a positive number'):
        make(arm, **{name: 0.0})
    with pytest.raises(ValueError, match='^noise of tendons: expected'):
        FusedObserver(arm, {'tendons': tendon_sensor(arm, -1.0)})


def test_wrong_arguments_are_refused(arm):
    observer = make(arm)
    belief = observer.begin()
    for measurement, dt, u, what in (
        (('tendons', np.zeros((2, 1))), 0.01, np.zeros(3), 'tendons: expected readings'),
        (('camera', np.zeros((2, 1))), 0.01, np.zeros(3), 'expected one of tendons, markers'),
        (None, -0.01, np.zeros(3), 'dt >= 0'),
        (None, 0.01, np.full(3, np.nan), 'finite inputs'),
    ):
        with pytest.raises(ValueError, match=what):
            observer.step(belief, measurement, u, dt)


def test_a_robot_with_loops_is_refused():
    platform = Rod(load_robot(ROBOTS / 'soft_legged_platform_half.yaml'))
    with pytest.raises(ValueError, match='independent coordinates'):
        FusedObserver(platform, {})
