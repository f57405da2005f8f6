"""The experiment with the real drivers on emulated devices: wrong commands, pulled plugs, kill -9.

The tests share one graph, which gets smaller from one to the next: every node is killed in turn, and nothing
but that node may end.
"""

import time

import numpy as np
import pytest
from std_srvs.srv import SetBool

from continua.io.bag_reader import is_finished
from continua.io.summary import summarise
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, qos
from continua_tests.connections import connections, misfits
from continua_tests.experiment import NAMESPACE, Experiment

EXPECTED = {
    (f'{NAMESPACE}/{topic}', publisher, subscriber)
    for topic, publisher, subscriber in [
        ('tendon/command', 'reference_player', 'tendon_driver'),
        ('tendon/state', 'tendon_driver', 'reference_player'),
        ('plant/tendon/command', 'board_emulator', 'simulation'),
        ('plant/tendon/state', 'simulation', 'board_emulator'),
        ('plant/markers', 'simulation', 'mocap_emulator'),
        ('markers', 'mocap', 'shape_estimator'),
    ]
}


@pytest.fixture(scope='module')
def experiment(tmp_path_factory):
    with Experiment(tmp_path_factory.mktemp('emulated'), 'emulated') as experiment:
        experiment.wait_for_motion()
        yield experiment


@pytest.fixture
def commanding(experiment):
    """Commands 2 N at 50 Hz while the bench waits."""
    publisher = experiment.bench.node.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)
    timer = experiment.bench.node.create_timer(0.02, lambda: publisher.publish(experiment.command(2.0)))
    yield
    experiment.bench.node.destroy_timer(timer)
    experiment.bench.node.destroy_publisher(publisher)


def has(fault: int, state: TendonState) -> bool:
    return bool(np.bitwise_and(state.fault, fault).all())


def is_slack(state: TendonState) -> bool:
    return not any(state.command)


def stamp(message) -> float:
    return convert.from_stamp(message.header.stamp)


def test_everything_that_is_connected_fits(experiment):
    node = experiment.bench.node
    experiment.wait_until(lambda: set(connections(node)) >= EXPECTED, f'the connections {EXPECTED}')
    assert misfits(node) == []


@pytest.mark.parametrize('count', ['rejected_nan', 'rejected_length', 'rejected_stale'])
def test_wrong_commands_are_refused_and_counted(experiment, refuses, count):
    refuses(experiment, 'tendon_driver', count)


def test_a_killed_recorder_leaves_a_bag_with_a_good_estimate(experiment, is_good):
    experiment.wait_for_estimates(11.0)
    experiment.kill('recorder')
    experiment.wait_for_others()
    assert not is_finished(experiment.bag)
    summary = summarise(experiment.bag)
    assert [problem for problem in summary.problems if 'recorder was killed' not in problem] == []
    is_good(summary, ['plant/tendon/command', 'plant/tendon/state'])


def test_a_pulled_plug_is_reported_and_the_board_found_again(experiment, record_property):
    def sentence() -> str:
        return experiment.diagnostics.sentence('tendon_driver')

    reconnects = experiment.diagnostics.value('tendon_driver', 'reconnects')
    experiment.bench.call(SetBool, 'unplug', SetBool.Request(data=True))
    lost = experiment.wait_for_state(lambda state: has(TendonState.FAULT_DEVICE_LOST, state), 'DEVICE_LOST')
    assert is_slack(lost)
    experiment.wait_until(
        lambda: 'DEVICE_LOST' in experiment.diagnostics.sentence('tendon_driver'),
        'DEVICE_LOST in /diagnostics',
    )
    experiment.bench.call(SetBool, 'unplug', SetBool.Request(data=False))
    plugged_in = time.monotonic()
    experiment.wait_for_motion()
    record_property('plugged_in_to_tension_s', round(time.monotonic() - plugged_in, 3))
    experiment.wait_until(
        lambda: experiment.diagnostics.value('tendon_driver', 'reconnects') > reconnects, 'a reconnect'
    )
    experiment.wait_until(lambda: 'enabled' in sentence(), 'the driver to be enabled')


def test_a_motion_capture_without_its_cable_is_reported_and_found_again(experiment):
    def says(words: str) -> None:
        experiment.wait_until(
            lambda: words in experiment.diagnostics.sentence('mocap'), f'{words!r} in /diagnostics'
        )

    says('sends frames')
    experiment.bench.call(SetBool, 'mocap/unplug', SetBool.Request(data=True))
    says('server: nothing answers')
    experiment.bench.call(SetBool, 'mocap/unplug', SetBool.Request(data=False))
    says('sends frames')


def test_without_the_estimator_the_rest_goes_on(experiment):
    experiment.kill('shape_estimator')
    experiment.wait_for_others()
    experiment.wait_for_motion()


def test_without_the_player_the_driver_goes_slack(experiment, record_property):
    experiment.wait_for_motion()
    experiment.kill('reference_player')
    slack = experiment.wait_for_state(
        lambda state: is_slack(state) and has(TendonState.FAULT_WATCHDOG, state), '0 N and FAULT_WATCHDOG'
    )
    record_property('last_command_to_slack_s', round(stamp(slack) - stamp(experiment.commands[-1]), 4))
    experiment.wait_for_others()
    experiment.wait_until(
        lambda: 'watchdog' in experiment.diagnostics.sentence('tendon_driver'), 'watchdog in /diagnostics'
    )


def test_a_fresh_command_ends_the_watchdog(experiment, commanding):
    experiment.wait_for_motion()


def test_without_the_plant_the_driver_goes_slack(experiment, commanding, record_property):
    experiment.wait_for_motion()
    killed = time.monotonic()
    experiment.kill('simulation')
    # The board's sensors are silent now.
    experiment.wait_for_state(
        lambda state: is_slack(state) and has(TendonState.FAULT_SENSOR, state), '0 N and FAULT_SENSOR'
    )
    record_property('plant_killed_to_slack_s', round(time.monotonic() - killed, 3))
    experiment.wait_for_others()


def test_without_the_board_the_driver_goes_slack_and_looks_for_it(experiment, commanding):
    experiment.kill('board_emulator')
    lost = experiment.wait_for_state(lambda state: has(TendonState.FAULT_DEVICE_LOST, state), 'DEVICE_LOST')
    assert is_slack(lost)
    experiment.wait_for_others()
    assert experiment.nodes() == {'tendon_driver', 'mocap', 'mocap_emulator'}
