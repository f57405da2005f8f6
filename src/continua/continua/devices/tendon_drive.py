"""The tendons of one robot behind one tendon board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.devices.board_drive import BoardDrive, BoardReading
from continua.devices.board_messages import Mode
from continua.devices.calibration import load_tendons, no_tendons
from continua.devices.serial_board import SerialBoard
from continua.devices.tendon_messages import Config, Identity, State

__all__ = ['Reading', 'TendonDrive']

_NO_RATE_LIMIT = 2000.0  # N/s, the most that CONFIG can say


@dataclass(frozen=True)
class Reading(BoardReading):
    """command: N, applied tensions."""

    tension: np.ndarray  # N
    displacement: np.ndarray  # m
    velocity: np.ndarray  # m/s


class TendonDrive(BoardDrive):
    """Tensions in N in and out."""

    def __init__(
        self,
        tendons: Sequence,
        open_board: Callable[[], SerialBoard],
        *,
        calibration_dir: Path | None = None,
        **kwargs,
    ) -> None:
        """calibration_dir: None takes the readings of the board as they are. Others as BoardDrive."""
        self._calibration_dir = calibration_dir
        self._calibration = no_tendons(len(tendons))
        super().__init__(tendons, open_board, **kwargs)

    def _config(self, identity: Identity) -> Config:
        if self._calibration_dir is not None:
            names = [tendon.name for tendon in self._actuators]
            self._calibration = load_tendons(self._calibration_dir, identity.serial, names)
        limits = [tendon.limits for tendon in self._actuators]
        return Config(
            watchdog=self._watchdog,
            state_rate=self._state_rate,
            min_tension=self._on_board(np.array([limit.tension[0] for limit in limits])),
            max_tension=self._on_board(np.array([limit.tension[1] for limit in limits])),
            tension_rate=np.array([limit.tension_rate or _NO_RATE_LIMIT for limit in limits])
            / self._calibration.tension_scale,
        )

    def _on_board(self, values: np.ndarray) -> np.ndarray:
        """What the board reads at these true tensions, which it never lets go below zero."""
        return np.maximum(self._calibration.setpoint(values), 0.0)

    def _reading(self, state: State, at: float) -> Reading:
        calibration = self._calibration
        is_energised = state.mode == Mode.ENERGISED
        return Reading(
            time=at,
            command=calibration.tension(state.setpoint) if is_energised else 0.0 * state.setpoint,
            is_saturated=state.is_saturated,
            fault=state.fault,
            bad_frames=state.bad_frames,
            lost_frames=state.lost_frames,
            tension=calibration.tension(state.tension),
            displacement=calibration.displacement_scale * state.displacement,
            velocity=calibration.displacement_scale * state.velocity,
        )
