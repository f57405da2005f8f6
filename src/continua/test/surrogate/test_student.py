import numpy as np
import pytest

torch = pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

from continua.arrays import Arrays  # noqa: E402, after torch is known to be there
from continua.cosserat import CollocationRod  # noqa: E402
from continua.surrogate.one_step import OneStepNetwork  # noqa: E402
from continua.surrogate.student import Student, StudentSettings  # noqa: E402
from continua.surrogate.training import fit  # noqa: E402
from continua.surrogate.verification import rollouts, verify  # noqa: E402

DT = 1.0 / 70.0
_SMALL = {'hidden': (12, 10), 'epochs': 6, 'batch': 16, 'held_out': 0.2}


@pytest.fixture(scope='module')
def student(rod, found):
    return Student(rod, found, StudentSettings(**_SMALL))


@pytest.fixture(scope='module')
def network(student):
    return student.model({'robot': 'arm'})


def _step(found):
    return found.x[:, 3], found.u[:, 3], found.c[:, None], DT


def test_the_network_in_si_units_is_that_of_the_training(student, network, rod, found):
    x, u, c, _ = _step(found)
    wrench = torch.from_numpy(u @ student._wrench.astype(np.float32))
    with torch.inference_mode():
        trained = student.network(torch.from_numpy(x), wrench, torch.from_numpy(c)).numpy()
    np.testing.assert_allclose(network(x, u, c, DT) / rod.scale, trained / rod.scale, atol=1e-4)


def test_torch_predicts_what_numpy_does(network, rod, found, tmp_path):
    network.save(tmp_path / 'student.safetensors')
    on_torch = OneStepNetwork.load(tmp_path / 'student.safetensors', Arrays('cpu'))
    as_double = OneStepNetwork.load(tmp_path / 'student.safetensors', Arrays())
    expected = as_double(*(each.astype(float) for each in _step(found)[:3]), DT)
    single = OneStepNetwork.load(tmp_path / 'student.safetensors')(*_step(found))
    for states in (on_torch.arrays.wrap(on_torch)(*_step(found)), single):
        np.testing.assert_allclose(states / rod.scale, expected / rod.scale, atol=1e-4)


def test_weights_and_card_survive_a_file(network, found, tmp_path):
    network.save(tmp_path / 'student.safetensors')
    again = OneStepNetwork.load(tmp_path / 'student.safetensors')
    assert again.card == network.card
    assert np.array_equal(again(*_step(found)), network(*_step(found)))


def test_a_state_without_a_value_stays_alone(network, found):
    x, u, c, dt = _step(found)
    x = x.copy()
    x[2, 5] = np.nan
    after = network(x, u, c, dt)
    assert np.isnan(after[2]).any()
    assert np.isfinite(np.delete(after, 2, axis=0)).all()


def test_turning_robot_and_pressures_turns_the_prediction(network, rod, found):
    from continua.surrogate.symmetry import turned

    x, u, c, dt = (each.astype(float) if isinstance(each, np.ndarray) else each for each in _step(found))
    third = np.tile([np.sin(2 * np.pi / 3), np.cos(2 * np.pi / 3)], (len(x), 1))
    again = network(turned(x, third, np), np.roll(u, 1, axis=1), c, dt)
    np.testing.assert_allclose(
        again / rod.scale, turned(network(x, u, c, dt), third, np) / rod.scale, atol=1e-5
    )


def test_training_on_single_steps_reduces_their_error(rod, found):
    student = Student(rod, found, StudentSettings(**_SMALL))

    def error():
        return np.mean([loss.item() for loss in student.losses(0)])

    before = error()
    fit(student, 2)
    assert error() < 0.5 * before


def test_a_rod_that_lies_is_learned_without_turning(lying, found):
    network = Student(CollocationRod(lying, 2), found, StudentSettings(**_SMALL)).model({})
    assert not network.card['symmetric']
    assert np.isfinite(network(*_step(found))).all()


def test_the_rod_itself_has_no_error(rod):
    true = rollouts(rod, 2, 0.2, DT)
    column = rod.parameter_names.index('bending_compliance')

    def transition(x, u, parameters, dt):
        theta = np.tile(rod.theta, (len(x), 1))
        theta[:, column] = parameters[:, 0]
        return rod.step(x, u, dt, theta)

    errors = verify(transition, rod, true)
    assert errors.rollout.max() < 1e-12
    assert errors.states.max() < 1e-12


def test_another_step_is_refused(network, found):
    x, u, c, _ = _step(found)
    with pytest.raises(ValueError, match='expected the step of the training'):
        network(x, u, c, 0.02)


def test_a_file_of_something_else_is_refused(network, tmp_path):
    path = tmp_path / 'weights.safetensors'
    path.write_bytes(b'nothing')
    with pytest.raises(ValueError, match='not a file of weights'):
        OneStepNetwork.load(path)
