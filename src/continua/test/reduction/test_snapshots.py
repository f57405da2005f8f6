"""Snapshots: equilibria, motions, and the file that others can read."""

import json

import numpy as np
import pytest

from continua.description.external import PointLoad
from continua.reduction import (
    Snapshots,
    dynamic_snapshots,
    equilibria,
    hypercube,
    push_signal,
    random_inputs,
    static_snapshots,
)
from continua.rod import Integrator, Rod

SWEEP = hypercube([-5.0, -5.0, -5.0], [5.0, 5.0, 5.0], 3)


@pytest.fixture(scope='module')
def sweep(arm):
    return static_snapshots(arm, SWEEP)


def test_static_snapshots_are_stable_equilibria_under_their_inputs(arm_rod, sweep):
    assert sweep.q.shape == (27, arm_rod.dof) and sweep.left_out == 0
    assert np.array_equal(sweep.u, SWEEP)
    for q, u in zip(sweep.q, sweep.u, strict=True):
        forces = arm_rod.residual(q, u=u) * arm_rod.scale
        assert np.abs(forces).max() < 1e-9
        assert arm_rod.statics(u, q).stable


def test_a_sweep_starts_from_neighbours_and_needs_fewer_iterations_than_from_rest(arm_rod, sweep):
    warm = sum(arm_rod.statics(u, q0).iterations for u, q0 in zip(sweep.u[1:], sweep.q[:-1], strict=True))
    assert warm < sum(arm_rod.statics(u).iterations for u in sweep.u[1:])


def test_cases_without_an_equilibrium_are_left_out_and_counted(arm, arm_rod):
    inputs = np.concatenate([SWEEP[:2], [[1e300, 0.0, 0.0]], SWEEP[2:4]])
    found = static_snapshots(arm, inputs)
    assert found.left_out == 1
    assert np.array_equal(found.u, SWEEP[:4])
    assert np.array_equal(equilibria(arm_rod, inputs)[1], [True, True, False, True, True])
    with pytest.raises(ValueError, match='no snapshot to decompose, 1 cases without a solution'):
        static_snapshots(arm, [[1e300, 0.0, 0.0]])


def test_the_file_gives_the_strains_to_someone_without_continua(arm_rod, sweep, tmp_path):
    sweep.save(tmp_path / 'sweep.npz')
    file = np.load(tmp_path / 'sweep.npz', allow_pickle=False)
    metadata = json.loads(str(file['metadata']))
    assert metadata['robot'] == 'three_tendon_arm'
    assert metadata['robot_hash'] == arm_rod.robot.hash
    assert metadata['inputs'] == ['tendon_1', 'tendon_2', 'tendon_3']
    assert set(metadata['units']) == set(file.files) - {'metadata'} | {'time'}
    on_arm = ~np.isnan(file['arc_length'])
    assert set(file['link'][on_arm]) == {'arm'}
    for k in (0, 13, 26):
        strain = file['reference'] + file['basis'] @ file['q'][k]
        shape = arm_rod.shape(file['q'][k], file['arc_length'][on_arm])
        assert np.allclose(strain[on_arm], shape.strain, rtol=0, atol=1e-12)


def test_what_is_saved_is_what_is_loaded(platform, tmp_path):
    push = push_signal([-1.0] * 6, [1.0] * 6, (0.05, 0.1), True, 0.2, 100.0, np.random.default_rng(5))
    written = dynamic_snapshots(
        platform, np.zeros((21, 0)), 100.0, wrench=0.1 * push, place=('platform', 0.1), seed=5
    )
    written.save(tmp_path / 'motion')
    read = Snapshots.load(tmp_path / 'motion')
    for name in ('robot', 'robot_hash', 'model_id', 'input_names', 'seed', 'left_out'):
        assert getattr(read, name) == getattr(written, name)
    for name in ('q', 'u', 'time'):
        assert np.array_equal(getattr(read, name), getattr(written, name))
    for name in ('link', 'arc_length', 'basis', 'reference'):
        assert np.array_equal(
            getattr(read.points, name), getattr(written.points, name), equal_nan=name == 'arc_length'
        )
    assert read.points.is_joint.sum() == 3
    assert read.time[-1] == 0.2


@pytest.mark.parametrize('content', [b'', b'text', None])
def test_another_file_is_refused_with_a_sentence(content, tmp_path):
    path = tmp_path / 'other.npz'
    if content is None:
        np.savez(path, metadata=np.array(json.dumps({'format': 'something'})))
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match='a file of continua snapshots 1'):
        Snapshots.load(path)


def test_a_motion_is_that_of_the_integrator(arm, arm_rod):
    u = random_inputs([0.0] * 3, [5.0] * 3, 6, np.random.default_rng(1))
    found = dynamic_snapshots(arm, u, 50.0, substeps=2)
    motion = Integrator(arm_rod)
    motion.reset(np.zeros(arm_rod.dof))
    for k, row in enumerate(u):
        assert found.time[k] == k / 50.0
        assert np.array_equal(found.q[k], motion.q)
        assert motion.step(0.01, row) and motion.step(0.01, row)


def test_runs_begin_anew_and_stand_one_after_the_other(arm):
    u = random_inputs([0.0] * 3, [5.0] * 3, 8, np.random.default_rng(2)).reshape(2, 4, 3)
    both = dynamic_snapshots(arm, u, 50.0)
    assert np.array_equal(both.time, np.tile(np.arange(4) / 50.0, 2))
    for i in range(2):
        assert np.array_equal(both.q[4 * i : 4 * i + 4], dynamic_snapshots(arm, u[i], 50.0).q)


def test_a_constant_push_ends_in_the_equilibrium_under_that_load(arm):
    force = np.array([0.0, 0.0, 0.0, 0.02, 0.03, -0.05])
    pushed = dynamic_snapshots(
        arm, np.zeros((200, 3)), 20.0, wrench=np.tile(force, (200, 1)), place=('arm', 0.2)
    )
    load = PointLoad(name='hand', type='point', link='arm', arc_length=0.2, frame='world', force=force[3:])
    rest = Rod(arm.model_copy(update={'loads': (load,)})).statics()
    assert rest.converged
    assert np.abs(pushed.q[-1] - rest.q).max() < 1e-4 * np.abs(rest.q).max()


def test_a_motion_that_cannot_be_integrated_ends_there_and_says_so(arm):
    u = np.zeros((10, 3))
    u[4:] = 1e300
    found = dynamic_snapshots(arm, u, 50.0)
    assert len(found.q) == 5 and found.left_out == 5


def test_what_does_not_fit_is_refused_with_a_sentence(arm, arm_rod):
    with pytest.raises(ValueError, match='inputs: expected finite numbers'):
        static_snapshots(arm, np.zeros((4, 2)))
    with pytest.raises(ValueError, match='u: expected 3 values for tendon_1, tendon_2, tendon_3'):
        dynamic_snapshots(arm, np.zeros((4, 2)), 50.0)
    with pytest.raises(ValueError, match='rate, substeps'):
        dynamic_snapshots(arm, np.zeros((4, 3)), 0.0)
    with pytest.raises(ValueError, match='wrench, place: expected both or none'):
        dynamic_snapshots(arm, np.zeros((4, 3)), 50.0, wrench=np.zeros((4, 6)))
    with pytest.raises(ValueError, match=r'wrench: expected \(4, 6\)'):
        dynamic_snapshots(arm, np.zeros((4, 3)), 50.0, wrench=np.zeros((3, 6)), place=('arm', 0.1))
    with pytest.raises(ValueError, match='arc_length: expected a value in'):
        dynamic_snapshots(arm, np.zeros((4, 3)), 50.0, wrench=np.zeros((4, 6)), place=('arm', 0.3))
    with pytest.raises(ValueError, match='snapshots: expected q, u, time of shapes'):
        Snapshots.of(arm_rod, np.zeros((4, 21)), np.zeros((4, 3)))
