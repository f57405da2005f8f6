"""The tendon services of a driver: `TendonInterface` with the latches of a board behind it."""

from collections.abc import Callable, Sequence

from rclpy.node import Node

from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.tendon_drive import TendonDrive
from continua.devices.tendon_messages import Fault
from continua_node.diagnostics import ERROR, Diagnostics
from continua_node.tendon_interface import TendonInterface

__all__ = ['BoardTendons']


class BoardTendons(TendonInterface):
    """What is stopped, reset or tared here is so on the board too.

    board_fault: Fault bits of the newest reading, of all tendons together.
    """

    def __init__(
        self,
        node: Node,
        tendons: Sequence,
        watchdog: float,
        diagnostics: Diagnostics,
        drive: Callable[[], TendonDrive],
    ) -> None:
        super().__init__(node, tendons, watchdog, diagnostics, tare=self._tare_board)
        self.board_fault = 0
        self._drive = drive

    @property
    def state(self) -> tuple[bytes, str]:
        status = self._drive().link.status
        if not status.is_connected:
            return ERROR, f'fault DEVICE_LOST: {status.sentence}; looking for it'
        if self.board_fault:
            names = ', '.join(fault.name for fault in Fault if fault & self.board_fault)
            return ERROR, f'{self.safety.state.value}; the board reports fault {names}'
        return super().state

    def enable(self) -> bool:
        return self._drive().link.status.is_connected and super().enable()

    def emergency_stop(self) -> None:
        super().emergency_stop()
        self._drive().emergency_stop()

    def reset(self) -> bool:
        # The board first: a stop that it still holds must not look cleared.
        try:
            self._drive().reset()
        except (DeviceLost, DeviceRefused):
            return False
        self.board_fault = 0
        return super().reset()

    def _tare_board(self) -> tuple[bool, str]:
        try:
            self._drive().tare()
        except (DeviceLost, DeviceRefused) as error:
            return False, str(error)
        return True, 'the present readings are zero now'
