"""Many tasks: the same results from any number of workers, and from a second call that goes on."""

import os

import numpy as np
import pytest

from continua.reduction import Pool, dynamic_snapshots, hypercube, random_inputs, static_snapshots

SWEEP = hypercube([-5.0] * 3, [5.0] * 3, 6)


@pytest.fixture(scope='module')
def alone(arm):
    return static_snapshots(arm, SWEEP)


def assert_same(found, expected):
    """But for rounding: a process that compiles kernels and one that loads them may round differently."""
    assert np.allclose(found.q, expected.q, rtol=0, atol=1e-9 * np.abs(expected.q).max())


def test_workers_change_nothing(arm, alone):
    assert_same(static_snapshots(arm, SWEEP, pool=Pool(workers=2)), alone)


def test_progress_is_told_from_nothing_to_all(arm):
    said = []
    static_snapshots(arm, SWEEP, progress=lambda done, total: said.append((done, total)))
    assert said == [(i, 4) for i in range(5)]


class _InterruptedError(Exception):
    pass


def test_a_second_call_goes_on_where_the_first_was_interrupted(arm, alone, tmp_path):
    pool = Pool(folder=tmp_path / 'parts')

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise _InterruptedError

    with pytest.raises(_InterruptedError):
        static_snapshots(arm, SWEEP, pool=pool, progress=interrupt)
    finished = {path: path.stat().st_mtime_ns for path in (tmp_path / 'parts').iterdir()}
    assert len(finished) == 2
    said = []
    found = static_snapshots(arm, SWEEP, pool=pool, progress=lambda done, total: said.append(done))
    assert said == [2, 3, 4]
    assert np.array_equal(found.q, alone.q)
    assert all(path.stat().st_mtime_ns == at for path, at in finished.items())


def test_an_interrupt_does_not_wait_for_tasks_that_have_not_begun(tmp_path):
    def interrupt(done: int, total: int) -> None:
        if done == 1:
            raise _InterruptedError

    tasks = {str(i): (tmp_path / str(i),) for i in range(5000)}
    with pytest.raises(_InterruptedError):
        Pool(workers=2).run(os.mkdir, tasks, interrupt)
    assert 1 <= len(list(tmp_path.iterdir())) < 5000


def test_what_is_kept_of_one_task_is_not_taken_for_another(arm, tmp_path):
    pool = Pool(folder=tmp_path)
    with_gravity = static_snapshots(arm, SWEEP[:3], pool=pool)
    without = static_snapshots(arm, SWEEP[:3], gravity=False, pool=pool)
    heavier = arm.model_copy(update={'gravity': (0.0, 0.0, -20.0)})
    other = static_snapshots(heavier, SWEEP[:3], pool=pool)
    motion = dynamic_snapshots(arm, SWEEP[:3], 50.0, pool=pool)
    assert len(list(tmp_path.iterdir())) == 4
    assert np.array_equal(without.q, static_snapshots(arm, SWEEP[:3], gravity=False).q)
    assert not np.allclose(with_gravity.q, without.q) and not np.allclose(with_gravity.q, other.q)
    assert np.array_equal(motion.q[0], np.zeros(22))


def test_ray_does_the_same(arm, alone):
    import ray  # not above: the doctor's tests see to it that nothing else loads it

    try:
        found = static_snapshots(arm, SWEEP, pool=Pool(ray_address='local'))
        u = random_inputs([0.0] * 3, [5.0] * 3, 8, np.random.default_rng(2)).reshape(2, 4, 3)
        runs = dynamic_snapshots(arm, u, 50.0, pool=Pool(ray_address='local'))
    finally:
        ray.shutdown()
    assert_same(found, alone)
    assert_same(runs, dynamic_snapshots(arm, u, 50.0))


def test_ray_that_is_not_installed_is_refused_with_the_command_that_installs_it(arm, monkeypatch):
    monkeypatch.setitem(__import__('sys').modules, 'ray', None)
    with pytest.raises(ValueError, match=r'pip install -r requirements/cluster.txt'):
        static_snapshots(arm, SWEEP[:2], pool=Pool(ray_address='auto'))


def test_a_folder_that_cannot_be_is_refused_with_a_sentence(arm, tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(ValueError, match='the folder cannot be made'):
        static_snapshots(arm, SWEEP[:2], pool=Pool(folder=tmp_path / 'file' / 'parts'))
