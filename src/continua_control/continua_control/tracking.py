"""What the nodes that track trajectories with chambers share: the action, the checks and the safe command.

While no goal is followed nothing is commanded, and the chambers are free for somebody else. A goal ends with
the last instant of its reference, when it is cancelled, replaced, or when the robot stops; then the pressures
of rest are commanded once, after which the robot's own watchdog vents. While an input is late they are
commanded instead of the controller's.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future

from continua.control.trajectory import Trajectory
from continua.description import load_robot
from continua_msgs.action import TrackTrajectory
from continua_msgs.msg import ControllerStatus, PressureCommand, PressureState, Reference
from continua_node import convert, convert_chambers, params, qos, spin
from continua_node.diagnostics import ERROR, OK, WARN, Diagnostics
from continua_node.params import Parameter

__all__ = ['PARAMETERS', 'Outcome', 'TrackingNode', 'tip_trajectory']

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('rate', 70.0, 'commands per second', 'Hz', range=(0.1, 1000.0)),
    Parameter('max_age', 0.2, 'age at which an input counts as missing', 's', range=(1e-3, 10.0)),
    Parameter('pressure_rate', math.inf, 'largest change of a pressure', 'Pa/s', range=(1.0, math.inf)),
]
_STOPPED = PressureState.FAULT_EMERGENCY_STOP
_LONGEST = 3600.0  # s


@dataclass(frozen=True)
class Outcome:
    """Pressures (m,) Pa to command, how they were found, and the distance of the tip from its goal in m."""

    pressure: np.ndarray
    is_found: bool
    message: str
    tip_error: float
    cost: float = 0.0
    iterations: int = 0


class TrackingNode(Node):
    """Follows one goal at a time; `goals`, `missing`, `control` and `restart` are the controller's.

    pressure (m,): newest measured, Pa. low, high (m,): limits of the chambers, Pa.
    """

    def __init__(self, name: str, parameters: Sequence[Parameter]) -> None:
        super().__init__(name)
        self.settings = params.declare(self, parameters)
        self.robot = load_robot(self.settings.robot_file)
        self.names = list(self.robot.chamber_names)
        if not self.names:
            raise ValueError(f'robot {self.robot.name}: {name} commands pressures, but it has no chambers')
        limits = np.array([chamber.limits.pressure for chamber in self.robot.chambers])
        self.low, self.high = limits.T
        self.rest = np.clip(np.zeros(len(limits)), self.low, self.high)
        self.dt = 1.0 / self.settings.rate
        self.pressure = self.rest
        self._last_pressure = -math.inf
        self._is_stopped = False
        self._goal: _Goal | None = None

        self.diagnostics = Diagnostics(self)
        self._commands = self.create_publisher(PressureCommand, 'pressure/command', qos.COMMAND.offered)
        self._status = self.create_publisher(ControllerStatus, 'control/status', qos.STATE.offered)
        self.create_subscription(PressureState, 'pressure/state', self._on_pressure, qos.SENSOR.requested)

    def begin(self) -> None:
        """Take goals from now on; called when the controller is warm."""
        self._server = ActionServer(
            self,
            TrackTrajectory,
            'track_trajectory',
            self._follow,
            cancel_callback=lambda goal: CancelResponse.ACCEPT,
        )
        self.diagnostics.timer(self.dt, self._step)

    def goals(self, reference: Reference) -> Trajectory:
        """What the controller is to follow; raises ValueError where it cannot."""
        raise NotImplementedError

    def missing(self, now: float) -> str:
        """Which input, beside the pressures, is missing; '' where none is. now: of the diagnostics' clock."""
        raise NotImplementedError

    def control(self, goals: Trajectory, elapsed: float) -> Outcome:
        """One step, `elapsed` s after the start of the goals."""
        raise NotImplementedError

    def restart(self) -> None:
        """Forget what was commanded: the robot is at rest or with somebody else."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave the chambers at rest when the node goes."""
        if self._goal is not None:
            spin.deliver(self._commands, self._command(self.rest))

    def _on_pressure(self, message: PressureState) -> None:
        try:
            state = convert_chambers.pressure_state_from_msg(message, self.names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        self.pressure, self._last_pressure = state.pressure, self.diagnostics.now()
        self._is_stopped = bool((state.fault & _STOPPED).any())

    async def _follow(self, handle: ServerGoalHandle) -> TrackTrajectory.Result:
        """The goal's whole life; the steps are those of the timer."""
        try:
            if self._is_stopped:
                raise ValueError('the robot is in emergency stop; reset and enable it first')
            goals = self.goals(handle.request.reference)
        except ValueError as error:
            handle.abort()
            return TrackTrajectory.Result(code=TrackTrajectory.Result.CODE_REJECTED, message=str(error))
        self._end('another goal replaces this one')
        self.restart()
        self._goal = _Goal(handle, goals, self._start_of(handle.request.reference), Future())
        return await self._goal.result

    def _start_of(self, reference: Reference) -> float:
        """When the reference begins, on the clock of the diagnostics: its stamp, now without one."""
        stamp, now = convert.from_stamp(reference.header.stamp), self.diagnostics.now()
        return now + stamp - self.get_clock().now().nanoseconds * 1e-9 if stamp else now

    def _step(self) -> None:
        start, stamp = time.perf_counter(), self.get_clock().now().to_msg()
        now = self.diagnostics.now()
        self.diagnostics.input_age('pressure/state', now - self._last_pressure)
        goal = self._goal
        if self._is_stopped:
            self._end('the robot is in emergency stop')
            code, sentence = ControllerStatus.STATUS_STOPPED, 'the robot is in emergency stop; reset it'
            return self._tell(stamp, code, sentence, start)
        if goal is None:
            return self._tell(stamp, ControllerStatus.STATUS_IDLE, 'no goal; send one', start)
        if goal.handle.is_cancel_requested:
            self._end('cancelled')
            return self._tell(stamp, ControllerStatus.STATUS_IDLE, 'cancelled', start)
        is_late = now - self._last_pressure > self.settings.max_age
        missing = 'pressure/state' if is_late else self.missing(now)
        if missing:
            self.restart()
            self._commands.publish(self._command(self.rest))
            sentence = f'{missing} is late: the pressures of rest'
            return self._tell(stamp, ControllerStatus.STATUS_INPUT_STALE, sentence, start)
        outcome = self.control(goal.goals, now - goal.start)
        self._commands.publish(self._command(outcome.pressure))
        code = ControllerStatus.STATUS_OK if outcome.is_found else ControllerStatus.STATUS_SOLVER_FAILED
        self._tell(stamp, code, outcome.message, start, outcome)
        if goal.note(now, outcome.tip_error):
            self._end('')

    def _end(self, why: str) -> None:
        """End the goal, if there is one, and leave the chambers at rest; why: '' where it was followed."""
        goal, self._goal = self._goal, None
        if goal is not None:
            self._commands.publish(self._command(self.rest))
            self.restart()
            goal.end(why)

    def _tell(self, stamp, code: int, sentence: str, start: float, outcome: Outcome | None = None) -> None:
        status = ControllerStatus(
            status=code,
            message=sentence,
            solve_time=time.perf_counter() - start,
            deadlines_missed=self.diagnostics.counts['missed_deadlines'],
        )
        if outcome is not None:
            status.iterations, status.tracking_error = outcome.iterations, outcome.tip_error
            status.cost = outcome.cost if math.isfinite(outcome.cost) else 0.0
        status.header.stamp = stamp
        self._status.publish(status)
        level = {ControllerStatus.STATUS_OK: OK, ControllerStatus.STATUS_IDLE: OK}.get(code, WARN)
        self.diagnostics.set_state(ERROR if code == ControllerStatus.STATUS_STOPPED else level, sentence)

    def _command(self, pressure: np.ndarray) -> PressureCommand:
        stamp = self.get_clock().now().to_msg()
        return convert_chambers.pressure_command_to_msg(stamp, self.names, pressure)


class _Goal:
    """A goal that is being followed, and how well."""

    def __init__(self, handle: ServerGoalHandle, goals: Trajectory, start: float, result: Future) -> None:
        self.handle, self.goals, self.start, self.result = handle, goals, start, result
        self._errors: list[float] = []

    def note(self, now: float, error: float) -> bool:
        """Feedback after a step; whether the last goal has passed."""
        self._errors.append(error)
        duration = max(self.goals.duration, 1e-9)
        progress = min(max((now - self.start) / duration, 0.0), 1.0)
        self.handle.publish_feedback(TrackTrajectory.Feedback(progress=progress, error=error))
        return now - self.start >= self.goals.duration

    def end(self, why: str) -> None:
        codes, message = TrackTrajectory.Result, why or 'followed to its end'
        if self.handle.is_cancel_requested:
            self.handle.canceled()
        elif why:
            self.handle.abort()
        else:
            self.handle.succeed()
        mean = float(np.mean(self._errors)) if self._errors else 0.0
        code = codes.CODE_STOPPED if why else codes.CODE_OK
        self.result.set_result(TrackTrajectory.Result(code=code, message=message, mean_error=mean))


def tip_trajectory(reference: Reference) -> Trajectory:
    """The tip's positions (k, 3) m in the world that a reference holds; raises ValueError."""
    if reference.header.frame_id != 'world':
        raise ValueError(f"the reference is in frame '{reference.header.frame_id}', expected 'world'")
    return rows(reference, 'tip_position', 3)


def rows(reference: Reference, field: str, size: int) -> Trajectory:
    """The goals (k, size) of one field of a reference; raises ValueError."""
    values, time_ = np.array(getattr(reference, field)), np.array(reference.time)
    if values.size != size * time_.size:
        raise ValueError(
            f'{field}: expected {size} numbers for each of {time_.size} instants, got {values.size}'
        )
    if time_.size and not 0.0 <= time_.min() <= time_.max() <= _LONGEST:
        raise ValueError(f'time: expected 0 to {_LONGEST:g} s, got {time_.min():g} to {time_.max():g}')
    return Trajectory(time_, values.reshape(-1, size))
