"""Shape from markers: exact and noisy data, hidden and wrong markers, linkages, reduced models, bad input."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continua.description import load_robot
from continua.estimation import ShapeLeastSquares, Synergies
from continua.estimation.shape_least_squares import cauchy
from continua.reduction import Excitation, ReducedModel, decompose, equilibria, push_signal, random_inputs
from continua.rod import Rod
from continua.sensing import MarkerModel
from continua.simulation import SensorSettings, SimulatedArm

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'
ROBOT = load_robot(ROBOTS / 'tendon_arm.yaml')
TIP = np.array([ROBOT.links[0].length])


@pytest.fixture(scope='module')
def rod():
    return Rod(ROBOT)


@pytest.fixture(scope='module')
def synergies(rod):
    return Synergies.of_statics(rod)


@pytest.fixture(scope='module')
def estimator(rod, synergies):
    return ShapeLeastSquares(rod, synergies)


@pytest.fixture(scope='module')
def babbled():
    """8 s of babbling at 50 Hz: tracked markers with 1 mm noise, true tip, true held-out marker."""
    arm, random = (
        SimulatedArm(Rod(ROBOT), SensorSettings(marker_noise=1e-3), seed=4),
        np.random.default_rng(4),
    )
    tracked = [i for i, marker in enumerate(ROBOT.markers) if marker.role == 'tracked']
    exact, setpoint, hold, samples = MarkerModel(arm.rod), np.zeros(6), np.zeros(6), []
    for _ in range(400):
        for k in np.flatnonzero(hold <= arm.time):
            setpoint[k], hold[k] = random.uniform(0, 5), arm.time + random.uniform(0.5, 1.0)
        arm.advance(0.02, setpoint)
        truth = exact.predict(arm.q)
        samples.append((arm.measure().marker[tracked], arm.shape(TIP).position[0], truth[2], truth[tracked]))
    assert arm.failures == 0
    return samples


def test_exact_markers_of_a_reachable_shape_give_that_shape(rod, synergies, estimator):
    z = np.array([1.0, -0.5, 0.8, 0.3, -0.6, 0.4])
    q = synergies.mean + synergies.basis @ z
    markers = MarkerModel(rod, estimator.names).predict(q)
    found = ShapeLeastSquares(rod, synergies, noise=1e-6).step(None, markers, np.ones(3, dtype=bool))
    assert found.converged
    assert np.linalg.norm(rod.shape(found.q, TIP).position - rod.shape(q, TIP).position) < 1e-6


def test_noisy_markers_give_the_tip_within_2_mm_and_the_held_out_marker_within_6_mm(rod, estimator, babbled):
    held_out, visible, belief = MarkerModel(rod, ['m2']), np.ones(3, dtype=bool), None
    tip, middle = [], []
    for markers, true_tip, true_marker, _ in babbled:
        belief = estimator.step(belief, markers, visible, 0.02)
        tip.append(np.linalg.norm(rod.shape(belief.q, TIP).position[0] - true_tip))
        middle.append(np.linalg.norm(held_out.predict(belief.q)[0] - true_marker))
    assert np.mean(tip) < 2e-3
    assert np.mean(middle) < 6e-3


def test_memory_carries_over_a_moment_without_the_tip_marker(rod, estimator, babbled):
    visible, hidden, belief = np.ones(3, dtype=bool), np.array([True, True, False]), None
    with_memory, without = [], []
    for i, (markers, true_tip, _, _) in enumerate(babbled):
        if i % 10 == 9:
            forgetful = estimator.step(belief, markers, hidden)
            without.append(np.linalg.norm(rod.shape(forgetful.q, TIP).position[0] - true_tip))
        belief = estimator.step(belief, markers, hidden if i % 10 == 9 else visible, 0.02)
        if i % 10 == 9:
            with_memory.append(np.linalg.norm(rod.shape(belief.q, TIP).position[0] - true_tip))
    assert np.mean(with_memory) < 0.5 * np.mean(without)


def test_the_covariance_is_definite_and_honest(rod, estimator, babbled):
    """Over independent frames the scaled error of the tip has the size that the covariance says."""
    sampler, visible, ratios = rod.sampler(TIP), np.ones(3, dtype=bool), []
    for markers, true_tip, _, _ in babbled[::5]:
        belief = estimator.step(None, markers, visible)
        assert np.linalg.eigvalsh(belief.z_covariance).min() > 0
        R, p, J = sampler.jacobian(belief.q)
        slope = R[0] @ J[0, 3:]
        covariance = slope @ belief.covariance @ slope.T
        error = p[0] - true_tip
        ratios.append(error @ np.linalg.solve(covariance, error) / 3)
    # 1 were the model exact; moving arms leave the synergies a little
    assert 0.3 < np.mean(ratios) < 4.0


def test_wrong_input_is_refused_with_a_sentence(rod, synergies, estimator):
    with pytest.raises(ValueError, match='no tracked marker is visible'):
        estimator.step(None, np.zeros((3, 3)), np.zeros(3, dtype=bool))
    with pytest.raises(ValueError, match='not finite'):
        estimator.step(None, np.full((3, 3), np.nan), np.ones(3, dtype=bool))
    for position, valid in (((2, 3), 3), ((3, 2), 3), ((3, 3), 2), ((3,), 3)):
        with pytest.raises(ValueError, match=r'expected positions \(3, 3\)'):
            estimator.step(None, np.zeros(position), np.ones(valid, dtype=bool))
    for name in ('noise', 'drift', 'outlier'):
        with pytest.raises(ValueError, match=f'{name}: expected a positive number'):
            ShapeLeastSquares(rod, synergies, **{name: 0.0})
    with pytest.raises(ValueError, match='make them of the same rod'):
        ShapeLeastSquares(Rod(ROBOT, modes=np.eye(rod.dof)[:, :5]), synergies)
    with pytest.raises(ValueError, match='disturbance: expected a positive number'):
        Synergies.of_statics(rod, disturbance=0.0)


def test_absurd_markers_give_a_finite_shape_within_the_bounds(synergies, estimator):
    belief = estimator.step(None, np.full((3, 3), 1e3), np.ones(3, dtype=bool))
    assert np.all(np.isfinite(belief.q))
    assert np.all((synergies.low <= belief.z) & (belief.z <= synergies.high))
    assert belief.outliers == estimator.names and 'mm off' in belief.message


def test_without_a_guess_nearly_every_fit_converges(rod, synergies, estimator):
    random, markers = np.random.default_rng(7), MarkerModel(rod, estimator.names)
    converged, error = [], []
    for z in np.clip(random.normal(size=(200, 6)), -3.0, 3.0):
        position = markers.predict(synergies.mean + synergies.basis @ z)
        found = estimator.step(None, position + 1e-3 * random.normal(size=position.shape), np.ones(3, bool))
        converged.append(found.converged)
        error.append(np.abs(found.z - z).max())
    assert np.mean(converged) > 0.98
    assert np.median(error) < 0.7


def test_one_wrong_marker_moves_the_tip_little_where_least_squares_move_it_much(rod, synergies, babbled):
    tips, estimators = {}, {'robust': {'drift': 0.1}, 'plain': {'drift': 0.1, 'outlier': np.inf}}
    for name, setting in estimators.items():
        estimator, belief, tips[name] = ShapeLeastSquares(rod, synergies, **setting), None, []
        for i, (markers, true_tip, _, _) in enumerate(babbled):
            wrong = markers + (0.05 * np.eye(3)[i // 10 % 3][:, None] if i % 10 == 9 else 0.0)
            belief = estimator.step(belief, wrong, np.ones(3, dtype=bool), 0.02)
            if i % 10 == 9:
                tips[name].append(np.linalg.norm(rod.shape(belief.q, TIP).position[0] - true_tip))
                assert estimator.names[i // 10 % 3] in belief.outliers or name == 'plain'
    assert np.mean(tips['robust']) < 0.5 * np.mean(tips['plain'])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), limit=st.floats(0.5, 5.0))
def test_the_loss_is_of_cauchy_and_its_slope_the_derivative(seed, limit):
    random = np.random.default_rng(seed)
    error, slope = limit * random.normal(size=(4, 3)), random.normal(size=(4, 3, 2))
    found, gradient = cauchy(error, slope, limit)
    d = np.linalg.norm(error, axis=1)
    expected = 0.5 * limit**2 * np.log(1.0 + (d / limit) ** 2)
    assert np.allclose(0.5 * np.sum(found**2, axis=1), expected)
    step = 1e-6 * np.eye(2)
    for k in range(2):
        ends = [cauchy(error + sign * slope @ step[k], slope, limit)[0] for sign in (1.0, -1.0)]
        assert np.allclose(gradient[:, :, k], (ends[0] - ends[1]) / 2e-6, atol=1e-6)


def test_bounds_of_a_reduction_hold_and_help(rod):
    """Two markers, six modes of shapes under tensions: the paper's problem, eq 33."""
    random = np.random.default_rng(3)
    inputs = random_inputs([0.0] * 6, [5.0] * 6, 220, random, 0.5)
    q = equilibria(rod, inputs)[0]
    reduced = ReducedModel.of(ROBOT, decompose(rod, q[:200], count=6))
    small, synergies = reduced.rod(ROBOT), Synergies.of_reduced(reduced)
    free = Synergies(synergies.mean, synergies.basis, np.full(6, -np.inf), np.full(6, np.inf))
    error = {}
    for name, each in (('bounded', synergies), ('free', free)):
        estimator, error[name] = ShapeLeastSquares(small, each, noise=1e-5), []
        for true in q[200:]:
            markers = MarkerModel(rod, estimator.names).predict(true)
            found = estimator.step(None, markers, np.array([True, False, True]))
            assert np.all((each.low <= found.z) & (found.z <= each.high))
            middle = MarkerModel(small, ['m2']).predict(found.q) - MarkerModel(rod, ['m2']).predict(true)
            error[name].append(np.linalg.norm(middle))
    assert np.mean(error['bounded']) < np.mean(error['free'])
    assert np.mean(error['bounded']) < 6e-3


def test_a_closed_chain_is_found_from_markers_on_three_of_its_links():
    """The half-size platform under random wrenches (section VI-B), three markers of seven."""
    most = np.repeat([0.1, 1.0], 3)
    wrench = push_signal(-most, most, (0.1, 0.2), False, 6.0, 100.0, np.random.default_rng(2))
    pushed = Excitation(np.zeros((601, 0)), 100.0, substeps=2, wrench=wrench, place=('platform', 0.0577))
    robot = pushed.robot(load_robot(ROBOTS / 'soft_legged_platform_half.yaml'))
    rod = Rod(robot)
    q = pushed.motion(rod)
    reduced = ReducedModel.of(robot, decompose(rod, q[:550], count=16))
    markers, small = MarkerModel(rod), reduced.rod(robot)
    estimator, belief, seen, hidden = ShapeLeastSquares(small, Synergies.of_reduced(reduced)), None, [], []
    predicted, shown = MarkerModel(small), np.isin(estimator.names, ['leg_1', 'leg_2', 'corner_3'])
    for true in q[550:]:
        position = markers.predict(true)
        belief = estimator.step(belief, position, shown, 0.01)
        distance = np.linalg.norm(predicted.predict(belief.q) - position, axis=1)
        seen.append(distance[shown].mean())
        hidden.append(distance[~shown].mean())
    assert belief.markers == 3 and len(q) == 601
    assert np.mean(seen) < 1e-3
    # hidden ones have moved by a centimetre
    assert np.mean(hidden) < 2.5e-3
