"""The chambers of one robot behind one valve board, which holds their pressures or sets their valves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from continua.control.pid import PidGains
from continua.devices.board_drive import BoardDrive, BoardReading
from continua.devices.board_messages import Mode
from continua.devices.calibration import load_valves, no_valves
from continua.devices.serial_board import SerialBoard
from continua.devices.valve_messages import Config, Identity, State

__all__ = ['Reading', 'ValveDrive']

_NO_RATE_LIMIT = 2e6  # Pa/s, the most that CONFIG can say


@dataclass(frozen=True)
class Reading(BoardReading):
    """command: Pa, applied setpoints; openings where openings are commanded."""

    pressure: np.ndarray  # Pa gauge
    opening: np.ndarray  # -1 exhaust ... 1 supply, applied

    def lost(self, at_rest: float) -> 'Reading':
        """The same once the board is lost, which vents then by its own watchdog."""
        return replace(super().lost(at_rest), opening=np.full_like(self.opening, -1.0))


class ValveDrive(BoardDrive):
    """Pressures in Pa, or openings, in; pressures and openings out."""

    def __init__(
        self,
        chambers: Sequence,
        open_board: Callable[[], SerialBoard],
        *,
        gains: PidGains,
        holds_pressure: bool,
        calibration_dir: Path | None = None,
        **kwargs,
    ) -> None:
        """holds_pressure: whether the board holds pressures, with these gains; otherwise openings are set.
        calibration_dir: None takes the readings of the board as they are. Others as BoardDrive.
        """
        self._gains = gains
        self._holds_pressure = holds_pressure
        self._calibration_dir = calibration_dir
        self._calibration = no_valves(len(chambers))
        super().__init__(chambers, open_board, **kwargs)

    def _config(self, identity: Identity) -> Config:
        if self._calibration_dir is not None:
            names = [chamber.name for chamber in self._actuators]
            self._calibration = load_valves(self._calibration_dir, identity.serial, names)
        calibration, gains, limits = self._calibration, self._gains, [c.limits for c in self._actuators]
        scale = calibration.pressure_scale
        return Config(
            watchdog=self._watchdog,
            state_rate=self._state_rate,
            min_pressure=calibration.setpoint(np.array([limit.pressure[0] for limit in limits])),
            max_pressure=calibration.setpoint(np.array([limit.pressure[1] for limit in limits])),
            pressure_rate=np.array([limit.pressure_rate or _NO_RATE_LIMIT for limit in limits]) / scale,
            proportional=gains.proportional * scale,
            integral=gains.integral * scale,
            derivative=gains.derivative * scale,
            filter_time=np.full_like(scale, gains.filter_time),
            supply_dead_band=calibration.supply_dead_band,
            exhaust_dead_band=calibration.exhaust_dead_band,
        )

    def _on_board(self, values: np.ndarray) -> np.ndarray:
        return self._calibration.setpoint(values) if self._holds_pressure else values

    def _reading(self, state: State, at: float) -> Reading:
        calibration = self._calibration
        command = state.opening
        if self._holds_pressure:
            is_energised = state.mode == Mode.ENERGISED
            command = calibration.pressure(state.setpoint) if is_energised else 0.0 * state.setpoint
        return Reading(
            time=at,
            command=command,
            is_saturated=state.is_saturated,
            fault=state.fault,
            bad_frames=state.bad_frames,
            lost_frames=state.lost_frames,
            pressure=calibration.pressure(state.pressure),
            opening=state.opening,
        )
