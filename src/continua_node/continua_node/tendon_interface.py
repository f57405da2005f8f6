"""The tendons as tendon driver and simulator show them to the graph, so that nothing can tell them apart.

Input `tendon/command`; output `tendon/state`.

    self.tendons = TendonInterface(self, robot.tendons, settings.watchdog, self.diagnostics)
    ...
    setpoint = self.tendons.setpoint()                      # once in every step
    self.tendons.publish(stamp, setpoint, tension, displacement, velocity)
    self.diagnostics.set_state(*self.tendons.state)
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
from builtin_interfaces.msg import Time
from rclpy.node import Node

from continua.control.safety import TENSION, CommandSafety, Setpoint
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, qos
from continua_node.command_interface import CommandInterface
from continua_node.diagnostics import Diagnostics

__all__ = ['TendonInterface']


class TendonInterface(CommandInterface):
    """Tensions in, states out."""

    def __init__(
        self,
        node: Node,
        tendons: Sequence,
        watchdog: float,
        diagnostics: Diagnostics,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start disabled. tendons: of the robot description. watchdog: s."""
        safety = CommandSafety.of(TENSION, tendons, watchdog)
        super().__init__(node, safety, diagnostics, 'tendon/command', TendonCommand, self._tensions, clock)
        self._publisher = node.create_publisher(TendonState, 'tendon/state', qos.SENSOR.offered)

    def publish(
        self,
        stamp: Time,
        setpoint: Setpoint,
        tension: np.ndarray,
        displacement: np.ndarray,
        velocity: np.ndarray,
        fault: np.ndarray | int = 0,
    ) -> None:
        """Publish what was measured at `stamp` and applied; all (n,), N, m, m/s.

        fault: TendonState.FAULT_* bits of the device, added to those of `setpoint`.
        """
        message = convert.tendon_state_to_msg(
            stamp,
            self.safety.names,
            tension=tension,
            displacement=displacement,
            velocity=velocity,
            command=setpoint.value,
            is_saturated=setpoint.is_saturated,
            fault=setpoint.fault | np.asarray(fault, dtype=np.uint16),
        )
        self._publisher.publish(message)

    def _tensions(self, message: TendonCommand) -> dict[str, float]:
        quantity, values = convert.tendon_command_from_msg(message, self.safety.names)
        if quantity != 'tension':
            raise convert.Rejected('quantity', f'these drives take tension in N, but {quantity} is given')
        return values
