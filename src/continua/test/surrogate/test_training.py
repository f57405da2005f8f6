import numpy as np
import pytest

torch = pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

from continua.surrogate.student import Student, StudentSettings  # noqa: E402, after torch is known to be there
from continua.surrogate.training import Epoch, cosine, fit, plateau  # noqa: E402

_SETTINGS = StudentSettings(hidden=(8,), epochs=6, batch=16, held_out=0.2)


def _weights(problem):
    return [each.detach().numpy() for each in problem.network.parameters()]


def test_a_resumed_run_ends_with_the_weights_of_an_unbroken_one(rod, found, tmp_path):
    unbroken, first, second = (Student(rod, found, _SETTINGS) for _ in range(3))
    expected = fit(unbroken, 6)
    fit(first, 3, tmp_path)
    history = fit(second, 6, tmp_path, resume=True)
    assert all(np.array_equal(*pair) for pair in zip(_weights(second), _weights(unbroken), strict=True))
    assert [each.validation for each in history] == [each.validation for each in expected]


def test_a_run_is_not_written_over(rod, found, tmp_path):
    fit(Student(rod, found, _SETTINGS), 1, tmp_path)
    with pytest.raises(ValueError, match='holds a run already'):
        fit(Student(rod, found, _SETTINGS), 2, tmp_path)


def test_a_run_of_other_settings_is_not_resumed(rod, found, tmp_path):
    fit(Student(rod, found, _SETTINGS), 1, tmp_path)
    other = StudentSettings(hidden=(9,), epochs=6, batch=16, held_out=0.2)
    with pytest.raises(ValueError, match='a run with other settings'):
        fit(Student(rod, found, other), 2, tmp_path, resume=True)


def test_the_log_has_a_line_for_each_epoch(rod, found, tmp_path):
    history = fit(Student(rod, found, _SETTINGS), 3, tmp_path)
    lines = (tmp_path / 'log.csv').read_text().splitlines()
    assert lines[0] == 'epoch,loss,validation,rate,seconds'
    assert [float(line.split(',')[2]) for line in lines[1:]] == [each.validation for each in history]


def test_a_loss_without_a_value_changes_nothing(rod, found):
    student = Student(rod, found, _SETTINGS)
    before = [each.copy() for each in _weights(student)]
    student._seen[0][:] = torch.nan
    fit(student, 1)
    assert all(np.array_equal(*pair) for pair in zip(_weights(student), before, strict=True))


def test_the_rate_is_halved_after_a_plateau():
    history = [Epoch(k, 1.0, max(1.0, 5.0 - k), 0.1, 0.0) for k in range(9)]
    assert plateau(0.1, history, patience=3) == 0.05
    assert plateau(0.1, history[:-1], patience=3) == 0.1


def test_the_rate_falls_to_a_hundredth():
    assert cosine(0.1, 0, 10) == pytest.approx(0.1)
    assert cosine(0.1, 10, 10) == pytest.approx(1e-3)
