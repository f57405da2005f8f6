"""Runs the own firmware of a tendon or valve board on this computer, and moves the simulated robot with it.

Inputs: plant/tendon/state or plant/pressure/state, what the board's sensors read; service unplug (true
takes the serial port away). Output: plant/tendon/command or plant/valve/command, what its drives demand;
and a serial port for the driver. Without readings the firmware goes to rest by itself. A firmware that
ends is started again; until then the simulated robot gets no command and goes to rest by its own watchdog.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ament_index_python.packages import get_package_prefix
from rclpy.node import Node
from std_srvs.srv import SetBool

from continua.description import load_robot
from continua.devices.emulated_board import EmulatedBoard, emulated_port
from continua_msgs.msg import PressureState, TendonCommand, TendonState, ValveCommand
from continua_node import convert, convert_chambers, diagnostics, params, qos, spin
from continua_node.params import Parameter

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('board', 'tendon', 'which board is emulated', choices=('tendon', 'valve')),
    Parameter('port', 'emulated', "path of the serial port; 'emulated' is where the driver looks for it"),
    Parameter('serial', 'EMULATED-0001', 'serial number of the board, up to 16 characters'),
    Parameter('step_rate', 500, 'how often the firmware steps', 'Hz', range=(10, 2000)),
    Parameter('command_rate', 200.0, 'how often its demand is published', 'Hz', range=(10.0, 1000.0)),
]

_RESTART_PERIOD = 0.5  # s


class _Wiring(NamedTuple):
    """Topics of the plant, and what a board reads of its state."""

    state_type: type
    state_topic: str
    readings: Callable[[Any, list[str]], tuple[np.ndarray, ...]]
    command_type: type
    command_topic: str
    command: Callable[..., Any]


def _tendon_readings(message: TendonState, names: list[str]) -> tuple[np.ndarray, ...]:
    state = convert.tendon_state_from_msg(message, names)
    return state.tension, state.displacement, state.velocity


def _valve_readings(message: PressureState, names: list[str]) -> tuple[np.ndarray, ...]:
    return (convert_chambers.pressure_state_from_msg(message, names).pressure,)


_WIRING = {
    'tendon': _Wiring(
        TendonState,
        'plant/tendon/state',
        _tendon_readings,
        TendonCommand,
        'plant/tendon/command',
        convert.tendon_command_to_msg,
    ),
    'valve': _Wiring(
        PressureState,
        'plant/pressure/state',
        _valve_readings,
        ValveCommand,
        'plant/valve/command',
        convert_chambers.opening_command_to_msg,
    ),
}


class BoardEmulatorNode(Node):
    def __init__(self) -> None:
        super().__init__('board_emulator')
        self._settings = settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        self._names = list(robot.tendon_names if settings.board == 'tendon' else robot.chamber_names)
        self._wiring = wiring = _WIRING[settings.board]
        is_default = settings.port == 'emulated'
        self._port = emulated_port(robot.name, settings.board) if is_default else Path(settings.port)
        self.diagnostics = diagnostics.Diagnostics(self)
        self._board = self._start_firmware()
        self._is_plugged = True

        self._publisher = self.create_publisher(
            wiring.command_type, wiring.command_topic, qos.COMMAND.offered
        )
        self.create_subscription(wiring.state_type, wiring.state_topic, self._on_state, qos.SENSOR.requested)
        self.create_service(SetBool, 'unplug', self._on_unplug)
        self.diagnostics.timer(1.0 / settings.command_rate, self._step, steady=True)

    def close(self) -> None:
        """End the firmware."""
        self._board.close()

    def _start_firmware(self) -> EmulatedBoard:
        self._started = time.monotonic()
        settings = self._settings
        folder = Path(get_package_prefix('continua_simulation'), 'lib/continua_simulation')
        executable = folder / f'{settings.board}_board_host'
        return EmulatedBoard(executable, self._port, settings.serial, len(self._names), settings.step_rate)

    def _step(self) -> None:
        if not self._board.is_running():
            self._restart()
            return
        demand = self._board.demand(timeout=0.0)
        if demand is not None:
            stamp = self.get_clock().now().to_msg()
            self._publisher.publish(self._wiring.command(stamp, self._names, demand))

    def _restart(self) -> None:
        self.diagnostics.set_state(diagnostics.ERROR, 'the firmware has ended; starting it again')
        if time.monotonic() - self._started < _RESTART_PERIOD:
            return
        self.diagnostics.count('firmware_restarts')
        self.get_logger().error('the firmware has ended; starting it again')
        self._board.close()
        self._board = self._start_firmware()
        self._is_plugged = True

    def _on_state(self, message: Any) -> None:
        try:
            readings = self._wiring.readings(message, self._names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        if self._board.is_running():
            self._board.measure(*readings)
            port = self._port if self._is_plugged else 'unplugged'
            self.diagnostics.set_state(diagnostics.OK, f'firmware is running, serial port {port}')

    def _on_unplug(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        self._is_plugged = not request.data
        self._board.plug(self._is_plugged)
        response.success, response.message = True, 'unplugged' if request.data else 'plugged in'
        return response


def main() -> int:
    return spin.spin(BoardEmulatorNode)
