"""What the services of a driver act on: commands of its topics, and the latches of the board behind them."""

from collections.abc import Callable
from enum import IntFlag

from continua.devices.board_drive import BoardDrive
from continua.devices.errors import DeviceLost, DeviceRefused
from continua_node.command_interface import CommandInterface
from continua_node.diagnostics import ERROR

__all__ = ['BoardControls']


class BoardControls:
    """What is stopped, reset or tared here is so on the board too.

    board_fault: bits of the newest reading, of all channels together.
    """

    def __init__(
        self, commands: CommandInterface, drive: Callable[[], BoardDrive], faults: type[IntFlag]
    ) -> None:
        """faults: names of the bits."""
        self.board_fault = 0
        self._commands = commands
        self._drive = drive
        self._faults = faults

    @property
    def state(self) -> tuple[bytes, str]:
        status = self._drive().link.status
        if not status.is_connected:
            return ERROR, f'fault DEVICE_LOST: {status.sentence}; looking for it'
        if self.board_fault:
            names = ', '.join(fault.name for fault in self._faults if fault & self.board_fault)
            return ERROR, f'{self._commands.safety.sentence}; the board reports fault {names}'
        return self._commands.state

    def enable(self) -> bool:
        return self._drive().link.status.is_connected and self._commands.enable()

    def disable(self) -> None:
        self._commands.disable()

    def emergency_stop(self) -> None:
        self._commands.emergency_stop()
        self._drive().emergency_stop()

    def reset(self) -> bool:
        # The board first: a stop that it still holds must not look cleared.
        try:
            self._drive().reset()
        except (DeviceLost, DeviceRefused):
            return False
        self.board_fault = 0
        return self._commands.reset()

    def tare(self) -> tuple[bool, str]:
        try:
            self._drive().tare()
        except (DeviceLost, DeviceRefused) as error:
            return False, str(error)
        return True, 'the present readings are zero now'
