"""Plays tensions or pressures: step, release, sweep, sine, circle, random babbling or a CSV file.

Inputs: tendon/state or pressure/state (only whether the robot is there and not stopped); service
reference_player/enable.
Outputs: tendon/command or pressure/command while it plays, then 0 once; control/status.
While nobody takes the command or the state is late, the trajectory waits, tendons slack and chambers vented.
With `exits` the node ends with the trajectory.
"""

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from rclpy.node import Node
from std_srvs.srv import SetBool

from continua.control import playback
from continua.control.playback import Playback
from continua.control.reference_csv import INTERPOLATIONS, CsvReference
from continua.control.references import Babble, Circle, Reference, Release, Sine, Step, Sweep, check_limits
from continua.control.safety import FAULT_EMERGENCY_STOP, PRESSURE, TENSION, Quantity
from continua.description import Robot, load_robot
from continua_msgs.msg import (
    ControllerStatus,
    PressureCommand,
    PressureState,
    TendonCommand,
    TendonState,
)
from continua_node import convert, convert_chambers, diagnostics, params, qos, spin
from continua_node.params import Parameter

__all__ = ['ReferencePlayerNode', 'main']

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter(
        'kind',
        str,
        'what is played',
        choices=('step', 'release', 'sweep', 'sine', 'circle', 'babble', 'csv'),
    ),
    Parameter(
        'quantity',
        'tension',
        'what is commanded: tension of tendons in N, pressure of chambers in Pa',
        choices=('tension', 'pressure'),
    ),
    Parameter('offset', [0.0], 'lowest value, of all tendons or chambers or of each', range=(-1e6, 1e6)),
    Parameter('amplitude', [1.0], 'how far it rises above, likewise', range=(0.0, 1e6)),
    Parameter('step_time', 1.0, 'step and release: when', 's', range=(0.0, 3600.0)),
    Parameter('levels', 6, 'sweep: values that each tendon or chamber climbs through', range=(2, 1000)),
    Parameter('hold', 2.0, 'sweep: time that each is held', 's', range=(0.01, 3600.0)),
    Parameter('frequency', 0.5, 'sine and circle: turns per second', 'Hz', range=(0.0, 50.0)),
    Parameter('hold_min', 0.5, 'babble: shortest time that a value is held', 's', range=(0.01, 3600.0)),
    Parameter('hold_max', 2.0, 'babble: longest time that a value is held', 's', range=(0.01, 3600.0)),
    Parameter('seed', 1, 'babble: the same seed plays the same', range=(0, 2**31 - 1)),
    Parameter('csv_file', '', 'csv: path of the file, columns time and every tendon or chamber'),
    Parameter('csv_interpolation', 'linear', 'csv: between two rows', choices=INTERPOLATIONS),
    Parameter(
        'duration', 0.0, 'when it ends; 0 plays until the file ends or for ever', 's', range=(0.0, 1e6)
    ),
    Parameter(
        'rate', 50.0, "commands per second; above 1 / the robot's watchdog", 'Hz', range=(20.0, 1000.0)
    ),
    Parameter(
        'start_delay', 0.0, 'from the moment the robot is there to the start', 's', range=(0.0, 3600.0)
    ),
    Parameter(
        'autostart', True, 'play as soon as the robot is there; false waits for reference_player/enable'
    ),
    Parameter('exits', False, 'end when the trajectory has ended; false waits to be enabled again'),
    Parameter('state_timeout', 0.5, 'age at which the state counts as missing', 's', range=(0.05, 60.0)),
]

# A robot whose sensors are silent is not there yet, or no more.
_UNREADABLE = TendonState.FAULT_SENSOR | TendonState.FAULT_DEVICE_LOST

_STATUS = {
    playback.State.WAITING: ControllerStatus.STATUS_INPUT_STALE,
    playback.State.PLAYING: ControllerStatus.STATUS_OK,
    playback.State.PAUSED: ControllerStatus.STATUS_IDLE,
    playback.State.FINISHED: ControllerStatus.STATUS_IDLE,
}


class _Wiring(NamedTuple):
    """What of the robot is commanded, and by which messages."""

    quantity: Quantity
    actuators: Sequence
    command_type: type
    command_topic: str
    command: Callable[..., Any]
    state_type: type
    state_topic: str
    state: Callable[[Any, Sequence[str]], Any]


def wiring_of(quantity: str, robot: Robot) -> _Wiring:
    """Of tendons for tension, of chambers for pressure."""
    if quantity == 'tension':
        return _Wiring(
            TENSION,
            robot.tendons,
            TendonCommand,
            'tendon/command',
            convert.tendon_command_to_msg,
            TendonState,
            'tendon/state',
            convert.tendon_state_from_msg,
        )
    return _Wiring(
        PRESSURE,
        robot.chambers,
        PressureCommand,
        'pressure/command',
        convert_chambers.pressure_command_to_msg,
        PressureState,
        'pressure/state',
        convert_chambers.pressure_state_from_msg,
    )


class ReferencePlayerNode(Node):
    """Wires `continua.control.playback` to tendon/command or pressure/command."""

    def __init__(self) -> None:
        super().__init__('reference_player')
        settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        self.wiring = wiring = wiring_of(settings.quantity, robot)
        self.names = [actuator.name for actuator in wiring.actuators]
        self.exits, self.state_timeout = settings.exits, settings.state_timeout

        reference = make_reference(settings, wiring.actuators)
        check_limits(reference, wiring.actuators, wiring.quantity)
        self.playback = Playback(
            reference, settings.duration or math.inf, settings.start_delay, settings.autostart
        )
        self.last_state = -math.inf
        self.is_stopped = self.is_finished = False

        self.commands = self.create_publisher(wiring.command_type, wiring.command_topic, qos.COMMAND.offered)
        self.status = self.create_publisher(ControllerStatus, 'control/status', qos.STATE.offered)
        self.create_subscription(wiring.state_type, wiring.state_topic, self._on_state, qos.SENSOR.requested)
        self.create_service(SetBool, 'reference_player/enable', self._on_enable)

        self.diagnostics = diagnostics.Diagnostics(self)
        self.diagnostics.timer(1.0 / settings.rate, self._step)

    def close(self) -> None:
        """Leave the robot at rest when the player goes."""
        self.playback.pause()
        values = self.playback.step(self.diagnostics.now(), is_ready=False)
        if values is not None:
            spin.deliver(self.commands, self._command(values))

    def _on_state(self, message: Any) -> None:
        try:
            state = self.wiring.state(message, self.names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        if not (state.fault & _UNREADABLE).any():
            self.last_state = self.diagnostics.now()
        self.is_stopped = bool((state.fault & FAULT_EMERGENCY_STOP).any())
        if self.is_stopped:
            self.playback.pause()  # what follows the emergency stop is a decision of its own

    def _on_enable(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        if not request.data:
            self.playback.pause()
        elif not self.is_stopped:
            self.playback.enable()
        response.success = not (request.data and self.is_stopped)
        response.message = self._sentence()
        return response

    def _step(self) -> None:
        start = time.perf_counter()
        stamp = self.get_clock().now().to_msg()
        age = self.diagnostics.now() - self.last_state
        is_ready = age <= self.state_timeout and self.commands.get_subscription_count() > 0
        values = self.playback.step(self.diagnostics.now(), is_ready)
        self.is_finished = self.exits and self.playback.state is playback.State.FINISHED
        if values is not None:
            send = partial(spin.deliver, self.commands) if self.is_finished else self.commands.publish
            send(self._command(values))
        self.diagnostics.input_age(self.wiring.state_topic, age)

        is_waiting = self.playback.state is playback.State.WAITING
        self.diagnostics.set_state(diagnostics.WARN if is_waiting else diagnostics.OK, self._sentence())
        status = ControllerStatus(
            status=ControllerStatus.STATUS_STOPPED if self.is_stopped else _STATUS[self.playback.state],
            message=self._sentence(),
            solve_time=time.perf_counter() - start,
            deadlines_missed=self.diagnostics.counts['missed_deadlines'],
        )
        status.header.stamp = stamp
        self.status.publish(status)

    def _command(self, values: np.ndarray) -> Any:
        return self.wiring.command(self.get_clock().now().to_msg(), self.names, values)

    def _sentence(self) -> str:
        if self.is_stopped:
            return 'the robot is in emergency stop; reset and enable it, then enable the player'
        return f'{self.playback.state.value} ({max(0.0, self.playback.elapsed):.1f} s played)'


def make_reference(settings: params.Settings, actuators: Sequence) -> Reference:
    """The reference that the parameters ask for; raises ValueError."""
    n = len(actuators)
    low = _one_each('offset', settings.offset, n)
    high = low + _one_each('amplitude', settings.amplitude, n)
    makers: dict[str, Callable[[], Reference]] = {
        'step': lambda: Step(low, high, settings.step_time),
        'release': lambda: Release(low, high, settings.step_time),
        'sweep': lambda: Sweep(low, high, settings.levels, settings.hold),
        'sine': lambda: Sine(low, high, settings.frequency),
        'circle': lambda: Circle(low, high, settings.frequency, _angles(actuators)),
        'babble': lambda: Babble(low, high, settings.hold_min, settings.hold_max, settings.seed),
        'csv': lambda: CsvReference(
            settings.csv_file, [each.name for each in actuators], settings.csv_interpolation
        ),
    }
    return makers[settings.kind]()


def _angles(actuators: Sequence) -> np.ndarray:
    """Direction of each from the centre line where it starts, (n,) rad from the y axis to the z axis."""
    offset = np.array([each.path.offset(np.array([each.range[0]]))[0] for each in actuators])
    return np.arctan2(offset[:, 1], offset[:, 0])


def _one_each(name: str, values: list[float], n: int) -> np.ndarray:
    if len(values) not in (1, n):
        raise ValueError(f'{name} has {len(values)} numbers, expected 1, for all, or {n}, one for each')
    return np.broadcast_to(np.array(values), n).copy()


def main() -> int:
    """Entry point."""
    return spin.spin(ReferencePlayerNode)
