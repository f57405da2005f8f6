"""The face that the tendon driver and the simulator show to the graph, so that nothing can tell them apart.

Input `tendon/command`; output `tendon/state`; services `enable`, `emergency_stop`, `reset`, `tare`. What
may pass is decided by `continua.control.safety.TendonSafety`, in steady time.

    self.tendons = TendonInterface(self, robot.tendons, settings.watchdog, self.diagnostics, tare=self._tare)
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
from std_srvs.srv import SetBool, Trigger

from continua.control.safety import Setpoint, State, TendonSafety
from continua_msgs.msg import TendonCommand, TendonState
from continua_node import convert, qos
from continua_node.diagnostics import ERROR, OK, WARN, Diagnostics

__all__ = ['TendonInterface']

_LEVEL = {State.DISABLED: OK, State.ENABLED: OK, State.WATCHDOG: WARN, State.STOPPED: ERROR}
_QUIET = 2.0  # s between two log lines on refused commands


class TendonInterface:
    """Commands in, checked and limited; states out; and the four services.

    safety: the TendonSafety, for a device that must stop it by itself.

    A device with a state of its own overrides `state`, `enable`, `disable`, `emergency_stop` and `reset`,
    which the services call.
    """

    def __init__(
        self,
        node: Node,
        tendons: Sequence,
        watchdog: float,
        diagnostics: Diagnostics,
        tare: Callable[[], tuple[bool, str]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start disabled.

        tendons: of the robot description. watchdog: s.
        tare: makes the present readings zero; returns whether it did, and a sentence.
        clock: s, time of watchdog and rate limits: steady time, or the simulator's own time.
        """
        self._node = node
        self._diagnostics = diagnostics
        self._tare = tare
        self._clock = clock
        self.safety = TendonSafety(tendons, watchdog)
        self._last_command = self._last_setpoint = clock()
        self._publisher = node.create_publisher(TendonState, 'tendon/state', qos.SENSOR.offered)
        node.create_subscription(TendonCommand, 'tendon/command', self._on_command, qos.COMMAND.requested)
        node.create_service(SetBool, 'enable', self._on_enable)
        node.create_service(Trigger, 'emergency_stop', self._on_emergency_stop)
        node.create_service(Trigger, 'reset', self._on_reset)
        node.create_service(Trigger, 'tare', self._on_tare)

    @property
    def state(self) -> tuple[bytes, str]:
        """Level and sentence for the diagnostics."""
        return _LEVEL[self.safety.state], self.safety.state.value

    def enable(self) -> bool:
        """Let commands through, as the service does; False where the emergency stop is latched."""
        return self.safety.enable(self._clock())

    def disable(self) -> None:
        """Go slack, as the service does."""
        self.safety.disable()

    def emergency_stop(self) -> None:
        """Go slack and stay so until `reset`, as the service does."""
        self.safety.emergency_stop()

    def reset(self) -> bool:
        """Clear emergency stop and faults, as the service does; whether it did."""
        self.safety.reset()
        return True

    def setpoint(self) -> Setpoint:
        """What the drives should do now; call it once in every step."""
        now = self._clock()
        setpoint = self.safety.setpoint(now, now - self._last_setpoint)
        self._last_setpoint = now
        self._diagnostics.input_age('tendon/command', now - self._last_command)
        return setpoint

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
            command=setpoint.tension,
            is_saturated=setpoint.is_saturated,
            fault=setpoint.fault | np.asarray(fault, dtype=np.uint16),
        )
        self._publisher.publish(message)

    def _on_command(self, message: TendonCommand) -> None:
        try:
            tension = self._checked(message)
        except convert.Rejected as error:
            self._diagnostics.count(f'rejected_{error.reason}')
            self._node.get_logger().warning(f'tendon/command refused: {error}', throttle_duration_sec=_QUIET)
            return
        self._last_command = self._clock()
        self.safety.command(tension, self._last_command)

    def _checked(self, message: TendonCommand) -> dict[str, float]:
        quantity, values = convert.tendon_command_from_msg(message, self.safety.names)
        if quantity != 'tension':
            raise convert.Rejected('quantity', f'these drives take tension in N, but {quantity} is given')
        now = self._node.get_clock().now().nanoseconds * 1e-9
        age = now - convert.from_stamp(message.header.stamp)
        if abs(age) > self.safety.watchdog:
            raise convert.Rejected(
                'stale',
                f'its stamp is {age:.3f} s old, expected at most {self.safety.watchdog} s; '
                'is it set, and do sender and receiver use the same clock (use_sim_time)?',
            )
        return values

    def _on_enable(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        response.success = True
        if request.data:
            response.success = self.enable()
        else:
            self.disable()
        response.message = self.state[1]
        return response

    def _on_emergency_stop(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self.emergency_stop()
        response.success, response.message = True, self.state[1]
        self._node.get_logger().warning(f'emergency stop: {response.message}')
        return response

    def _on_reset(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success, response.message = self.reset(), self.state[1]
        return response

    def _on_tare(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success, response.message = self._tare()
        return response
