"""The chambers as valve driver and simulator show them to the graph, so that nothing can tell them apart.

Input `pressure/command`, setpoints of pressures that the device holds, or `valve/command`, openings of
valves with which a node above holds the pressures; output `pressure/state`.

    self.chambers = PressureInterface(self, robot.chambers, settings.watchdog, self.diagnostics, PRESSURE)
    ...
    setpoint = self.chambers.setpoint()                     # once in every step
    self.chambers.publish(stamp, setpoint, pressure, opening)
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
from builtin_interfaces.msg import Time
from rclpy.node import Node

from continua.control.safety import PRESSURE, CommandSafety, Quantity, Setpoint, valve_safety
from continua_msgs.msg import PressureCommand, PressureState, ValveCommand
from continua_node import convert_chambers, qos
from continua_node.command_interface import CommandInterface
from continua_node.convert_chambers import ChamberArrays
from continua_node.diagnostics import Diagnostics

__all__ = ['ChamberCommands', 'PressureInterface']


class ChamberCommands(CommandInterface):
    """Pressures or openings in."""

    def __init__(
        self,
        node: Node,
        chambers: Sequence,
        watchdog: float,
        diagnostics: Diagnostics,
        quantity: Quantity,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start disabled. chambers: of the robot description. watchdog: s. quantity: PRESSURE or OPENING."""
        if quantity is PRESSURE:
            safety = CommandSafety.of(PRESSURE, chambers, watchdog)
            topic, message_type = 'pressure/command', PressureCommand
            read = convert_chambers.pressure_command_from_msg
        else:
            safety = valve_safety(chambers, watchdog)
            topic, message_type = 'valve/command', ValveCommand
            read = convert_chambers.opening_command_from_msg
        super().__init__(
            node, safety, diagnostics, topic, message_type, lambda m: read(m, safety.names), clock
        )


class PressureInterface(ChamberCommands):
    """Pressures or openings in, states out; parameters as of ChamberCommands."""

    def __init__(self, node: Node, *args, **kwargs) -> None:
        super().__init__(node, *args, **kwargs)
        self._publisher = node.create_publisher(PressureState, 'pressure/state', qos.SENSOR.offered)

    def publish(
        self,
        stamp: Time,
        setpoint: Setpoint,
        pressure: np.ndarray,
        opening: np.ndarray | None,
        fault: np.ndarray | int = 0,
    ) -> None:
        """Publish what was measured at `stamp` and applied; (n,) Pa, and openings where valves are known.

        fault: PressureState.FAULT_* bits of the device, added to those of `setpoint`.
        """
        chambers = ChamberArrays(
            pressure=pressure,
            command=setpoint.value if self.safety.quantity is PRESSURE else None,
            opening=opening,
            is_saturated=setpoint.is_saturated,
            fault=setpoint.fault | np.asarray(fault, dtype=np.uint16),
        )
        self._publisher.publish(convert_chambers.pressure_state_to_msg(stamp, self.safety.names, chambers))
