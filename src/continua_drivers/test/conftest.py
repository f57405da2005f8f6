"""The tendon driver as a process, on the emulated board that the tests move."""

from pathlib import Path

import pytest
import yaml
from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray

from continua.devices.emulated_board import EmulatedBoard, IdealDrives
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, qos
from continua_node.testing import Bench, executable

ROBOT = Path(__file__).parents[3] / 'config' / 'robots' / 'three_tendon_arm.yaml'
NAMES = [tendon['name'] for tendon in yaml.safe_load(ROBOT.read_text())['tendons']]


@pytest.fixture
def bench():
    with Bench('/robot') as bench:
        yield bench


@pytest.fixture
def port(tmp_path) -> Path:
    return tmp_path / 'board'


@pytest.fixture
def drives(port):
    firmware = Path(get_package_prefix('continua_simulation'), 'lib/continua_simulation/tendon_board_host')
    board = EmulatedBoard(firmware, port, 'EMULATED-0001', len(NAMES))
    drives = IdealDrives(board, len(NAMES))
    yield drives
    drives.close()
    board.close()


class Rig:
    """The driver under test, and what its neighbours in the graph see of it."""

    def __init__(self, bench: Bench, port: Path) -> None:
        self.bench = bench
        self.port = port
        self.states: list[TendonState] = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
        self.diagnostics: list[DiagnosticArray] = bench.collect(DiagnosticArray, '/diagnostics', qos.STATE)
        self.publisher = bench.node.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)
        self._timer = None

    def start(self, **parameters):
        """The driver; parameters as text of the command line."""
        given = {
            'robot_file': ROBOT,
            'port': self.port,
            'settings_id': 'test',
            'autostart': 'true',
        } | parameters
        arguments = [word for name, value in given.items() for word in ('-p', f'{name}:={value}')]
        return self.bench.start(executable('continua_drivers', 'tendon_driver'), *arguments)

    def message(self, tension, age: float = 0.0) -> TendonCommand:
        """A command whose stamp is `age` s old."""
        stamp = convert.to_stamp(self.bench.node.get_clock().now().nanoseconds * 1e-9 - age)
        return convert.tendon_command_to_msg(stamp, NAMES, tension)

    def keep_commanding(self, tension) -> None:
        """Command these tensions at 100 Hz while the bench waits."""
        self.stop_commanding()
        self._timer = self.bench.node.create_timer(
            0.01, lambda: self.publisher.publish(self.message(tension))
        )

    def stop_commanding(self) -> None:
        if self._timer is not None:
            self.bench.node.destroy_timer(self._timer)
            self._timer = None

    def wait_for(self, condition, what: str) -> TendonState:
        """The first new state that fulfils the condition."""
        self.states.clear()
        self.bench.wait_until(lambda: any(map(condition, self.states)), f'tendon/state: {what}')
        return next(filter(condition, self.states))

    def wait_for_command(self, tension) -> TendonState:
        """The first new state in which these tensions are applied without a fault."""
        wanted = list(tension)
        return self.wait_for(lambda s: list(s.command) == wanted and not any(s.fault), f'command {wanted}')

    def wait_for_count(self, name: str) -> int:
        """The value that /diagnostics of the driver shows once it is above zero."""

        def counts() -> list[int]:
            statuses = (s for array in self.diagnostics for s in array.status if 'tendon_driver' in s.name)
            return [int(v.value) for s in statuses for v in s.values if v.key == name and int(v.value) > 0]

        self.bench.wait_until(counts, f'{name} in /diagnostics')
        return counts()[0]

    def wait_for_sentence(self, words: str) -> None:
        """Until /diagnostics of the driver says these words."""
        self.diagnostics.clear()
        self.bench.wait_until(
            lambda: any(words in s.message for array in self.diagnostics for s in array.status),
            f'{words!r} in /diagnostics',
        )


@pytest.fixture
def rig(bench, port):
    return Rig(bench, port)
