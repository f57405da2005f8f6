"""Identifies parameters of a robot from recorded runs when asked to: the action `identify`.

In: goals of identify, one at a time; a second one is refused. Out: progress, a new robot file and a report.
A thread of its own computes, so that a cancel is heard: it ends with the evaluation that is under way.
"""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future

from continua.identification import Bags, Outcome, Swarm, identify_from_bags
from continua_msgs.action import Identify
from continua_node import diagnostics, params, spin
from continua_node.params import Parameter

__all__ = ['IdentificationNode', 'main']

PARAMETERS = [
    Parameter('particles', 12, 'swarm that searches between the bounds; 0: none', range=(0, 10000)),
    Parameter('seed', 0, 'of the swarm', range=(0, 2**31 - 1)),
    Parameter('rate', 10.0, 'how often progress is told', 'Hz', range=(0.1, 100.0)),
]


class IdentificationNode(Node):
    """Wires `identify_from_bags` to an action."""

    def __init__(self) -> None:
        super().__init__('identification')
        settings = params.declare(self, PARAMETERS)
        self._swarm = Swarm(settings.particles, seed=settings.seed) if settings.particles else None
        self._job: _Job | None = None
        self._server = ActionServer(
            self,
            Identify,
            'identify',
            self._execute,
            goal_callback=self._on_goal,
            cancel_callback=lambda goal: CancelResponse.ACCEPT,
        )
        self.diagnostics = diagnostics.Diagnostics(self)
        self.diagnostics.set_state(diagnostics.OK, 'waiting for a goal')
        self.diagnostics.timer(1.0 / settings.rate, self._step)

    def close(self) -> None:
        """End what is being computed."""
        if self._job is not None:
            self._job.cancel()
            self._job.thread.join()

    def _on_goal(self, goal: Identify.Goal) -> GoalResponse:
        if self._job is not None:
            self.diagnostics.count('refused_goals')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    async def _execute(self, handle: ServerGoalHandle) -> Identify.Result:
        self._job = _Job(handle, self._swarm)
        result = await self._job.done
        self._job = None
        self.diagnostics.set_state(diagnostics.OK, f'waiting for a goal; the last: {result.message}')
        return result

    def _step(self) -> None:
        """Tell how far the job is; end it where it is done or cancelled."""
        job = self._job
        if job is None or job.done.done():
            return
        if job.handle.is_cancel_requested:
            job.cancel()
        share, sentence = job.progress
        self.diagnostics.set_state(diagnostics.OK, f'{sentence} ({share:.0%})')
        job.handle.publish_feedback(Identify.Feedback(progress=share, message=sentence))
        if not job.thread.is_alive():
            job.finish()


class _Cancelled(Exception):
    pass


class _Job:
    """One identification in a thread. progress: share and sentence; done: gets the result."""

    def __init__(self, handle: ServerGoalHandle, swarm: Swarm | None) -> None:
        self.handle = handle
        self.done: Future = Future()
        self.progress = (0.0, 'starting')
        self._is_cancelled = False
        self._swarm = swarm
        self._result: Identify.Result | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def cancel(self) -> None:
        self._is_cancelled = True

    def finish(self) -> None:
        """Close the goal; called by the node's thread."""
        codes: dict[int, Callable[[], None]] = {
            Identify.Result.CODE_FAILED: self.handle.abort,
            Identify.Result.CODE_CANCELLED: self.handle.canceled,
        }
        codes.get(self._result.code, self.handle.succeed)()
        self.done.set_result(self._result)

    def _run(self) -> None:
        goal = self.handle.request
        try:
            outcome = identify_from_bags(
                Path(goal.robot_file), _bags(goal), list(goal.parameter), self._swarm, self._on_progress
            )
            self._result = _result(outcome, Path(goal.out))
        except _Cancelled:
            self._result = Identify.Result(code=Identify.Result.CODE_CANCELLED, message='cancelled')
        except Exception as error:  # a goal must get its result, whatever happens
            self._result = Identify.Result(code=Identify.Result.CODE_FAILED, message=str(error))

    def _on_progress(self, share: float, sentence: str) -> None:
        if self._is_cancelled:
            raise _Cancelled
        self.progress = (share, sentence)


def _bags(goal: Identify.Goal) -> Bags:
    weights = list(goal.weight) or [0.0] * len(goal.bag)
    if len(weights) != len(goal.bag):
        raise ValueError(f'weight: expected one for each of {len(goal.bag)} bags or none, got {len(weights)}')
    if not goal.out:
        raise ValueError('out: expected the path of the robot file to write')
    at_rest = tuple((Path(bag), kg) for bag, kg in zip(goal.bag, weights, strict=True))
    return Bags(at_rest, tuple(Path(bag) for bag in goal.release))


def _result(outcome: Outcome, out: Path) -> Identify.Result:
    is_written, found = outcome.write(out), outcome.found
    return Identify.Result(
        code=Identify.Result.CODE_OK if is_written else Identify.Result.CODE_NOT_EXCITED,
        message='; '.join([found.message, *outcome.sentences]),
        parameter=[each.path for each in found.parameters],
        value=found.value.tolist(),
        variance=np.square(found.deviation).tolist(),
        lower=found.interval[:, 0].tolist(),
        upper=found.interval[:, 1].tolist(),
        robot_file=str(out) if is_written else '',
    )


def main() -> int:
    """Entry point."""
    return spin.spin(IdentificationNode)
