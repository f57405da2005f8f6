"""Plays a tension trajectory: step, release, sweep, sine, circle, random babbling or a CSV file.

Inputs: tendon/state (only whether the robot is there and not stopped); service reference_player/enable.
Outputs: tendon/command while it plays, then 0 N once; control/status.
While nobody takes tendon/command or tendon/state is late, the trajectory waits and the tendons are slack.
With `exits` the node ends with the trajectory.
"""

import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from rclpy.node import Node
from std_srvs.srv import SetBool

from continua.control import playback
from continua.control.playback import Playback
from continua.control.reference_csv import INTERPOLATIONS, CsvReference
from continua.control.references import Babble, Circle, Reference, Release, Sine, Step, Sweep, check_limits
from continua.description import Robot, load_robot
from continua_msgs.msg import ControllerStatus, TendonCommand, TendonState
from continua_node import convert, diagnostics, params, qos, spin
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
    Parameter('offset', [0.0], 'lowest tension, of all tendons or of each', 'N', range=(0.0, 1000.0)),
    Parameter('amplitude', [1.0], 'how far it rises above, likewise', 'N', range=(0.0, 1000.0)),
    Parameter('step_time', 1.0, 'step and release: when', 's', range=(0.0, 3600.0)),
    Parameter('levels', 6, 'sweep: tensions that each tendon climbs through', range=(2, 1000)),
    Parameter('hold', 2.0, 'sweep: time that each is held', 's', range=(0.01, 3600.0)),
    Parameter('frequency', 0.5, 'sine and circle: turns per second', 'Hz', range=(0.0, 50.0)),
    Parameter('hold_min', 0.5, 'babble: shortest time that a tension is held', 's', range=(0.01, 3600.0)),
    Parameter('hold_max', 2.0, 'babble: longest time that a tension is held', 's', range=(0.01, 3600.0)),
    Parameter('seed', 1, 'babble: the same seed plays the same', range=(0, 2**31 - 1)),
    Parameter('csv_file', '', 'csv: path of the file, columns time and every tendon'),
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
    Parameter('state_timeout', 0.5, 'age at which tendon/state counts as missing', 's', range=(0.05, 60.0)),
]

_STATUS = {
    playback.State.WAITING: ControllerStatus.STATUS_INPUT_STALE,
    playback.State.PLAYING: ControllerStatus.STATUS_OK,
    playback.State.PAUSED: ControllerStatus.STATUS_IDLE,
    playback.State.FINISHED: ControllerStatus.STATUS_IDLE,
}


class ReferencePlayerNode(Node):
    """Wires `continua.control.playback` to tendon/command."""

    def __init__(self) -> None:
        super().__init__('reference_player')
        settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        self.names = [tendon.name for tendon in robot.tendons]
        self.exits, self.state_timeout = settings.exits, settings.state_timeout

        reference = make_reference(settings, robot)
        check_limits(reference, robot.tendons)
        self.playback = Playback(
            reference, settings.duration or math.inf, settings.start_delay, settings.autostart
        )
        self.last_state = -math.inf
        self.is_stopped = self.is_finished = False

        self.commands = self.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)
        self.status = self.create_publisher(ControllerStatus, 'control/status', qos.STATE.offered)
        self.create_subscription(TendonState, 'tendon/state', self._on_state, qos.SENSOR.requested)
        self.create_service(SetBool, 'reference_player/enable', self._on_enable)

        self.diagnostics = diagnostics.Diagnostics(self)
        self.diagnostics.timer(1.0 / settings.rate, self._step)

    def close(self) -> None:
        """Leave the tendons slack when the player goes."""
        self.playback.pause()
        tension = self.playback.step(self.diagnostics.now(), is_ready=False)
        if tension is not None:
            spin.deliver(self.commands, self._command(tension))

    def _on_state(self, message: TendonState) -> None:
        try:
            state = convert.tendon_state_from_msg(message, self.names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        self.last_state = self.diagnostics.now()
        self.is_stopped = bool((state.fault & TendonState.FAULT_EMERGENCY_STOP).any())
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
        tension = self.playback.step(self.diagnostics.now(), is_ready)
        self.is_finished = self.exits and self.playback.state is playback.State.FINISHED
        if tension is not None:
            send = partial(spin.deliver, self.commands) if self.is_finished else self.commands.publish
            send(self._command(tension))
        self.diagnostics.input_age('tendon/state', age)

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

    def _command(self, tension: np.ndarray) -> TendonCommand:
        return convert.tendon_command_to_msg(self.get_clock().now().to_msg(), self.names, tension)

    def _sentence(self) -> str:
        if self.is_stopped:
            return 'the robot is in emergency stop; reset and enable it, then enable the player'
        return f'{self.playback.state.value} ({max(0.0, self.playback.elapsed):.1f} s played)'


def make_reference(settings: params.Settings, robot: Robot) -> Reference:
    """The reference that the parameters ask for; raises ValueError."""
    n = len(robot.tendons)
    low = _one_each('offset', settings.offset, n)
    high = low + _one_each('amplitude', settings.amplitude, n)
    makers: dict[str, Callable[[], Reference]] = {
        'step': lambda: Step(low, high, settings.step_time),
        'release': lambda: Release(low, high, settings.step_time),
        'sweep': lambda: Sweep(low, high, settings.levels, settings.hold),
        'sine': lambda: Sine(low, high, settings.frequency),
        'circle': lambda: Circle(low, high, settings.frequency, _angles(robot)),
        'babble': lambda: Babble(low, high, settings.hold_min, settings.hold_max, settings.seed),
        'csv': lambda: CsvReference(
            settings.csv_file, [t.name for t in robot.tendons], settings.csv_interpolation
        ),
    }
    return makers[settings.kind]()


def _angles(robot: Robot) -> np.ndarray:
    """Direction in which each tendon pulls where it starts, (n,) rad from the y axis to the z axis."""
    offset = np.array([tendon.path.offset(np.array([tendon.range[0]]))[0] for tendon in robot.tendons])
    return np.arctan2(offset[:, 1], offset[:, 0])


def _one_each(name: str, values: list[float], n: int) -> np.ndarray:
    if len(values) not in (1, n):
        raise ValueError(
            f'{name} has {len(values)} numbers, expected 1, for all tendons, or {n}, one for each'
        )
    return np.broadcast_to(np.array(values), n).copy()


def main() -> int:
    """Entry point."""
    return spin.spin(ReferencePlayerNode)
