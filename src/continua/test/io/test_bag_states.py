"""States of a bag, with the tensions under which they were, and the reduced model that they make."""

from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from continua.cli.reduce import reduce
from continua.description import load_robot
from continua.io.bag import BagWriter
from continua.io.bag_states import load_states
from continua.reduction import ReducedModel, Snapshots, equilibria
from continua.rod import Rod

START = 1_000_000_000
ROBOT = Path(__file__).parents[4] / 'config' / 'robots' / 'single_tendon_arm.yaml'
TENDONS, STATE = 'continua_msgs/msg/TendonState', 'continua_msgs/msg/RodState'


@pytest.fixture
def write(types):
    """Function that writes 1 s of states every 0.1 s; tension k N is applied from 0.25 k s on."""

    def state(stamp, q, model_id):
        empty = np.zeros(0)
        shape = types.store.types['continua_msgs/msg/RodShape'](
            types.header(stamp), empty, empty, empty, empty
        )
        return types.cdr(
            STATE,
            header=types.header(stamp),
            model_id=model_id,
            q=np.array(q),
            qd=empty,
            covariance=empty,
            parameter=[],
            parameter_value=empty,
            parameter_variance=empty,
            shape=shape,
        )

    def tendon(stamp, command):
        zero = np.zeros(2)
        return types.cdr(
            TENDONS,
            header=types.header(stamp),
            name=['left', 'right'],
            tension=zero,
            displacement=zero,
            velocity=zero,
            command=np.array([command, 10.0 * command]),
            is_saturated=np.zeros(2, dtype=bool),
            fault=np.zeros(2, dtype=np.uint16),
        )

    def write(folder, topics=('truth/state', 'estimate/state'), models=('m', 'm'), shapes=None):
        bag = BagWriter(folder, {'robot': 'arm'})
        bag.add_topic(types.topic('/arm/tendon/state', TENDONS))
        for topic in topics:
            bag.add_topic(types.topic(f'/arm/{topic}', STATE))
        for k in range(4):
            at = START + k * 250_000_000
            bag.write('/arm/tendon/state', tendon(at, float(k)), at, at)
        for k in range(11):
            at = START + k * 100_000_000
            for number, topic in enumerate(topics):
                q = [float(k), number] if shapes is None else shapes[k]
                bag.write(f'/arm/{topic}', state(at, q, models[k > 5]), at, at)
        bag.close()
        return folder

    return write


def test_the_truth_is_read_with_the_tensions_that_were_applied_then(write, tmp_path):
    found = load_states(write(tmp_path / 'bag'), ('right', 'missing', 'left'))
    assert found.model_id == 'm'
    assert np.allclose(found.time, 0.1 * np.arange(11), atol=1e-9)
    assert np.array_equal(found.q, np.stack([np.arange(11), np.zeros(11)], axis=1))
    applied = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3], dtype=float)
    assert np.array_equal(found.u[:, 0], 10.0 * applied) and np.array_equal(found.u[:, 2], applied)
    assert np.isnan(found.u[:, 1]).all()


def test_without_the_truth_the_estimate_is_read(write, tmp_path):
    found = load_states(write(tmp_path / 'bag', topics=('estimate/state',)), ())
    assert found.q.shape == (11, 2) and found.u.shape == (11, 0)


def test_a_bag_without_states_of_one_model_is_refused_with_a_sentence(write, tmp_path):
    with pytest.raises(ValueError, match='holds no state: expected messages of /arm/truth/state or'):
        load_states(write(tmp_path / 'none', topics=()), ())
    with pytest.raises(ValueError, match='holds states of several models: a, b'):
        load_states(write(tmp_path / 'two', models=('a', 'b')), ())
    with pytest.raises(ValueError, match='is not a bag'):
        load_states(tmp_path / 'missing', ())


def _reduce(*arguments):
    app = typer.Typer()
    app.command('reduce')(reduce)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_reduced_model_is_made_of_a_bag_of_the_same_robot(write, tmp_path):
    rod = Rod(load_robot(ROBOT))
    shapes, _ = equilibria(rod, np.linspace(0.0, 5.0, 11)[:, None])
    bag = write(tmp_path / 'bag', models=(rod.model_id,) * 2, shapes=shapes)
    out, kept = tmp_path / 'model.npz', tmp_path / 'kept.npz'
    result = _reduce(
        ROBOT, '--from-bag', bag, '--out', out, '--snapshots', kept, '--modes', 2, '--span', '0,5'
    )
    assert result.exit_code == 0, result.output
    assert '11 snapshots' in result.stdout
    assert np.array_equal(Snapshots.load(kept).q, shapes)
    model = ReducedModel.load(out)
    assert np.allclose(
        (model.modes @ model.projection @ shapes.T).T, shapes, atol=0.01 * np.abs(shapes).max()
    )
    other = _reduce(ROBOT, '--from-bag', write(tmp_path / 'other'), '--out', out)
    assert 'its states are of the model m, that of the robot file is' in str(other.exception)
