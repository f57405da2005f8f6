"""State and bending compliance of a pneumatic robot from its tip: unscented Kalman filter.

In: pressure/state, and markers or tip_pose. Out: estimate/state, estimate/shape, at the readings' stamps.
While readings are missing, the model predicts up to the newest pressures; after `patience` s of that, and
without pressures, nothing is published, and the next reading is a new start. Readings that come out of order,
or are older than `max_age`, are refused and counted.
"""

import numpy as np
from builtin_interfaces.msg import Time
from rclpy.node import Node

from continua.description import load_robot
from continua.estimation import Ukf, UkfBelief, UkfInfo, pose_difference
from continua.estimation.input_history import InputHistory
from continua.prediction import MODELS, PredictionModel
from continua_msgs.msg import PressureState, RodShape, RodState
from continua_node import convert, convert_chambers, qos, spin
from continua_node.diagnostics import OK, WARN, Diagnostics
from continua_node.params import ROBOT_FILE, Parameter, Settings, declare
from continua_node.tip import READING, TipReader

PARAMETERS = [
    ROBOT_FILE,
    Parameter('model', 'collocation', 'equations of the prediction', choices=tuple(MODELS)),
    Parameter('rate', 70.0, 'how often the newest reading is taken', 'Hz', range=(0.1, 1000.0)),
    READING,
    Parameter('max_age', 0.2, 'older readings and pressures are refused', 's', range=(1e-3, 10.0)),
    Parameter('patience', 2.0, 'how long the model alone predicts', 's', range=(0.0, 3600.0)),
    Parameter('position_noise', 5e-4, 'standard deviation of the position', 'm', range=(1e-6, 1.0)),
    Parameter('orientation_noise', 0.01, 'standard deviation of the orientation', 'rad', range=(1e-6, 3.0)),
    Parameter(
        'spread', 0.05, 'standard deviation of a state at start: of its scale', range=(1e-6, 1e3)
    ),
    Parameter(
        'disturbance', 0.05, 'growth of this deviation in the root of a second, likewise', range=(0.0, 1e3)
    ),
    Parameter(
        'parameter_spread', 0.1, "standard deviation of a parameter at start: of the robot file's value",
        range=(1e-9, 10.0),
    ),
    Parameter(
        'parameter_drift',
        0.01,
        'growth of this deviation in the root of a second, likewise',
        range=(0.0, 10.0),
    ),
    Parameter('alpha', 0.1, 'spread of the sigma points', range=(1e-4, 1.0)),
    Parameter('beta', 2.0, 'weight of the central sigma point in the covariance', range=(1.0, 10.0)),
    Parameter('kappa', 0.0, 'second parameter of the spread of the sigma points', range=(0.0, 100.0)),
    Parameter('gate', 5.0, 'readings so many standard deviations off are rejected', range=(0.1, 1e6)),
    Parameter('rejections', 20, 'so many rejected in a row start the filter again', range=(1, 100000)),
]  # fmt: skip
# Parameters keep their sign and their order of magnitude.
_SMALLEST, _LARGEST = 0.3, 3.0


class UkfNode(Node):
    """Wires `continua.estimation.Ukf` to the graph."""

    def __init__(self) -> None:
        super().__init__('ukf')
        self._settings = settings = declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        self._names = list(robot.chamber_names)
        self._model = MODELS[settings.model](robot)
        if list(self._model.input_names) != self._names:
            raise ValueError(f'robot {robot.name}: the filter reads pressures, but it has other drives too')
        self._inputs = InputHistory(settings.max_age + settings.patience)
        self._filter: Ukf | None = None
        self._belief: UkfBelief | None = None
        self._stamp = self._last_reading = 0.0

        self.diagnostics = Diagnostics(self)
        self._states = self.create_publisher(RodState, 'estimate/state', qos.STATE.offered)
        self._shapes = self.create_publisher(RodShape, 'estimate/shape', qos.STATE.offered)
        self.create_subscription(PressureState, 'pressure/state', self._on_pressure, qos.SENSOR.requested)
        self._tip = TipReader(self, robot, settings.reading, settings.max_age)

        self._warm_up()
        self.diagnostics.set_state(WARN, f'waiting for pressure/state and {settings.reading}')
        self.diagnostics.timer(1.0 / settings.rate, self._step)

    def _on_pressure(self, message: PressureState) -> None:
        try:
            state = convert_chambers.pressure_state_from_msg(message, self._names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        self._inputs.add(convert.from_stamp(message.header.stamp), state.pressure)

    def _step(self) -> None:
        """Newest reading -> checks -> filter -> topics."""
        now = self.get_clock().now().nanoseconds * 1e-9
        self.diagnostics.input_age('pressure/state', now - self._inputs.newest)
        if now - self._inputs.newest > self._settings.max_age:
            self._belief = None
            self.diagnostics.set_state(WARN, 'no pressure/state arrives; is the robot there?')
            return
        try:
            taken = self._tip.take(now)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            self.diagnostics.set_state(WARN, f'{self._tip.topic} refused: {error}')
            taken = None
        self.diagnostics.input_age(self._tip.topic, self._tip.age)
        if self._stamp > now + self._settings.max_age:  # the clock went back
            self._belief, self._stamp = None, 0.0
            self._inputs = InputHistory(self._settings.max_age + self._settings.patience)
            return
        if taken is not None and convert.from_stamp(taken[0]) <= self._stamp:
            self.diagnostics.count('rejected_order')
        elif taken is not None:
            self._last_reading = convert.from_stamp(taken[0])
            self._advance(*taken)
        elif self._belief is None or now - self._last_reading > self._settings.patience:
            self._belief = None
            self.diagnostics.set_state(WARN, f'no {self._tip.topic} arrive; is their source running?')
        elif now - self._last_reading > 2.0 / self._settings.rate and self._inputs.newest > self._stamp:
            self._advance(convert.to_stamp(self._inputs.newest), None)

    def _advance(self, stamp: Time, reading: np.ndarray | None) -> None:
        """The belief at the stamp, published."""
        start, self._stamp = self._stamp, convert.from_stamp(stamp)
        if self._belief is None:
            if np.isnan(reading).any():
                return
            x = self._model.equilibrium(self._inputs.mean(self._stamp - 1e-3, self._stamp))
            x = x if np.all(np.isfinite(x)) else self._model.x0
            self._filter = make_filter(self._model, self._settings, x)
            self._belief = self._filter.begin()
            self.diagnostics.set_state(OK, 'started')
            return
        u = self._inputs.mean(start, self._stamp)
        self._belief, info = self._filter.step(self._belief, reading, u, self._stamp - start)
        self._publish(stamp)
        self._tell(info)

    def _publish(self, stamp: Time) -> None:
        belief = self._belief
        shape = convert.shape_to_msg(self._model.shape(belief.x, belief.parameters), stamp)
        variance = np.sum(belief.root**2, axis=1)
        self._shapes.publish(shape)
        self._states.publish(
            RodState(
                header=shape.header,
                model_id=self._model.id,
                q=convert.flat(belief.x),
                parameter=list(self._model.parameter_names),
                parameter_value=convert.flat(belief.parameters),
                parameter_variance=convert.flat(variance[belief.x.size :]),
                shape=shape,
            )
        )

    def _tell(self, info: UkfInfo) -> None:
        is_good = info.status in ('corrected', 'predicted') and not info.lost
        if info.status in ('rejected', 'restarted', 'failed'):
            self.diagnostics.count(info.status)
        values = ', '.join(
            f'{name} {value:.4g}'
            for name, value in zip(self._model.parameter_names, self._belief.parameters, strict=True)
        )
        is_level = OK if is_good and info.status == 'corrected' else WARN
        self.diagnostics.set_state(is_level, f'{info.status}, {info.message}; {values}')

    def _warm_up(self) -> None:
        """One step before the first deadline: what is compiled, loaded and allocated is so then."""
        model = self._model
        ukf = make_filter(model, self._settings, model.x0)
        ukf.step(ukf.begin(), None, np.zeros(len(self._names)), 1.0 / self._settings.rate)
        model.shape(model.x0, model.parameters)


def make_filter(model: PredictionModel, settings: Settings, x: np.ndarray) -> Ukf:
    """The filter that the parameters ask for, from the state x (n,)."""
    size, values = x.size, model.parameters

    def noise(state: float, parameter: float) -> np.ndarray:
        return np.concatenate([state * model.scale, parameter * values])

    wrap = model.arrays.wrap
    position, orientation = wrap(model.position), wrap(model.orientation)

    def pose(x: np.ndarray, parameters: np.ndarray) -> np.ndarray:
        return np.hstack([position(x, parameters), orientation(x, parameters)])

    is_pose = settings.reading == 'tip_pose'
    deviation = [settings.orientation_noise] * 3 * is_pose + [settings.position_noise] * 3
    limits = (
        np.concatenate([np.full(size, b), a * values]) for a, b in ((_SMALLEST, -np.inf), (_LARGEST, np.inf))
    )
    return Ukf(
        wrap(model.transition),
        pose if is_pose else position,
        UkfBelief(x, values, np.diag(noise(settings.spread, settings.parameter_spread))),
        noise(settings.disturbance, settings.parameter_drift) ** 2,
        np.square(deviation),
        settings.alpha,
        settings.beta,
        settings.kappa,
        settings.gate,
        settings.rejections,
        *limits,
        difference=pose_difference if is_pose else np.subtract,
    )


def main() -> int:
    """Entry point of the executable `ukf`."""
    return spin.spin(UkfNode)
