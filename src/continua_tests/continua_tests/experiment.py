"""The experiment tendon_shape_estimation as real processes in a ROS domain of its own, for tests to look on.

with Experiment(folder, robot='emulated') as experiment:
    experiment.wait_for_estimates(11.0)
    experiment.kill('shape_estimator')
    experiment.wait_for_others()
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from diagnostic_msgs.msg import DiagnosticArray

from continua.description import load_robot
from continua_bringup.launch.expansion import expand
from continua_bringup.launch.find import launch_file, package_share
from continua_bringup.launch.service import LaunchService
from continua_msgs.msg import RodShape, TendonCommand, TendonState
from continua_node import convert, qos
from continua_node.testing import Bench, DiagnosticsWatch

__all__ = ['LAUNCH_FILE', 'NAMESPACE', 'Experiment']

LAUNCH_FILE = 'tendon_shape_estimation'
ROBOT = 'tendon_arm'
NAMESPACE = f'/{ROBOT}'
# A busy machine takes long to stop; what is tested is that nodes stop, not when.
_PATIENCE = 60.0


class Experiment:
    """All nodes of the launch file but the console, with a recorder; leaving the context stops them.

    bench: looks on in the robot's namespace. bag: folder of the recording. service: runs the processes.
    states, commands: every TendonState and TendonCommand that the bench has seen, oldest first.
    diagnostics: the newest of each node. tendons: their names.
    """

    def __init__(self, folder: Path, robot: str, estimate: str = 'estimate/shape', **arguments: str) -> None:
        """estimate: topic that is waited for. arguments: of the launch file."""
        self.bag = folder / 'bag'
        self.bench = Bench(NAMESPACE)
        self.states: list[TendonState] = self.bench.collect(TendonState, 'tendon/state', qos.SENSOR)
        self.commands: list[TendonCommand] = self.bench.collect(TendonCommand, 'tendon/command', qos.COMMAND)
        self._estimates: list[RodShape] = self.bench.collect(RodShape, estimate, qos.STATE)
        self._heartbeats: list[DiagnosticArray] = self.bench.collect(
            DiagnosticArray, '/diagnostics', qos.STATE
        )
        self.diagnostics = DiagnosticsWatch(self._heartbeats)
        self._killed: set[str] = set()
        self.robot_file = Path(package_share('continua_bringup'), 'config', 'robots', f'{ROBOT}.yaml')
        self.tendons = load_robot(self.robot_file).tendon_names
        self._log = folder / 'nodes.log'
        arguments |= {'robot': robot, 'record': 'true', 'bag_dir': str(self.bag), 'console': 'false'}
        own = {'ROS_DOMAIN_ID': str(self.bench.domain), 'ROS_LOG_DIR': str(folder / 'ros')}
        with mock.patch.dict(os.environ, own):
            description = expand(launch_file(LAUNCH_FILE), arguments)
            self._screen = self._log.open('w')
            self.service = LaunchService(description, screen=self._screen, sigterm_after=_PATIENCE)

    def __enter__(self) -> 'Experiment':
        self.service.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.service.stop()
        self._screen.close()
        self.bench.__exit__()

    # Processes

    def nodes(self) -> set[str]:
        """Names of the nodes whose processes run."""
        return {_name(status.node) for status in self.service.statuses() if status.pid}

    def pid(self, node: str) -> int:
        pid = self.service.status(node).pid
        assert pid is not None, f'{node} does not run'
        return pid

    def kill(self, node: str) -> None:
        """As `kill -9`; returns when the process is gone."""
        self._killed.add(node)
        os.kill(self.pid(node), signal.SIGKILL)
        self.bench.wait_until(lambda: node not in self.nodes(), f'the end of {node}')

    def wait_for_others(self) -> None:
        """Until every node that was not killed has said again how it is."""
        start = len(self._heartbeats)
        expected = {_name(status.node) for status in self.service.statuses()} - self._killed

        def heard() -> set[str]:
            return {_name(status.name) for array in self._heartbeats[start:] for status in array.status}

        self.wait_until(lambda: expected <= heard(), f'/diagnostics of {", ".join(sorted(expected))}')

    # What they say

    def wait_until(self, condition: Callable[[], Any], what: str) -> None:
        """Take messages until `condition()`; AssertionError where it never comes or a node dies by itself."""

        def is_true() -> bool:
            died = {_name(status.node) for status in self.service.statuses() if status.died} - self._killed
            assert not died, f'{", ".join(died)} ended while the test waited for {what}'
            return bool(condition())

        try:
            self.bench.wait_until(is_true, what)
        except AssertionError as error:
            raise AssertionError(f'{error}; the nodes said last:\n{self._tail()}') from None

    def wait_for_state(self, condition: Callable[[TendonState], bool], what: str) -> TendonState:
        """The first TendonState from now on that fulfils the condition."""
        start = len(self.states)
        found = []

        def look() -> bool:
            found[:] = [state for state in self.states[start:] if condition(state)]
            return bool(found)

        self.wait_until(look, f'tendon/state with {what}')
        return found[0]

    def wait_for_motion(self) -> None:
        """Until the tendons pull."""
        self.wait_for_state(lambda state: any(state.command) and not any(state.fault), 'tension')

    def wait_for_estimates(self, seconds: float) -> None:
        """Until the stamps of the estimates span so much."""

        def span() -> float:
            stamps = [convert.from_stamp(shape.header.stamp) for shape in self._estimates]
            return stamps[-1] - stamps[0] if stamps else 0.0

        self.wait_until(lambda: span() >= seconds, f'{seconds} s of estimates')

    def command(self, tension: float, age: float = 0.0) -> TendonCommand:
        """A command for all tendons, in N, whose stamp is `age` s old."""
        now = self.bench.node.get_clock().now().nanoseconds * 1e-9
        stamp = convert.to_stamp(now - age)
        return convert.tendon_command_to_msg(stamp, self.tendons, [tension] * len(self.tendons))

    def _tail(self) -> str:
        return '\n'.join(self._log.read_text().splitlines()[-20:])


def _name(full_name: str | None) -> str:
    return (full_name or '').rpartition('/')[2]
