"""The board emulator as a process: the tests are the driver on its port and the robot behind it."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
import yaml
from std_srvs.srv import SetBool

from continua.description import load_robot
from continua.devices.board_link import Retry
from continua.devices.serial_board import SerialBoard
from continua.devices.tendon_drive import TendonDrive
from continua.devices.tendon_messages import TENDON_BOARD, Fault
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, qos
from continua_node.testing import Bench, executable

ROBOT = Path(__file__).parents[3] / 'config' / 'robots' / 'three_tendon_arm.yaml'
NAMES = [tendon['name'] for tendon in yaml.safe_load(ROBOT.read_text())['tendons']]
TENSION = [2.0, 1.0, 3.0]


class Rig:
    """The emulator's neighbours: a robot that follows at once, and the host's side of the port."""

    def __init__(self, bench: Bench, port: Path) -> None:
        self.bench = bench
        self.port = port
        self.diagnostics = bench.diagnostics()
        self.commands: list[TendonCommand] = bench.collect(TendonCommand, 'plant/tendon/command', qos.COMMAND)
        self.drive = TendonDrive(
            load_robot(ROBOT).tendons,
            lambda: SerialBoard.open(TENDON_BOARD, str(port)),
            watchdog=0.2,
            state_rate=100,
            retry=Retry(0.05, 0.1),
        )
        self.wanted = np.zeros(len(NAMES))
        self.readings = []
        self._plant = bench.node.create_publisher(TendonState, 'plant/tendon/state', qos.SENSOR.offered)
        self._timer = bench.node.create_timer(0.01, self._step)
        self.is_plant_moving = True

    def start(self):
        parameters = {'robot_file': ROBOT, 'settings_id': 'test', 'port': self.port}
        arguments = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
        return self.bench.start(executable('continua_simulation', 'board_emulator'), *arguments)

    def wait_for_tension(self, tension) -> None:
        """Until the robot is pulled like this and the board reads it."""
        self.wanted = np.array(tension)
        self.readings.clear()
        self.bench.wait_until(
            lambda: (
                self.readings
                and np.allclose(self.readings[-1].tension, tension)
                and np.allclose(self.commands[-1].tension, tension)
            ),
            f'tension {tension}',
        )

    def _step(self) -> None:
        self.drive.set_demand(self.wanted.any(), self.wanted)
        reading = self.drive.take_reading()
        if reading is not None:
            self.readings.append(reading)
        if self.is_plant_moving:
            self._publish_plant()

    def _publish_plant(self) -> None:
        n = len(NAMES)
        tension = np.array(self.commands[-1].tension) if self.commands else np.zeros(n)
        self._plant.publish(
            convert.tendon_state_to_msg(
                self.bench.node.get_clock().now().to_msg(),
                NAMES,
                tension=tension,
                displacement=1e-3 * tension,
                velocity=np.zeros(n),
                command=tension,
                is_saturated=np.zeros(n, bool),
                fault=np.zeros(n, np.uint16),
            )
        )


@pytest.fixture
def rig(tmp_path):
    with Bench('/robot') as bench:
        rig = Rig(bench, tmp_path / 'board')
        rig.drive.link.start()
        yield rig
        rig.drive.link.close()


def firmware_pids(port: Path) -> list[int]:
    """Running firmware that has its port there."""
    pids = []
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            words = (folder / 'cmdline').read_bytes().split(b'\0')
        except OSError:
            continue  # it ended meanwhile
        if words[0].endswith(b'tendon_board_host') and os.fsencode(port) in words:
            pids.append(int(folder.name))
    return pids


def test_couples_port_and_robot(rig):
    with rig.start() as emulator:
        rig.wait_for_tension(TENSION)
        np.testing.assert_allclose(rig.readings[-1].displacement, 1e-3 * np.array(TENSION), atol=1e-9)
        assert list(rig.commands[-1].name) == NAMES
        assert rig.drive.link.status.identity.serial == 'EMULATED-0001'
        rig.bench.wait_until(
            lambda: 'is running' in rig.diagnostics.sentence('board_emulator'), 'its sentence'
        )
        assert emulator.stop() == 0
    assert firmware_pids(rig.port) == []
    assert not rig.port.is_symlink()


def test_without_readings_of_the_robot_the_board_slackens(rig):
    with rig.start():
        rig.wait_for_tension(TENSION)
        rig.is_plant_moving = False
        rig.bench.wait_until(lambda: not any(rig.commands[-1].tension), 'slack')
        rig.bench.wait_until(lambda: (rig.readings[-1].fault & Fault.SENSOR).all(), 'the fault')
        rig.is_plant_moving = True
        rig.wait_for_tension(TENSION)


def test_unplug_and_plug(rig):
    with rig.start():
        rig.wait_for_tension(TENSION)
        assert rig.bench.call(SetBool, 'unplug', SetBool.Request(data=True)).success
        rig.bench.wait_until(lambda: not rig.drive.link.status.is_connected, 'a lost board')
        rig.bench.wait_until(lambda: not any(rig.commands[-1].tension), 'slack')
        assert not rig.port.is_symlink()
        assert rig.bench.call(SetBool, 'unplug', SetBool.Request(data=False)).success
        rig.wait_for_tension(TENSION)


def test_firmware_that_dies_is_started_again(rig):
    with rig.start():
        rig.wait_for_tension(TENSION)
        (pid,) = firmware_pids(rig.port)
        os.kill(pid, signal.SIGKILL)
        rig.bench.wait_until(lambda: firmware_pids(rig.port) not in ([], [pid]), 'new firmware')
        rig.wait_for_tension(TENSION)
        rig.bench.wait_until(
            lambda: rig.diagnostics.value('board_emulator', 'firmware_restarts') == 1, 'the count'
        )


def test_firmware_ends_with_an_emulator_that_was_killed(rig):
    with rig.start() as emulator:
        rig.wait_for_tension(TENSION)
        emulator.send(signal.SIGKILL)
        rig.bench.wait_until(lambda: firmware_pids(rig.port) == [], 'the end of the firmware')
    assert not rig.port.is_symlink()
