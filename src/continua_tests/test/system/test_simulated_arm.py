"""The experiment on the simulated arm: connected, deaf to wrong commands, accurate; the last test ends it."""

import pytest

from continua.io.bag_reader import is_finished
from continua.io.summary import summarise
from continua_node.testing import executable
from continua_tests.connections import connections, misfits
from continua_tests.experiment import NAMESPACE, Experiment

EXPECTED = {
    (f'{NAMESPACE}/{topic}', publisher, subscriber)
    for topic, publisher, subscribers in [
        ('markers', 'simulation', ['shape_estimator', 'console', '_recorder']),
        ('tendon/state', 'simulation', ['reference_player', 'console', '_recorder']),
        ('tendon/command', 'reference_player', ['simulation', '_recorder']),
        ('tendon/command', 'console', ['simulation', '_recorder']),
        ('estimate/shape', 'shape_estimator', ['console', '_recorder']),
        ('truth/shape', 'simulation', ['console', '_recorder']),
        ('control/status', 'reference_player', ['console', '_recorder']),
        ('robot_description', 'simulation', ['_recorder']),
    ]
    for subscriber in subscribers
}


@pytest.fixture(scope='module')
def experiment(tmp_path_factory):
    with Experiment(tmp_path_factory.mktemp('sim'), 'sim') as experiment:
        experiment.wait_for_motion()
        yield experiment


def test_everything_that_is_connected_fits(experiment):
    console = executable('continua_bringup', 'console')
    arguments = ['-p', f'robot_file:={experiment.robot_file}', '-p', 'settings_id:=test', '-p', 'port:=0']
    with experiment.bench.start(console, *arguments):
        node = experiment.bench.node
        experiment.wait_until(lambda: set(connections(node)) >= EXPECTED, f'the connections {EXPECTED}')
        assert misfits(node) == []


@pytest.mark.parametrize('count', ['rejected_nan', 'rejected_length', 'rejected_stale'])
def test_wrong_commands_are_refused_and_counted(experiment, refuses, count):
    refuses(experiment, 'simulation', count)


def test_the_bag_shows_a_good_estimate(experiment, is_good):
    experiment.wait_for_estimates(11.0)
    experiment.service.stop()
    assert experiment.service.exit_code == 0
    assert is_finished(experiment.bag)
    summary = summarise(experiment.bag)
    assert summary.problems == []
    is_good(summary)
