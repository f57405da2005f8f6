"""The tendons of one robot behind one tendon board: true tensions in and out, at the host's times.

Around `TendonLink` it puts the robot's limits, the calibration of the board that was found, the mapping of
its clock, and a watchdog on whoever calls `set_demand`. Only `tare` and `reset` wait for the board.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.devices.calibration import Calibration, load_calibration, no_calibration
from continua.devices.clock import DeviceClock
from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.tendon_board import TendonBoard
from continua.devices.tendon_link import Demand, Retry, TendonLink
from continua.devices.tendon_messages import Config, Identity, Mode, State

__all__ = ['Reading', 'TendonDrive']

_NO_RATE_LIMIT = 2000.0  # N/s, the most that CONFIG can say
_ANSWER_TIMEOUT = 1.0  # s, longer than the link's own


@dataclass(frozen=True)
class Reading:
    """What the board measured and applied; arrays (n,) in the order of the tendons."""

    time: float  # s, steady time of the measurement
    tension: np.ndarray  # N
    displacement: np.ndarray  # m
    velocity: np.ndarray  # m/s
    command: np.ndarray  # N, applied
    is_saturated: np.ndarray  # bool
    fault: np.ndarray  # uint16, Fault bits
    bad_frames: int  # that the board received, since it started
    lost_frames: int  # that the board missed, since it started


class TendonDrive:
    """Commands and readings of the tendons while the board is there, and the search for it while it is not.

    link: to start, to watch and to close.
    """

    def __init__(
        self,
        tendons: Sequence,
        open_board: Callable[[], TendonBoard],
        *,
        watchdog: float,
        state_rate: float,
        calibration_dir: Path | None = None,
        retry: Retry | None = None,
    ) -> None:
        """tendons: of the robot description, tendon i on channel i of the board.
        watchdog: s without `set_demand`, and on the board without the host, until the tendons are slack.
        state_rate: Hz. calibration_dir: None takes the readings of the board as they are.
        """
        self._tendons = tendons
        self._watchdog = watchdog
        self._state_rate = state_rate
        self._calibration_dir = calibration_dir
        self._calibration = no_calibration(len(tendons))
        self._clock = DeviceClock()
        self._slack = Demand(False, np.zeros(len(tendons)))
        self._demand = (self._slack, -np.inf)
        self._newest: Reading | None = None
        self.link = TendonLink(
            open_board, self._configure, demand=self._current_demand, on_state=self._on_state, retry=retry
        )

    def set_demand(self, enable: bool, tension: np.ndarray) -> None:
        """What should be applied (n,) [N], from now until the watchdog runs out."""
        demand = Demand(enable, tension.copy())
        last = self._demand[0]
        self._demand = (demand, time.monotonic())
        if enable != last.enable or not np.array_equal(tension, last.tension):
            self.link.wake()

    def take_reading(self) -> Reading | None:
        """The newest reading that was not yet taken."""
        reading, self._newest = self._newest, None
        return reading

    def emergency_stop(self) -> None:
        """Latch the stop in the board too, so that it holds without this process."""
        self._demand = (self._slack, time.monotonic())
        self.link.request(lambda board: board.stop())

    def reset(self) -> None:
        """Clear the latches of the board; raises DeviceLost or DeviceRefused."""
        self._ask(lambda board: board.reset())

    def tare(self) -> None:
        """Make the present readings zero; raises DeviceLost, or DeviceRefused while energised."""
        self._ask(lambda board: board.tare())

    def _ask(self, action: Callable[[TendonBoard], None]) -> None:
        try:
            self.link.request(action).result(_ANSWER_TIMEOUT)
        except FutureTimeout:
            raise DeviceLost(f'the tendon board did not answer within {_ANSWER_TIMEOUT} s') from None

    def _configure(self, identity: Identity) -> Config:
        names = [tendon.name for tendon in self._tendons]
        if identity.n_channels < len(names):
            raise DeviceRefused(
                f'board {identity.serial}: expected a channel for each of {len(names)} tendons, '
                f'got {identity.n_channels}; is it the board of this robot?'
            )
        if self._calibration_dir is not None:
            self._calibration = load_calibration(self._calibration_dir, identity.serial, names)
        self._clock = DeviceClock()
        limits = [tendon.limits for tendon in self._tendons]
        return Config(
            watchdog=self._watchdog,
            state_rate=self._state_rate,
            min_tension=self._on_board([limit.tension[0] for limit in limits]),
            max_tension=self._on_board([limit.tension[1] for limit in limits]),
            tension_rate=np.array([limit.tension_rate or _NO_RATE_LIMIT for limit in limits])
            / self._calibration.tension_scale,
        )

    def _on_board(self, tension: Sequence[float] | np.ndarray) -> np.ndarray:
        """What the board reads at these true tensions, which it never lets go below zero."""
        return np.maximum(self._calibration.setpoint(np.asarray(tension)), 0.0)

    def _current_demand(self, now: float) -> Demand:
        demand, since = self._demand
        if not demand.enable or now - since > self._watchdog:
            return self._slack
        return Demand(True, self._on_board(demand.tension))

    def _on_state(self, state: State, received: float) -> None:
        calibration: Calibration = self._calibration
        applied = (
            calibration.tension(state.setpoint) if state.mode == Mode.ENERGISED else 0.0 * state.setpoint
        )
        self._newest = Reading(
            time=self._clock.to_host(state.time, received),
            tension=calibration.tension(state.tension),
            displacement=calibration.displacement_scale * state.displacement,
            velocity=calibration.displacement_scale * state.velocity,
            command=applied,
            is_saturated=state.is_saturated,
            fault=state.fault,
            bad_frames=state.bad_frames,
            lost_frames=state.lost_frames,
        )
