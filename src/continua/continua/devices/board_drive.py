"""The actuators of one robot behind one serial board: true quantities in and out, at the host's times.

Around `BoardLink` it puts the robot's limits, the calibration of the board that was found, the mapping of
its clock, and a watchdog on whoever calls `set_demand`. Only `tare` and `reset` wait for the board.
`TendonDrive` and `ValveDrive` add what their boards measure.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from continua.devices.board_link import BoardLink, Demand, Retry
from continua.devices.board_messages import BoardConfig, BoardIdentity, BoardState
from continua.devices.clock import DeviceClock
from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.serial_board import SerialBoard

__all__ = ['BoardDrive', 'BoardReading']

_ANSWER_TIMEOUT = 1.0  # s, longer than the link's own
_DEVICE_LOST = 32  # fault bit of all boards


@dataclass(frozen=True)
class BoardReading:
    """What the board measured and applied; arrays (n,) in the order of the actuators."""

    time: float  # s, steady time of the measurement
    command: np.ndarray  # setpoint that is applied
    is_saturated: np.ndarray  # bool
    fault: np.ndarray  # uint16, Fault bits
    bad_frames: int  # that the board received, since it started
    lost_frames: int  # that the board missed, since it started

    def lost(self, at_rest: float) -> Any:
        """The same once the board is lost: nothing is applied any more, and the fault says why."""
        return replace(
            self,
            command=np.full_like(self.command, at_rest),
            is_saturated=np.zeros_like(self.is_saturated),
            fault=np.full_like(self.fault, _DEVICE_LOST),
        )


class BoardDrive:
    """Commands and readings while the board is there, and the search for it while it is not.

    link: to start, to watch and to close.
    """

    def __init__(
        self,
        actuators: Sequence,
        open_board: Callable[[], SerialBoard],
        *,
        watchdog: float,
        state_rate: float,
        retry: Retry | None = None,
    ) -> None:
        """actuators: of the robot description, actuator i on channel i of the board.
        watchdog: s without `set_demand`, and on the board without the host, until all are at rest.
        state_rate: Hz.
        """
        self._actuators = actuators
        self._watchdog = watchdog
        self._state_rate = state_rate
        self._clock = DeviceClock()
        self._rest = Demand(False, np.zeros(len(actuators)))
        self._demand = (self._rest, -np.inf)
        self._newest: Any = None
        self.link = BoardLink(
            open_board,
            self._configure,
            n=len(actuators),
            demand=self._current_demand,
            on_state=self._on_state,
            retry=retry,
        )

    def set_demand(self, enable: bool, values: np.ndarray) -> None:
        """What should be applied (n,), from now until the watchdog runs out."""
        demand = Demand(enable, values.copy())
        last = self._demand[0]
        self._demand = (demand, time.monotonic())
        if enable != last.enable or not np.array_equal(values, last.values):
            self.link.wake()

    def take_reading(self) -> Any:
        """The newest reading that was not yet taken, None without one."""
        reading, self._newest = self._newest, None
        return reading

    def emergency_stop(self) -> None:
        """Latch the stop in the board too, so that it holds without this process."""
        self._demand = (self._rest, time.monotonic())
        self.link.request(lambda board: board.stop())

    def reset(self) -> None:
        """Clear the latches of the board; raises DeviceLost or DeviceRefused."""
        self._ask(lambda board: board.reset())

    def tare(self) -> None:
        """Make the present readings zero; raises DeviceLost, or DeviceRefused while energised."""
        self._ask(lambda board: board.tare())

    def _config(self, identity: BoardIdentity) -> BoardConfig:
        """Limits for the board that was found; raises DeviceRefused without a calibration that fits."""
        raise NotImplementedError

    def _on_board(self, values: np.ndarray) -> np.ndarray:
        """What the board must be told for these true setpoints."""
        raise NotImplementedError

    def _reading(self, state: BoardState, at: float) -> BoardReading:
        """True quantities of a state that was measured at that steady time."""
        raise NotImplementedError

    def _ask(self, action: Callable[[SerialBoard], None]) -> None:
        try:
            self.link.request(action).result(_ANSWER_TIMEOUT)
        except FutureTimeout:
            raise DeviceLost(f'the board did not answer within {_ANSWER_TIMEOUT} s') from None

    def _configure(self, identity: BoardIdentity) -> BoardConfig:
        n = len(self._actuators)
        if identity.n_channels < n:
            raise DeviceRefused(
                f'board {identity.serial}: expected a channel for each of {n} tendons or chambers, '
                f'got {identity.n_channels}; is it the board of this robot?'
            )
        self._clock = DeviceClock()
        return self._config(identity)

    def _current_demand(self, now: float) -> Demand:
        demand, since = self._demand
        if not demand.enable or now - since > self._watchdog:
            return self._rest
        return Demand(True, self._on_board(demand.values))

    def _on_state(self, state: BoardState, received: float) -> None:
        self._newest = self._reading(state, self._clock.to_host(state.time, received))
