"""Commands to the actuators of a robot as topics bring them: checked, counted, limited.

What may pass is decided by `continua.control.safety.CommandSafety`, in steady time. `TendonInterface` and
`PressureInterface` add their messages; `safety_services` the services.
"""

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from continua.control.safety import CommandSafety, Setpoint, State
from continua_node import convert, qos
from continua_node.diagnostics import ERROR, OK, WARN, Diagnostics

__all__ = ['CommandInterface']

_LEVEL = {State.DISABLED: OK, State.ENABLED: OK, State.WATCHDOG: WARN, State.STOPPED: ERROR}
_QUIET = 2.0  # s between two log lines on refused commands


class CommandInterface:
    """A subscription to commands of one kind, and the setpoint that follows from them.

    safety: the CommandSafety behind it. topic: of the commands.
    """

    def __init__(
        self,
        node: Node,
        safety: CommandSafety,
        diagnostics: Diagnostics,
        topic: str,
        message_type: type,
        values: Callable[[Any], dict[str, float]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start disabled.

        values: the command's values by name of the actuator, or convert.Rejected.
        clock: s, time of watchdog and rate limits: steady time, or the simulator's own time.
        """
        self.safety = safety
        self.topic = topic
        self._node = node
        self._diagnostics = diagnostics
        self._values = values
        self._clock = clock
        self._last_command = self._last_setpoint = clock()
        node.create_subscription(message_type, topic, self._on_command, qos.COMMAND.requested)

    @property
    def state(self) -> tuple[bytes, str]:
        """Level and sentence for the diagnostics."""
        return _LEVEL[self.safety.state], self.safety.sentence

    def enable(self) -> bool:
        """Let commands through; False where the emergency stop is latched."""
        return self.safety.enable(self._clock())

    def disable(self) -> None:
        """Rest at once."""
        self.safety.disable()

    def emergency_stop(self) -> None:
        """Rest at once and stay so until `reset`."""
        self.safety.emergency_stop()

    def reset(self) -> bool:
        """Clear the emergency stop; whether it did."""
        self.safety.reset()
        return True

    def setpoint(self) -> Setpoint:
        """What the drives should do now; call it once in every step."""
        now = self._clock()
        setpoint = self.safety.setpoint(now, now - self._last_setpoint)
        self._last_setpoint = now
        self._diagnostics.input_age(self.topic, now - self._last_command)
        return setpoint

    def _on_command(self, message: Any) -> None:
        try:
            values = self._values(message)
            self._check_age(message)
        except convert.Rejected as error:
            self._diagnostics.count(f'rejected_{error.reason}')
            self._node.get_logger().warning(f'{self.topic} refused: {error}', throttle_duration_sec=_QUIET)
            return
        self._last_command = self._clock()
        self.safety.command(values, self._last_command)

    def _check_age(self, message: Any) -> None:
        now = self._node.get_clock().now().nanoseconds * 1e-9
        age = now - convert.from_stamp(message.header.stamp)
        if abs(age) > self.safety.watchdog:
            raise convert.Rejected(
                'stale',
                f'its stamp is {age:.3f} s old, expected at most {self.safety.watchdog} s; '
                'is it set, and do sender and receiver use the same clock (use_sim_time)?',
            )
