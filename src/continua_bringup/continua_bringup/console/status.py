"""Words for what the robot and its nodes report."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from diagnostic_msgs.msg import DiagnosticStatus

from continua_msgs.msg import ControllerStatus, TendonState

__all__ = ['Row', 'control_row', 'fault_row', 'is_latched', 'node_row']

Level = Literal['ok', 'warn', 'error', 'stale']
LEVELS: dict[bytes, Level] = {
    DiagnosticStatus.OK: 'ok',
    DiagnosticStatus.WARN: 'warn',
    DiagnosticStatus.ERROR: 'error',
    DiagnosticStatus.STALE: 'stale',
}
FAULTS = {
    TendonState.FAULT_SENSOR: 'sensor out of range',
    TendonState.FAULT_OVERLOAD: 'overload',
    TendonState.FAULT_BLOCKED: 'blocked',
    TendonState.FAULT_WATCHDOG: 'slack, no fresh command',
    TendonState.FAULT_EMERGENCY_STOP: 'emergency stop',
    TendonState.FAULT_DEVICE_LOST: 'controller board lost',
}
CONTROL_LEVELS: dict[int, Level] = {
    ControllerStatus.STATUS_OK: 'ok',
    ControllerStatus.STATUS_IDLE: 'ok',
    ControllerStatus.STATUS_INPUT_STALE: 'warn',
    ControllerStatus.STATUS_SOLVER_FAILED: 'warn',
    ControllerStatus.STATUS_STOPPED: 'error',
}


@dataclass(frozen=True)
class Row:
    """One line of status."""

    level: Level
    name: str
    text: str


def is_latched(fault: np.ndarray) -> bool:
    """Whether the fault bits (n,) of the tendons say that the emergency stop is latched."""
    return bool(np.any(fault & TendonState.FAULT_EMERGENCY_STOP))


def fault_row(names: list[str], fault: np.ndarray) -> Row:
    """Which tendons have which fault; a waiting watchdog alone is a warning."""
    sentences = []
    for bit, word in FAULTS.items():
        tendons = [name for name, bits in zip(names, fault, strict=True) if bits & bit]
        if tendons:
            sentences.append(word if len(tendons) == len(names) else f'{word} ({", ".join(tendons)})')
    if not sentences:
        return Row('ok', 'tendons', 'no fault')
    only_waits = not np.any(fault & ~np.uint16(TendonState.FAULT_WATCHDOG))
    return Row('warn' if only_waits else 'error', 'tendons', '; '.join(sentences))


def control_row(status: ControllerStatus) -> Row:
    """What the controller says."""
    return Row(CONTROL_LEVELS.get(status.status, 'warn'), 'control', status.message)


def node_row(status: DiagnosticStatus, age: float, silent_after: float = 3.0) -> Row:
    """What a node said `age` s ago; one that has not spoken for `silent_after` s is stale."""
    name = status.name.rpartition('/')[2]
    if age > silent_after:
        return Row('stale', name, f'silent for {age:.0f} s')
    return Row(LEVELS.get(status.level, 'warn'), name, status.message)
