"""Run files: what is written comes back, and what is no run is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from continua.io.run_file import UNITS, load_run, save_run


@pytest.fixture
def motion():
    random = np.random.default_rng(1)
    shapes = {
        'time': (4,),
        'q': (4, 2),
        'qd': (4, 2),
        'u': (4, 1),
        'tip_position': (4, 3),
        'tip_quaternion_xyzw': (4, 4),
        'arc_length': (5,),
        'backbone': (4, 5, 3),
    }
    return SimpleNamespace(**{name: random.normal(size=shape) for name, shape in shapes.items()})


def test_a_run_comes_back_with_its_information(motion, tmp_path):
    path = tmp_path / 'run'  # a name without suffix stays as it is
    save_run(path, motion, {'robot': 'arm', 'complete': True})
    run = load_run(path)
    for name in UNITS:
        np.testing.assert_array_equal(getattr(run, name), getattr(motion, name))
    assert run.information == {'robot': 'arm', 'complete': True}


def test_units_are_in_the_file_and_nothing_is_pickled(motion, tmp_path):
    path = tmp_path / 'run.npz'
    save_run(path, motion, {})
    with np.load(path, allow_pickle=False) as file:
        assert set(file) == {*UNITS, 'metadata'}
        assert '"time": "s"' in str(file['metadata'])


@pytest.mark.parametrize('content', ['text', 'pickle', 'other'])
def test_what_is_no_run_is_refused(content, tmp_path):
    path = tmp_path / 'run.npz'
    if content == 'text':
        path.write_text('time,q\n0,1\n')
    elif content == 'pickle':
        np.savez(path, time=np.array([{}], dtype=object))
    else:
        np.savez(path, time=np.zeros(3))
    with pytest.raises(ValueError, match='run.npz: not a run of `continua simulate`'):
        load_run(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match='No such file'):
        load_run(tmp_path / 'missing.npz')
