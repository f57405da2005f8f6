"""Sends one goal to the controller of the robot, tells how it is followed, and ends with it.

Out: a goal of the action track_trajectory, which `nempc` and `koopman_lqr` serve: positions of the tip or
pressures over time, from expressions in t or a CSV file.
"""

from collections.abc import Callable

import numpy as np
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.task import Future

from continua.control.expression_reference import ExpressionReference
from continua.control.reference_csv import CsvReference
from continua.description import load_robot
from continua_msgs.action import TrackTrajectory
from continua_msgs.msg import Reference
from continua_node import diagnostics, params, spin
from continua_node.params import Parameter

__all__ = ['GoalPlayerNode', 'main']

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter(
        'quantity',
        'pressure',
        'what is given: x y z of the tip in m, in the world; or pressures in Pa, for the motion they cause',
        choices=('tip', 'pressure'),
    ),
    Parameter('reference', str, 'expressions in t separated by semicolons, or a CSV file with a column time'),
    Parameter('duration', float, 'of the goal', 's', range=(0.01, 3600.0)),
    Parameter('rate', 70.0, 'instants of the goal per second', 'Hz', range=(1.0, 1000.0)),
]


class GoalPlayerNode(Node):
    """A client of the action; `is_finished` when the goal has ended or was refused."""

    def __init__(self) -> None:
        super().__init__('goal_player')
        settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        is_tip = settings.quantity == 'tip'
        names = ['x', 'y', 'z'] if is_tip else list(robot.chamber_names)
        self._goal = make_goal(reference_of(settings.reference, names), is_tip, settings)
        self._client = ActionClient(self, TrackTrajectory, 'track_trajectory')
        self._is_sent = self.is_finished = False
        self.diagnostics = diagnostics.Diagnostics(self)
        self.diagnostics.set_state(diagnostics.WARN, 'waiting for a controller that serves track_trajectory')
        self.diagnostics.timer(0.1, self._send)

    def _send(self) -> None:
        if self._is_sent or not self._client.server_is_ready():
            return
        self._is_sent = True
        self._client.send_goal_async(self._goal, self._on_feedback).add_done_callback(self._on_answer)

    def _on_feedback(self, message: TrackTrajectory.Impl.FeedbackMessage) -> None:
        now = message.feedback
        self.diagnostics.set_state(
            diagnostics.OK, f'{100.0 * now.progress:.0f} % done, tip {1e3 * now.error:.1f} mm off'
        )

    def _on_answer(self, answer: Future) -> None:
        answer.result().get_result_async().add_done_callback(self._on_result)

    def _on_result(self, done: Future) -> None:
        result = done.result().result
        if result.code == TrackTrajectory.Result.CODE_OK:
            self.get_logger().info(f'{result.message}, tip {1e3 * result.mean_error:.2f} mm off on average')
        else:
            self.get_logger().error(result.message)
        self.is_finished = True


def reference_of(text: str, names: list[str]) -> Callable[[float], np.ndarray]:
    """t -> (n,) of a CSV file or of expressions; raises ValueError."""
    return CsvReference(text, names) if text.endswith('.csv') else ExpressionReference(text, names)


def make_goal(
    reference: Callable[[float], np.ndarray], is_tip: bool, settings: params.Settings
) -> TrackTrajectory.Goal:
    """The goal from now on: its stamp is empty."""
    time = np.arange(0.0, settings.duration + 0.5 / settings.rate, 1.0 / settings.rate)
    values = np.concatenate([reference(t) for t in time]).tolist()
    message = Reference(time=time.tolist(), **{'tip_position' if is_tip else 'pressure': values})
    message.header.frame_id = 'world'
    return TrackTrajectory.Goal(reference=message)


def main() -> int:
    """Entry point of the executable `goal_player`."""
    return spin.spin(GoalPlayerNode)
