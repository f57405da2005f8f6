"""The driver of a serial tendon board (hardware/tendon_board.md).

Inputs: tendon/command; services enable, emergency_stop, reset, tare; lifecycle transitions.
Output: tendon/state.
Without a fresh command for `watchdog` seconds the tendons are slack, on the board also when this process
hangs or dies. A lost board is looked for until it is back; then the tendons are what they were before.
"""

from builtin_interfaces.msg import Time

from continua.control.safety import Setpoint
from continua.devices.tendon_drive import Reading, TendonDrive
from continua.devices.tendon_messages import TENDON_BOARD, Fault
from continua_drivers.board_driver import BoardDriverNode, parameters
from continua_node import spin
from continua_node.tendon_interface import TendonInterface

PARAMETERS = parameters('tendon')


class TendonDriverNode(BoardDriverNode):
    def __init__(self) -> None:
        super().__init__('tendon', PARAMETERS, Fault)

    def _new_drive(self) -> TendonDrive:
        return self._drive_of(TendonDrive, TENDON_BOARD, self._robot.tendons)

    def _new_commands(self) -> TendonInterface:
        return TendonInterface(self, self._robot.tendons, self._settings.watchdog, self.diagnostics)

    def _publish(self, stamp: Time, applied: Setpoint, reading: Reading) -> None:
        self._commands.publish(
            stamp, applied, reading.tension, reading.displacement, reading.velocity, reading.fault
        )


def main() -> int:
    return spin.spin(TendonDriverNode)
