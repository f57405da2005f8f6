"""The reduced model: the same object as the full one, and its file."""

import numpy as np
import pytest

from continua.estimation import ShapeLeastSquares, Synergies
from continua.reduction import ReducedModel, decompose, hypercube, reduced_file, static_snapshots
from continua.rod import Integrator
from continua.sensing import MarkerModel


def snapshots(rod, count=60, seed=0):
    return 0.3 * np.random.default_rng(seed).standard_normal((count, rod.dof)) * rod.scale


@pytest.fixture(scope='module')
def reduced(arm, arm_rod):
    rules = {'arm': (np.array([0.03, 0.125, 0.22]), np.array([0.07, 0.11, 0.07]))}
    return ReducedModel.of(arm, decompose(arm_rod, snapshots(arm_rod), count=5), rules)


def test_all_modes_are_the_full_model_for_soft_rigid_and_hybrid_robots(any_rod):
    model = ReducedModel.of(any_rod.robot, decompose(any_rod, snapshots(any_rod)))
    reduced = model.rod(any_rod.robot)
    random = np.random.default_rng(1)
    z, zd, zdd = random.standard_normal((3, any_rod.dof)) @ (model.projection * (0.1 * any_rod.scale)).T
    u = random.uniform(0.0, 5.0, len(any_rod.input_names))
    q, qd, qdd = (reduced.full_coordinates(each) for each in (z, zd, zdd))
    force = model.modes.T @ any_rod.residual(q, qd, qdd, u=u)
    assert np.allclose(reduced.residual(z, zd, zdd, u=u), force, rtol=0, atol=1e-9 * np.abs(force).max())
    # eqs 38a to 38c are projections of eqs 36c to 36e
    for mine, full in (
        (reduced.stiffness, any_rod.stiffness),
        (reduced.damping, any_rod.damping),
        (reduced.mass_matrix(z), any_rod.mass_matrix(q)),
    ):
        projected = model.modes.T @ full @ model.modes
        assert np.allclose(mine, projected, rtol=0, atol=1e-10 * np.abs(projected).max())
    projected = model.modes.T @ any_rod.actuation_matrix(q)
    largest = np.abs(projected).max(initial=0.0)
    assert np.allclose(reduced.actuation_matrix(z), projected, rtol=0, atol=1e-9 * largest)


def test_all_modes_have_the_equilibrium_and_the_motion_of_the_full_model(any_rod):
    model = ReducedModel.of(any_rod.robot, decompose(any_rod, snapshots(any_rod)))
    reduced, u = model.rod(any_rod.robot), np.ones(len(any_rod.input_names))
    rest, full_rest = reduced.statics(u), any_rod.statics(u)
    assert rest.converged and full_rest.converged
    moved = np.abs(reduced.full_coordinates(rest.q) - full_rest.q) / any_rod.scale
    assert moved.max() < 1e-8
    motions = [Integrator(rod, tolerance=1e-9) for rod in (reduced, any_rod)]
    for motion in motions:
        motion.reset(np.zeros(any_rod.dof))
        assert all(motion.step(0.005, u) for _ in range(10))
    moved = np.abs(reduced.full_coordinates(motions[0].q) - motions[1].q) / any_rod.scale
    assert moved.max() < 1e-6


def test_coordinates_go_to_the_full_model_and_back(arm, reduced):
    """Eq 35."""
    rod = reduced.rod(arm)
    z = np.random.default_rng(2).standard_normal((4, 5))
    assert np.allclose(rod.full_coordinates(z) @ reduced.projection.T, z, atol=1e-9)


def test_what_is_saved_is_what_is_loaded_and_used(arm, reduced, tmp_path):
    path = reduced_file(tmp_path / 'arm.yaml')
    assert path == tmp_path / 'arm.rom.npz'
    reduced.save(path)
    read = ReducedModel.load(path)
    for name in ('modes', 'projection', 'singular_values', 'bounds'):
        assert np.array_equal(getattr(read, name), getattr(reduced, name))
    assert np.array_equal(read.rules['arm'], reduced.rules['arm'])
    rod = read.rod(arm)
    assert rod.dof == 5
    assert set(reduced.rules['arm'][0]) <= set(rod.arc_length)
    assert rod.model_id == reduced.rod(arm).model_id


def test_a_model_without_rules_keeps_those_of_the_robot_file(arm, arm_rod, tmp_path):
    model = ReducedModel.of(arm, decompose(arm_rod, snapshots(arm_rod), count=3))
    model.save(tmp_path / 'model.npz')
    rod = ReducedModel.load(tmp_path / 'model.npz').rod(arm)
    assert np.array_equal(rod.arc_length, arm_rod.arc_length)


def test_a_robot_that_has_changed_is_refused_with_a_sentence(arm, reduced):
    softer = arm.links[0].model_copy(update={'length': 0.26})
    with pytest.raises(ValueError, match='its file has changed since the reduced model was made'):
        reduced.rod(arm.model_copy(update={'links': (softer,)}))


def test_another_file_is_refused_with_a_sentence(tmp_path):
    np.savez(tmp_path / 'other.npz', modes=np.zeros(3))
    with pytest.raises(ValueError, match='not a file of continua reduced model 1'):
        ReducedModel.load(tmp_path / 'other.npz')


def test_the_estimator_takes_the_reduced_model_like_the_full_one(arm, arm_rod):
    inputs = hypercube([0.0] * 3, [10.0] * 3, 3)
    rod = ReducedModel.of(arm, decompose(arm_rod, static_snapshots(arm, inputs).q, count=8)).rod(arm)
    shape = arm_rod.statics([3.0, 1.0, 2.0]).q
    marker = MarkerModel(arm_rod, ['tip']).predict(shape)
    estimator = ShapeLeastSquares(rod, Synergies.of_statics(rod, modes=4), noise=1e-4)
    found = estimator.step(None, marker, np.array([True]))
    assert found.converged and found.q.shape == (8,)
    held_out = MarkerModel(rod, ['middle']).predict(found.q) - MarkerModel(arm_rod, ['middle']).predict(shape)
    assert found.residual < 1e-3
    assert np.linalg.norm(held_out) < 5e-3
