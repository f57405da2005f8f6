"""Shape from markers: publishes the rod's shape for every set of markers.

In: markers. Out: estimate/shape, estimate/state. Service: estimate_shape (once, on given markers).
Markers that are older than `max_age` at the step, carry NaN, wrong lengths or unknown names are refused and
counted; while none come the node publishes nothing and says so in /diagnostics.
"""

import math

import numpy as np
from rclpy.node import Node

from continua.description import load_robot
from continua.estimation import ShapeEstimate, ShapeLeastSquares, Synergies
from continua.rod import Rod
from continua_estimation.markers import markers_in_world
from continua_msgs.msg import MarkerArray3D, RodShape, RodState
from continua_msgs.srv import EstimateShape
from continua_node import convert, qos, spin
from continua_node.diagnostics import OK, WARN, Diagnostics
from continua_node.params import ROBOT_FILE, Parameter, declare

PARAMETERS = [
    ROBOT_FILE,
    Parameter('rate', 100.0, 'how often the newest markers are taken', 'Hz', range=(1.0, 1000.0)),
    Parameter('stations', 31, 'sections of the published shape', range=(2, 501)),
    Parameter('max_age', 0.2, 'older markers are refused', 's', range=(1e-3, 10.0)),
    Parameter('marker_noise', 1e-3, 'standard deviation of each marker coordinate', 'm', range=(1e-6, 1.0)),
    Parameter('outlier', 10.0, 'markers farther off than so many marker_noise count less', range=(0.1, 1e9)),
    Parameter('modes', 6, 'synergies that are fitted', range=(1, 200)),
    Parameter('samples', 300, 'static shapes that give the synergies', range=(10, 100000)),
    Parameter(
        'disturbance',
        1e-4,
        'elastic energy that unknown loads may put into each synergy',
        'J',
        range=(1e-12, 1e3),
    ),
    Parameter('drift', 2.0, "growth of a synergy's variance between markers", '1/s', range=(1e-6, 1e6)),
    Parameter('seed', 0, 'of the static shapes', range=(0, 2**31)),
]


class ShapeEstimatorNode(Node):
    """Wires ShapeLeastSquares to the graph."""

    def __init__(self) -> None:
        super().__init__('shape_estimator')
        settings = declare(self, PARAMETERS)
        self._robot = load_robot(settings.robot_file)
        self._rod = Rod(self._robot)
        self._estimator = ShapeLeastSquares(
            self._rod,
            Synergies.of_statics(
                self._rod, settings.modes, settings.samples, settings.disturbance, settings.seed
            ),
            settings.marker_noise,
            settings.drift,
            settings.outlier,
        )
        self._tracked = [self._robot.marker_names.index(name) for name in self._estimator.names]
        self._stations = np.linspace(0.0, self._rod.length, settings.stations)
        self._max_age = settings.max_age
        self._belief: ShapeEstimate | None = None
        self._newest: MarkerArray3D | None = None
        self._last_stamp = 0.0

        self.diagnostics = Diagnostics(self)
        self._shape = self.create_publisher(RodShape, 'estimate/shape', qos.STATE.offered)
        self._state = self.create_publisher(RodState, 'estimate/state', qos.STATE.offered)
        self.create_subscription(MarkerArray3D, 'markers', self._on_markers, qos.SENSOR.requested)
        self.create_service(EstimateShape, 'estimate_shape', self._on_estimate_shape)

        self._warm_up()
        self.diagnostics.set_state(WARN, 'waiting for markers')
        self.diagnostics.timer(1.0 / settings.rate, self._step)

    def _on_markers(self, message: MarkerArray3D) -> None:
        self._newest = message

    def _step(self) -> None:
        """Newest markers -> age check -> fit -> topics."""
        message, self._newest = self._newest, None
        now = self.get_clock().now().nanoseconds * 1e-9
        if message is None:
            if self._last_stamp and now - self._last_stamp > self._max_age:
                self.diagnostics.set_state(WARN, 'no markers arrive; is the motion capture running?')
            return
        stamp = convert.from_stamp(message.header.stamp)
        self.diagnostics.input_age('markers', now - stamp)
        try:
            self._check_stamp(stamp, now)
            belief = self._fit(message, self._belief, stamp - self._last_stamp)
        except ValueError as error:
            self.diagnostics.count(f'rejected_{getattr(error, "reason", "markers")}')
            self.diagnostics.set_state(WARN, f'markers refused: {error}')
            return
        self._last_stamp = stamp
        self._belief = belief if belief.converged else None
        state = self._state_msg(belief, message)
        self._shape.publish(state.shape)
        self._state.publish(state)
        self.diagnostics.latency(self.get_clock().now().nanoseconds * 1e-9 - stamp)
        sentence = (
            f'{belief.markers} of {len(self._tracked)} markers, residual {1e3 * belief.residual:.2f} mm'
        )
        self.diagnostics.set_state(OK if belief.converged else WARN, f'{sentence}, {belief.message}')

    def _check_stamp(self, stamp: float, now: float) -> None:
        if not abs(now - stamp) <= self._max_age:
            raise convert.Rejected(
                'stale', f'markers are {now - stamp:.3f} s old, expected at most {self._max_age} s'
            )
        if stamp <= self._last_stamp:
            raise convert.Rejected('order', 'markers are not newer than the last ones')

    def _fit(
        self, message: MarkerArray3D, belief: ShapeEstimate | None = None, dt: float = math.inf
    ) -> ShapeEstimate:
        position, valid = markers_in_world(message, self._robot.marker_names)
        return self._estimator.step(belief, position[self._tracked], valid[self._tracked], dt)

    def _state_msg(self, belief: ShapeEstimate, markers: MarkerArray3D) -> RodState:
        shape = convert.shape_to_msg(
            self._rod.shape(belief.q, self._stations), markers.header.stamp, markers.header.frame_id
        )
        return RodState(
            header=shape.header,
            model_id=self._rod.model_id,
            q=convert.flat(belief.q),
            covariance=convert.flat(belief.covariance),
            shape=shape,
        )

    def _on_estimate_shape(
        self, request: EstimateShape.Request, response: EstimateShape.Response
    ) -> EstimateShape.Response:
        try:
            belief = self._fit(request.markers)
        except ValueError as error:
            response.success, response.message = False, str(error)
            return response
        response.success, response.message = belief.converged, belief.message
        response.residual = belief.residual
        response.state = self._state_msg(belief, request.markers)
        return response

    def _warm_up(self) -> None:
        """Compile the fit before the first deadline."""
        m = len(self._tracked)
        self._estimator.step(None, np.zeros((m, 3)), np.ones(m, dtype=bool))
        self._rod.shape(np.zeros(self._rod.dof), self._stations)


def main() -> int:
    """Entry point of the executable `shape_estimator`."""
    return spin.spin(ShapeEstimatorNode)
