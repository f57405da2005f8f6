"""What the drivers of serial boards share: the lifecycle, the loop, and the search for a lost board.

Lifecycle: unconfigured = no board; inactive = board identified, limits set, at rest; active = energised.
The node follows the board and its services by itself; transitions from outside do what `enable` does.
"""

import time
from collections.abc import Callable
from enum import IntFlag
from pathlib import Path

import numpy as np
from builtin_interfaces.msg import Time
from lifecycle_msgs.msg import State as Lifecycle
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

from continua.control.safety import Setpoint
from continua.control.safety import State as SafetyState
from continua.description import load_robot
from continua.devices.board_drive import BoardDrive, BoardReading
from continua.devices.board_messages import Dialect
from continua.devices.emulated_board import emulated_port
from continua.devices.serial_board import BAUDRATE, SerialBoard
from continua_drivers.board_controls import BoardControls
from continua_node import convert, diagnostics, params, robot, safety_services
from continua_node.command_interface import CommandInterface
from continua_node.params import Parameter

__all__ = ['BoardDriverNode', 'parameters']

_SUCCESS, _FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE
_CONNECT_TIMEOUT = 3.0  # s, of a configure transition from outside
_STAMP_JITTER = 0.2  # s by which the estimate of the board's clock may step back; stamps do not
_SAME_INSTANT = 1e-3  # s between two looks at clocks at which they count as one
_LOST_PERIOD = 0.1  # s between states that only say that the board is lost


def parameters(board: str) -> list[Parameter]:
    """Those of every driver. board: tendon or valve."""
    return [
        params.ROBOT_FILE,
        Parameter(
            'port',
            f'/dev/continua_{board}_board',
            "serial port; 'emulated' is where board_emulator puts its own",
        ),
        Parameter('baudrate', BAUDRATE, 'speed of the serial port', 'bit/s', range=(9600, 4_000_000)),
        Parameter(
            'calibration_dir',
            '',
            'folder with <serial>.yaml; empty takes the readings of the board as they are',
        ),
        Parameter('autostart', False, 'energise as soon as the board is there'),
        Parameter('watchdog', 0.1, 'rest after this time without a command', 's', range=(0.02, 1.0)),
        Parameter('rate', 200.0, 'how often commands and states are passed on', 'Hz', range=(10.0, 1000.0)),
        Parameter('state_rate', 100.0, 'how often the board sends its state', 'Hz', range=(1.0, 500.0)),
    ]


class BoardDriverNode(LifecycleNode):
    """A subclass says what its board is, and publishes its readings."""

    def __init__(self, board: str, parameters: list[Parameter], faults: type[IntFlag]) -> None:
        """board: tendon or valve. faults: names of the board's fault bits."""
        super().__init__(f'{board}_driver')
        self._board = board
        self._settings = params.declare(self, parameters)
        self._robot = load_robot(self._settings.robot_file)
        self.diagnostics = diagnostics.Diagnostics(self)
        self._drive = self._new_drive()
        self._commands = self._new_commands()
        self._controls = BoardControls(self._commands, lambda: self._drive, faults)
        safety_services.offer(self, self._controls, tare=self._controls.tare)
        self._is_autostart_due = self._settings.autostart
        self._is_following = False  # in a transition that the node makes by itself
        self._last_reading: BoardReading | None = None
        self._last_published = 0.0
        self._last_sentence = self._drive.link.status.sentence
        self._last_stamp = 0.0
        robot.announce(self, self._robot)
        self._drive.link.start()
        self.diagnostics.timer(1.0 / self._settings.rate, self._step, steady=True)

    def close(self) -> None:
        """Bring the actuators to rest and let go of the board."""
        self._drive.link.close()

    # What a subclass says

    def _new_drive(self) -> BoardDrive:
        raise NotImplementedError

    def _new_commands(self) -> CommandInterface:
        raise NotImplementedError

    def _publish(self, stamp: Time, applied: Setpoint, reading: BoardReading) -> None:
        """Publish a reading; `applied` holds what the board applies, and the saturation of both."""
        raise NotImplementedError

    def _drive_of(
        self, drive_type: Callable[..., BoardDrive], dialect: Dialect, actuators, **more
    ) -> BoardDrive:
        """A drive of that type with the settings of every driver."""
        settings, robot_name = self._settings, self._robot.name
        is_emulated = settings.port == 'emulated'
        port = str(emulated_port(robot_name, self._board)) if is_emulated else settings.port
        return drive_type(
            actuators,
            lambda: SerialBoard.open(dialect, port, settings.baudrate),
            watchdog=settings.watchdog,
            state_rate=settings.state_rate,
            calibration_dir=Path(settings.calibration_dir) if settings.calibration_dir else None,
            **more,
        )

    # The loop

    def _step(self) -> None:
        setpoint = self._commands.setpoint()
        is_enabled = self._commands.safety.state is SafetyState.ENABLED
        self._drive.set_demand(is_enabled and self._is_in(Lifecycle.PRIMARY_STATE_ACTIVE), setpoint.value)
        reading = self._drive.take_reading()
        if reading is not None:
            self._last_reading = reading
            self._controls.board_fault = int(np.bitwise_or.reduce(reading.fault))
            self._pass_on(reading, setpoint)
        elif not self._drive.link.status.is_connected:
            self._pass_on_lost(setpoint)
        self._follow()
        self._report()

    def _pass_on(self, reading: BoardReading, setpoint: Setpoint) -> None:
        applied = setpoint._replace(
            value=reading.command, is_saturated=setpoint.is_saturated | reading.is_saturated
        )
        now, steady_now = self._now()
        age = steady_now - reading.time
        stamp = now - age
        if self._last_stamp - _STAMP_JITTER < stamp < self._last_stamp:
            stamp = self._last_stamp
        self._last_stamp = stamp
        self._publish(convert.to_stamp(stamp), applied, reading)
        self._last_published = time.monotonic()
        self.diagnostics.input_age(f'{self._board}_board', age)

    def _now(self) -> tuple[float, float]:
        """ROS time and steady time of one instant, s: the machine may pause a process between two looks."""
        while True:
            before = time.monotonic()
            now = self.get_clock().now().nanoseconds * 1e-9
            after = time.monotonic()
            if after - before < _SAME_INSTANT:
                return now, after

    def _pass_on_lost(self, setpoint: Setpoint) -> None:
        """The last reading with its old stamp, and the fault."""
        reading = self._last_reading
        if reading is not None and time.monotonic() - self._last_published > _LOST_PERIOD:
            self._pass_on(reading.lost(self._commands.safety.quantity.rest), setpoint)

    def _follow(self) -> None:
        """Keep the lifecycle state at what the board and the services say."""
        is_connected = self._drive.link.status.is_connected
        if is_connected and self._is_autostart_due:
            self._is_autostart_due = False
            self._controls.enable()
        is_wanted = self._commands.safety.state in (SafetyState.ENABLED, SafetyState.WATCHDOG)
        self._is_following = True
        if self._is_in(Lifecycle.PRIMARY_STATE_ACTIVE) and not (is_connected and is_wanted):
            self.trigger_deactivate()
        if self._is_in(Lifecycle.PRIMARY_STATE_INACTIVE) and not is_connected:
            self.trigger_cleanup()
        if self._is_in(Lifecycle.PRIMARY_STATE_UNCONFIGURED) and is_connected:
            self.trigger_configure()
        if self._is_in(Lifecycle.PRIMARY_STATE_INACTIVE) and is_connected and is_wanted:
            self.trigger_activate()
        self._is_following = False

    def _report(self) -> None:
        status = self._drive.link.status
        if status.sentence != self._last_sentence:
            log = self.get_logger()
            if status.is_connected:
                log.info(status.sentence)
            else:
                log.error(f'{status.sentence}; looking for it')
            self._last_sentence = status.sentence
        counts = self._drive.link.counts() | {'reconnects': max(status.connections - 1, 0)}
        if self._last_reading is not None:
            counts['board_bad_frames'] = self._last_reading.bad_frames
            counts['board_lost_frames'] = self._last_reading.lost_frames
        for name, count in counts.items():
            self.diagnostics.counts[name] = count
        self.diagnostics.set_state(*self._controls.state)

    def _is_in(self, state: int) -> bool:
        return self._state_machine.current_state[0] == state  # rclpy has no public way to ask

    # Lifecycle: from outside, or from `_follow`

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        if not self._drive.link.is_started:
            self._drive.link.start()
        is_connected = self._drive.link.wait_connected(_CONNECT_TIMEOUT)
        return _SUCCESS if is_connected else _FAILURE

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        return _SUCCESS if self._controls.enable() else _FAILURE

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        if not self._is_following:
            self._controls.disable()
        self._rest()
        return _SUCCESS

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        if not self._is_following:
            self._controls.disable()
            self._drive.link.close()
            self._drive = self._new_drive()
        return _SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._controls.disable()
        self._drive.link.close()
        return _SUCCESS

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._controls.disable()
        self._rest()
        return _SUCCESS

    def _rest(self) -> None:
        safety = self._commands.safety
        self._drive.set_demand(False, np.full(len(safety.names), safety.quantity.rest))
