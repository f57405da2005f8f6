"""The driver of a serial valve board (hardware/valve_board.md).

Inputs: pressure/command, or valve/command with pid:=node; services enable, emergency_stop, reset, tare;
lifecycle transitions. Output: pressure/state. Without a fresh command for `watchdog` seconds the chambers
are vented, on the board also when this process hangs or dies. A lost board is looked for until it is back;
then the chambers are what they were before.
"""

from builtin_interfaces.msg import Time

from continua.control.safety import OPENING, PRESSURE, Setpoint
from continua.devices.valve_drive import Reading, ValveDrive
from continua.devices.valve_messages import HELD_BY_BOARD, HELD_BY_HOST, Fault
from continua_drivers.board_driver import BoardDriverNode, parameters
from continua_drivers.pid_parameters import PID_PARAMETERS, gains
from continua_node import spin
from continua_node.params import Parameter
from continua_node.pressure_interface import PressureInterface

PARAMETERS = [
    *parameters('valve'),
    Parameter(
        'pid',
        'board',
        'who holds the pressures: the board at its own rate, or the node pressure_pid through valve/command',
        choices=('board', 'node'),
    ),
    *PID_PARAMETERS,
]


class ValveDriverNode(BoardDriverNode):
    def __init__(self) -> None:
        super().__init__('valve', PARAMETERS, Fault)

    def _new_drive(self) -> ValveDrive:
        is_held_by_board = self._settings.pid == 'board'
        return self._drive_of(
            ValveDrive,
            HELD_BY_BOARD if is_held_by_board else HELD_BY_HOST,
            self._robot.chambers,
            gains=gains(self._settings),
            holds_pressure=is_held_by_board,
        )

    def _new_commands(self) -> PressureInterface:
        quantity = PRESSURE if self._settings.pid == 'board' else OPENING
        return PressureInterface(
            self, self._robot.chambers, self._settings.watchdog, self.diagnostics, quantity
        )

    def _publish(self, stamp: Time, applied: Setpoint, reading: Reading) -> None:
        self._commands.publish(stamp, applied, reading.pressure, reading.opening, reading.fault)


def main() -> int:
    return spin.spin(ValveDriverNode)
