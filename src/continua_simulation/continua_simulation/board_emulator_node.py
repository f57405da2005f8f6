"""Runs the tendon board's own firmware on this computer, and moves the simulated robot with it.

Inputs: plant/tendon/state, what the board's sensors read; service unplug (true takes the serial port away).
Output: plant/tendon/command, what its drives demand; and a serial port for the driver. Without readings the
firmware goes slack by itself. A firmware that ends is started again; until then the simulated robot gets no
command and goes slack by its own watchdog.
"""

import time
from pathlib import Path

from ament_index_python.packages import get_package_prefix
from rclpy.node import Node
from std_srvs.srv import SetBool

from continua.description import load_robot
from continua.devices.emulated_tendon_board import EmulatedTendonBoard, emulated_port
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, diagnostics, params, qos, spin
from continua_node.params import Parameter

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('port', 'emulated', "path of the serial port; 'emulated' is where tendon_driver looks for it"),
    Parameter('serial', 'EMULATED-0001', 'serial number of the board, up to 16 characters'),
    Parameter('step_rate', 500, 'how often the firmware steps', 'Hz', range=(10, 2000)),
    Parameter('command_rate', 200.0, 'how often its demand is published', 'Hz', range=(10.0, 1000.0)),
]

_RESTART_PERIOD = 0.5  # s


class BoardEmulatorNode(Node):
    def __init__(self) -> None:
        super().__init__('board_emulator')
        self._settings = params.declare(self, PARAMETERS)
        robot = load_robot(self._settings.robot_file)
        self._names = [tendon.name for tendon in robot.tendons]
        is_default = self._settings.port == 'emulated'
        self._port = emulated_port(robot.name) if is_default else Path(self._settings.port)
        self.diagnostics = diagnostics.Diagnostics(self)
        self._board = self._start_firmware()
        self._is_plugged = True

        self._publisher = self.create_publisher(TendonCommand, 'plant/tendon/command', qos.COMMAND.offered)
        self.create_subscription(TendonState, 'plant/tendon/state', self._on_state, qos.SENSOR.requested)
        self.create_service(SetBool, 'unplug', self._on_unplug)
        self.diagnostics.timer(1.0 / self._settings.command_rate, self._step, steady=True)

    def close(self) -> None:
        """End the firmware."""
        self._board.close()

    def _start_firmware(self) -> EmulatedTendonBoard:
        self._started = time.monotonic()
        executable = Path(
            get_package_prefix('continua_simulation'), 'lib/continua_simulation/tendon_board_host'
        )
        settings = self._settings
        return EmulatedTendonBoard(
            executable, self._port, settings.serial, len(self._names), settings.step_rate
        )

    def _step(self) -> None:
        if not self._board.is_running():
            self._restart()
            return
        demand = self._board.demand(timeout=0.0)
        if demand is not None:
            stamp = self.get_clock().now().to_msg()
            self._publisher.publish(convert.tendon_command_to_msg(stamp, self._names, demand))

    def _restart(self) -> None:
        self.diagnostics.set_state(diagnostics.ERROR, 'the firmware has ended; starting it again')
        if time.monotonic() - self._started < _RESTART_PERIOD:
            return
        self.diagnostics.count('firmware_restarts')
        self.get_logger().error('the firmware has ended; starting it again')
        self._board.close()
        self._board = self._start_firmware()
        self._is_plugged = True

    def _on_state(self, message: TendonState) -> None:
        try:
            state = convert.tendon_state_from_msg(message, self._names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        if self._board.is_running():
            self._board.measure(state.tension, state.displacement, state.velocity)
            port = self._port if self._is_plugged else 'unplugged'
            self.diagnostics.set_state(diagnostics.OK, f'firmware is running, serial port {port}')

    def _on_unplug(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        self._is_plugged = not request.data
        self._board.plug(self._is_plugged)
        response.success, response.message = True, 'unplugged' if request.data else 'plugged in'
        return response


def main() -> int:
    return spin.spin(BoardEmulatorNode)
