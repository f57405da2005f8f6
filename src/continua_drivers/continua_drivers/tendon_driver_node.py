"""The driver of a serial tendon board (hardware/tendon_board.md).

Inputs: tendon/command; services enable, emergency_stop, reset, tare; lifecycle transitions.
Output: tendon/state.
Without a fresh command for `watchdog` seconds the tendons are slack, on the board also when this process
hangs or dies. A lost board is looked for until it is back; then the tendons are what they were before.

Lifecycle: unconfigured = no board; inactive = board identified, limits set, slack; active = energised. The
node follows the board and its services by itself; transitions from outside do what `enable` does.
"""

import time
from pathlib import Path

import numpy as np
from lifecycle_msgs.msg import State as Lifecycle
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

from continua.control.safety import Setpoint
from continua.control.safety import State as SafetyState
from continua.description import load_robot
from continua.devices.emulated_tendon_board import emulated_port
from continua.devices.tendon_board import BAUDRATE, TendonBoard
from continua.devices.tendon_drive import Reading, TendonDrive
from continua.devices.tendon_messages import Fault
from continua_drivers.board_tendons import BoardTendons
from continua_node import convert, diagnostics, params, robot, spin
from continua_node.params import Parameter

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter(
        'port', '/dev/continua_tendon_board', "serial port; 'emulated' is where board_emulator puts its own"
    ),
    Parameter('baudrate', BAUDRATE, 'speed of the serial port', 'bit/s', range=(9600, 4_000_000)),
    Parameter(
        'calibration_dir', '', 'folder with <serial>.yaml; empty takes the readings of the board as they are'
    ),
    Parameter('autostart', False, 'energise as soon as the board is there'),
    Parameter('watchdog', 0.1, 'slack after this time without a command', 's', range=(0.02, 1.0)),
    Parameter('rate', 200.0, 'how often commands and states are passed on', 'Hz', range=(10.0, 1000.0)),
    Parameter('state_rate', 100.0, 'how often the board sends its state', 'Hz', range=(1.0, 500.0)),
]

_SUCCESS, _FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE
_CONNECT_TIMEOUT = 3.0  # s, of a configure transition from outside
_STAMP_JITTER = 0.2  # s by which the estimate of the board's clock may step back; stamps do not
_SAME_INSTANT = 1e-3  # s between two looks at clocks at which they count as one
_LOST_PERIOD = 0.1  # s between states that only say that the board is lost


class TendonDriverNode(LifecycleNode):
    def __init__(self) -> None:
        super().__init__('tendon_driver')
        self._settings = params.declare(self, PARAMETERS)
        self._robot = load_robot(self._settings.robot_file)
        self.diagnostics = diagnostics.Diagnostics(self)
        self._drive = self._new_drive()
        self._tendons = BoardTendons(
            self, self._robot.tendons, self._settings.watchdog, self.diagnostics, lambda: self._drive
        )
        self._is_autostart_due = self._settings.autostart
        self._is_following = False  # in a transition that the node makes by itself
        self._last_reading: Reading | None = None
        self._last_published = 0.0
        self._last_sentence = self._drive.link.status.sentence
        self._last_stamp = 0.0
        robot.announce(self, self._robot)
        self._drive.link.start()
        self.diagnostics.timer(1.0 / self._settings.rate, self._step, steady=True)

    def close(self) -> None:
        """Slacken the tendons and let go of the board."""
        self._drive.link.close()

    def _new_drive(self) -> TendonDrive:
        settings = self._settings
        is_emulated = settings.port == 'emulated'
        port = str(emulated_port(self._robot.name)) if is_emulated else settings.port
        return TendonDrive(
            self._robot.tendons,
            lambda: TendonBoard.open(port, settings.baudrate),
            watchdog=settings.watchdog,
            state_rate=settings.state_rate,
            calibration_dir=Path(settings.calibration_dir) if settings.calibration_dir else None,
        )

    # The loop

    def _step(self) -> None:
        setpoint = self._tendons.setpoint()
        is_enabled = self._tendons.safety.state is SafetyState.ENABLED
        self._drive.set_demand(is_enabled and self._is_in(Lifecycle.PRIMARY_STATE_ACTIVE), setpoint.tension)
        reading = self._drive.take_reading()
        if reading is not None:
            self._last_reading = reading
            self._tendons.board_fault = int(np.bitwise_or.reduce(reading.fault))
            self._publish(reading, setpoint)
        elif not self._drive.link.status.is_connected:
            self._publish_lost(setpoint)
        self._follow()
        self._report()

    def _publish(self, reading: Reading, setpoint: Setpoint) -> None:
        applied = setpoint._replace(
            tension=reading.command, is_saturated=setpoint.is_saturated | reading.is_saturated
        )
        now, steady_now = self._now()
        age = steady_now - reading.time
        stamp = now - age
        if self._last_stamp - _STAMP_JITTER < stamp < self._last_stamp:
            stamp = self._last_stamp
        self._last_stamp = stamp
        self._tendons.publish(
            convert.to_stamp(stamp),
            applied,
            reading.tension,
            reading.displacement,
            reading.velocity,
            reading.fault,
        )
        self._last_published = time.monotonic()
        self.diagnostics.input_age('tendon_board', age)

    def _now(self) -> tuple[float, float]:
        """ROS time and steady time of one instant, s: the machine may pause a process between two looks."""
        while True:
            before = time.monotonic()
            now = self.get_clock().now().nanoseconds * 1e-9
            after = time.monotonic()
            if after - before < _SAME_INSTANT:
                return now, after

    def _publish_lost(self, setpoint: Setpoint) -> None:
        """The last reading with its old stamp, and the fault."""
        reading = self._last_reading
        if reading is not None and time.monotonic() - self._last_published > _LOST_PERIOD:
            nothing = np.zeros(len(reading.tension))
            fault = np.full(len(reading.tension), Fault.DEVICE_LOST, dtype=np.uint16)
            lost = Reading(
                reading.time,
                reading.tension,
                reading.displacement,
                nothing,
                nothing,
                nothing > 0,
                fault,
                0,
                0,
            )
            self._publish(lost, setpoint)

    def _follow(self) -> None:
        """Keep the lifecycle state at what the board and the services say."""
        is_connected = self._drive.link.status.is_connected
        if is_connected and self._is_autostart_due:
            self._is_autostart_due = False
            self._tendons.enable()
        is_wanted = self._tendons.safety.state in (SafetyState.ENABLED, SafetyState.WATCHDOG)
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
        self.diagnostics.set_state(*self._tendons.state)

    def _is_in(self, state: int) -> bool:
        return self._state_machine.current_state[0] == state  # rclpy has no public way to ask

    # Lifecycle: from outside, or from `_follow`

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        if not self._drive.link.is_started:
            self._drive.link.start()
        is_connected = self._drive.link.wait_connected(_CONNECT_TIMEOUT)
        return _SUCCESS if is_connected else _FAILURE

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        return _SUCCESS if self._tendons.enable() else _FAILURE

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        if not self._is_following:
            self._tendons.disable()
        self._slacken()
        return _SUCCESS

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        if not self._is_following:
            self._tendons.disable()
            self._drive.link.close()
            self._drive = self._new_drive()
        return _SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._tendons.disable()
        self._drive.link.close()
        return _SUCCESS

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._tendons.disable()
        self._slacken()
        return _SUCCESS

    def _slacken(self) -> None:
        self._drive.set_demand(False, np.zeros(len(self._robot.tendons)))


def main() -> int:
    return spin.spin(TendonDriverNode)
