"""What arrives from the robot: the newest of each topic, checked, with the time of its arrival."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node

from continua.rod import Rod
from continua_bringup.console.plots import TipError
from continua_msgs.msg import ControllerStatus, MarkerArray3D, RodShape, RodState, TendonState
from continua_node import convert, qos
from continua_node.diagnostics import Diagnostics

__all__ = ['Feed', 'Newest']


@dataclass
class Newest:
    """The newest value of a topic; None before the first."""

    value: Any = None
    stamp: float = math.nan  # s, of the measurement
    arrival: float = -math.inf  # s, steady clock
    latency: float = math.nan  # s, from stamp to arrival

    @property
    def age(self) -> float:
        """Seconds since it arrived."""
        return time.monotonic() - self.arrival


class Feed:
    """Subscriptions of the console.

    estimate, truth: `convert.ShapeArrays`; estimate_q, truth_q: coordinates (n,) of the rod; tendons:
    `convert.TendonArrays`; markers: position (n, 3) and valid (n,); control: ControllerStatus; nodes: the
    last DiagnosticStatus and its arrival by node name.
    """

    def __init__(self, node: Node, rod: Rod, diagnostics: Diagnostics) -> None:
        self._node = node
        self._diagnostics = diagnostics
        self._tip_error = TipError()
        self.estimate, self.truth, self.estimate_q, self.truth_q = (Newest() for _ in range(4))
        self.tendons, self.markers, self.control = (Newest() for _ in range(3))
        self.nodes: dict[str, tuple[DiagnosticStatus, float]] = {}
        read_tendons = partial(convert.tendon_state_from_msg, names=rod.robot.tendon_names)
        read_markers = partial(convert.markers_from_msg, names=rod.robot.marker_names)
        read_state = partial(convert.coordinates_from_msg, model_id=rod.model_id, dof=rod.dof)
        self._subscribe(RodShape, 'estimate/shape', qos.STATE, self.estimate, shape_with_tip)
        self._subscribe(RodShape, 'truth/shape', qos.STATE, self.truth, shape_with_tip)
        self._subscribe(RodState, 'estimate/state', qos.STATE, self.estimate_q, read_state)
        self._subscribe(RodState, 'truth/state', qos.STATE, self.truth_q, read_state)
        self._subscribe(TendonState, 'tendon/state', qos.SENSOR, self.tendons, read_tendons)
        self._subscribe(MarkerArray3D, 'markers', qos.SENSOR, self.markers, read_markers)
        self._subscribe(ControllerStatus, 'control/status', qos.STATE, self.control, lambda message: message)
        node.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, qos.STATE.requested)

    def tip_error(self) -> float:
        """Distance [m] between the newest estimated tip and the true one at its stamp; NaN when unknown."""
        if self.estimate.value is None:
            return math.nan
        return self._tip_error.of(self.estimate.stamp, self.estimate.value.position[-1])

    def _subscribe(
        self, kind: type, topic: str, profile: qos.Profile, newest: Newest, read: Callable
    ) -> None:
        self._node.create_subscription(kind, topic, partial(self._receive, newest, read), profile.requested)

    def _receive(self, newest: Newest, read: Callable, message) -> None:
        try:
            newest.value = read(message)
        except convert.Rejected as error:
            if error.reason != 'model':  # a reduced model may be simulated; its shape is drawn
                self._diagnostics.count(f'rejected_{error.reason}')
            return
        newest.stamp = convert.from_stamp(message.header.stamp)
        newest.arrival = time.monotonic()
        newest.latency = self._node.get_clock().now().nanoseconds * 1e-9 - newest.stamp
        if newest is self.truth:
            self._tip_error.add_truth(newest.stamp, newest.value.position[-1])

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        now = time.monotonic()
        self.nodes.update({status.name: (status, now) for status in message.status})


def shape_with_tip(message: RodShape) -> convert.ShapeArrays:
    """Shape of a message; one without any length cannot be drawn and raises Rejected."""
    if len(message.arc_length) < 2:
        raise convert.Rejected(
            'length', f'a shape has {len(message.arc_length)} stations, expected 2 at least'
        )
    return convert.shape_from_msg(message)
