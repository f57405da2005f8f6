"""What both robots of the tests below are asked alike."""

from collections.abc import Callable, Sequence

import pytest

from continua.io.summary import Summary
from continua_msgs.msg import TendonCommand
from continua_node import qos
from continua_tests.experiment import NAMESPACE, Experiment

# The reference player goes from 0 to 4 N (config/nodes/reference_player.yaml), the drives to 6 N.
HIGHEST_PLAYED = 4.0
REFUSED = 5.0
TOPICS = (
    'tendon/command',
    'tendon/state',
    'markers',
    'tip_pose',
    'truth/shape',
    'truth/state',
    'estimate/shape',
    'estimate/state',
    'control/status',
    'robot_description',
)


def wrong_length(experiment: Experiment) -> TendonCommand:
    message = experiment.command(REFUSED)
    message.tension = message.tension[:-1]
    return message


WRONG_COMMANDS: dict[str, Callable[[Experiment], TendonCommand]] = {
    'rejected_nan': lambda experiment: experiment.command(float('nan')),
    'rejected_length': wrong_length,
    'rejected_stale': lambda experiment: experiment.command(REFUSED, age=1.0),
}


@pytest.fixture(scope='session')
def refuses() -> Callable[[Experiment, str, str], None]:
    """Asserts that a node counts a kind of wrong command and pulls no more than the player asks for."""

    def check(experiment: Experiment, node: str, count: str) -> None:
        publisher = experiment.bench.node.create_publisher(
            TendonCommand, 'tendon/command', qos.COMMAND.offered
        )
        timer = experiment.bench.node.create_timer(
            0.05, lambda: publisher.publish(WRONG_COMMANDS[count](experiment))
        )
        before = experiment.diagnostics.value(node, count)
        experiment.wait_until(
            lambda: experiment.diagnostics.value(node, count) > before, f'{count} of {node}'
        )
        experiment.wait_for_motion()
        experiment.bench.node.destroy_timer(timer)
        experiment.bench.node.destroy_publisher(publisher)
        # The board counts in micronewtons.
        assert max(max(state.command) for state in experiment.states) <= HIGHEST_PLAYED + 1e-6

    return check


@pytest.fixture
def is_good(record_property) -> Callable[[Summary, Sequence[str]], None]:
    """Asserts that a run has all topics, lost nothing, and shows the errors that this experiment promises."""

    def check(summary: Summary, more_topics: Sequence[str] = ()) -> None:
        expected = {f'{NAMESPACE}/{topic}' for topic in (*TOPICS, *more_topics)} | {'/diagnostics'}
        assert expected <= summary.topics.keys()
        (estimate,) = summary.estimates.values()
        assert estimate.tip_error_mm.mean < 2.0
        held_out = [error for error in estimate.marker_error_mm.values() if error.role == 'held_out']
        assert held_out
        worst = max(error.against_truth_mm.mean for error in held_out)
        assert worst < 6.0
        record_property('tip_error_mean_mm', round(estimate.tip_error_mm.mean, 3))
        record_property('held_out_marker_error_mean_mm', round(worst, 3))
        assert summary.dropped_messages == 0
        assert {name: topic.lost for name, topic in summary.topics.items() if topic.lost} == {}

    return check
