"""Between the messages of chambers and NumPy; like `convert`, whose sentences and reasons it shares."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from builtin_interfaces.msg import Time

from continua_msgs.msg import PressureCommand, PressureState, ValveCommand
from continua_node.convert import Rejected, check_names, flat, numbers, ordered

__all__ = [
    'ChamberArrays',
    'opening_command_from_msg',
    'opening_command_to_msg',
    'pressure_command_from_msg',
    'pressure_command_to_msg',
    'pressure_state_from_msg',
    'pressure_state_to_msg',
]


@dataclass(frozen=True)
class ChamberArrays:
    """What a PressureState holds, each array in the order of the chamber names."""

    pressure: np.ndarray  # (n,) Pa gauge, measured
    command: np.ndarray | None  # (n,) Pa gauge, setpoint in force; None where openings are commanded
    opening: np.ndarray | None  # (n,) -1 exhaust ... 1 supply, applied; None where no valve is known
    is_saturated: np.ndarray  # (n,) bool
    fault: np.ndarray  # (n,) uint16, PressureState.FAULT_* bits


def pressure_command_to_msg(stamp: Time, names: Iterable[str], pressure: Sequence[float]) -> PressureCommand:
    """PressureCommand of gauge pressures (n,) Pa."""
    message = PressureCommand(name=list(names), pressure=flat(pressure))
    message.header.stamp = stamp
    return message


def pressure_command_from_msg(message: PressureCommand, names: Sequence[str]) -> dict[str, float]:
    """Pa by name of some of the robot's chambers; raises Rejected."""
    return _by_name(message.name, message.pressure, names, 'pressure')


def opening_command_to_msg(stamp: Time, names: Iterable[str], opening: Sequence[float]) -> ValveCommand:
    """ValveCommand of openings (n,), -1 exhaust ... 1 supply."""
    message = ValveCommand(name=list(names), opening=flat(opening))
    message.header.stamp = stamp
    return message


def opening_command_from_msg(message: ValveCommand, names: Sequence[str]) -> dict[str, float]:
    """Opening by name of some of the robot's chambers; raises Rejected."""
    return _by_name(message.name, message.opening, names, 'opening')


def pressure_state_to_msg(stamp: Time, names: Sequence[str], chambers: ChamberArrays) -> PressureState:
    """PressureState of arrays in the order of the names."""
    message = PressureState(
        name=list(names),
        pressure=flat(chambers.pressure),
        command=flat([] if chambers.command is None else chambers.command),
        opening=flat([] if chambers.opening is None else chambers.opening),
        is_saturated=np.asarray(chambers.is_saturated, dtype=bool).tolist(),
        fault=array('H', np.asarray(chambers.fault, dtype=np.uint16).tolist()),
    )
    message.header.stamp = stamp
    return message


def pressure_state_from_msg(message: PressureState, names: Sequence[str]) -> ChamberArrays:
    """Arrays of a PressureState in the order of `names`, all of which it must hold; raises Rejected."""
    n = len(message.name)
    order = ordered(message.name, names, 'chamber')
    flags = (len(message.is_saturated), len(message.fault))
    if flags != (n, n):
        raise Rejected('length', f'is_saturated and fault have {flags} entries, expected {n}, one a chamber')

    def optional(field: str) -> np.ndarray | None:
        values = getattr(message, field)
        return numbers(values, n, field)[order] if len(values) else None

    return ChamberArrays(
        pressure=numbers(message.pressure, n, 'pressure')[order],
        command=optional('command'),
        opening=optional('opening'),
        is_saturated=np.asarray(message.is_saturated, dtype=bool)[order],
        fault=np.asarray(message.fault, dtype=np.uint16)[order],
    )


def _by_name(
    given: Sequence[str], values: Sequence[float], names: Sequence[str], field: str
) -> dict[str, float]:
    check_names(given, names, 'chamber')
    return dict(zip(given, numbers(values, len(given), field).tolist(), strict=True))
