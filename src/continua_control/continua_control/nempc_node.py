"""Nonlinear evolutionary model-predictive control of pressures, to follow the tip, states or pressures.

In: estimate/state, pressure/state; action track_trajectory with a reference of tip_position, q or pressure.
Out: pressure/command, control/status. A reference of pressures stands for the states to which the model goes
under them, computed before the start. Late or wrong inputs: see `continua_control.tracking`; a step without
time or solution follows the plan of before.
"""

import math

import numpy as np

from continua.control.costs import InputRateCost, StateCost, Sum, TaskCost
from continua.control.nempc import Nempc, NempcSettings, Start, first_order_lag
from continua.control.trajectory import Trajectory
from continua.prediction import MODELS, STUDENT, make_model
from continua_control.tracking import PARAMETERS as COMMON
from continua_control.tracking import Outcome, TrackingNode, rows, tip_trajectory
from continua_msgs.msg import Reference, RodState
from continua_node import convert, qos, spin
from continua_node.params import Parameter

_DEFAULT = NempcSettings()
PARAMETERS = [
    *COMMON,
    Parameter('model', 'linear', 'equations of the prediction', choices=(*MODELS, STUDENT)),
    Parameter('weights', '', 'file of the one-step network, where that is the model'),
    Parameter('particles', 300, 'candidates in a generation', range=(4, 100000)),
    Parameter('horizon', _DEFAULT.horizon, 'steps that are predicted', range=(2, 1000)),
    Parameter('segments', _DEFAULT.segments, 'linear pieces of a candidate', range=(1, 100)),
    Parameter('parents', _DEFAULT.parents, 'part of the candidates that is kept', range=(0.01, 1.0)),
    Parameter('strangers', _DEFAULT.strangers, 'part of the candidates that is new', range=(0.0, 0.99)),
    Parameter('mutation', _DEFAULT.mutation, 'probability that a child mutates', range=(0.0, 1.0)),
    Parameter('noise', _DEFAULT.noise, 'mutation in parts of the range, at an error of 1', range=(0.0, 10.0)),
    Parameter('generations', 1, 'in a control step, as far as the budget goes', range=(1, 1000)),
    Parameter('first_knot_fixed', False, 'candidates begin at the command of before'),
    Parameter('seed', 0, 'of the candidates', range=(0, 2**31)),
    Parameter('delay', 1, 'steps until a command acts', range=(0, 100)),
    Parameter('budget', 0.8, 'part of the period after which a step gives up', range=(0.01, 1.0)),
    Parameter('tip_tolerance', 0.01, 'distance of the tip that costs 1', 'm', range=(1e-6, 10.0)),
    Parameter('state_tolerance', 0.1, 'error of a state that costs 1: of its scale', range=(1e-6, 1e3)),
    Parameter('pressure_tolerance', 20e3, 'change in a step that costs 1', 'Pa', range=(1.0, 1e9)),
]  # fmt: skip


class NempcNode(TrackingNode):
    """Wires `continua.control.nempc` to the graph."""

    def __init__(self) -> None:
        super().__init__('nempc', PARAMETERS)
        settings = self.settings
        self._model = make_model(settings.model, self.robot, settings.weights)
        if list(self._model.input_names) != self.names:
            raise ValueError(
                f'robot {self.robot.name}: nempc commands pressures, but it has other drives too'
            )
        names = vars(_DEFAULT)
        self._search = NempcSettings(**{name: getattr(settings, name) for name in names})
        lags = {chamber.time_constant for chamber in self.robot.chambers}
        if len(lags) != 1:
            raise ValueError(
                f'robot {self.robot.name}: expected one time_constant of all chambers, got {lags}'
            )
        lag = lags.pop()
        self._lag = {} if not lag else {'actuator': first_order_lag(lag)}
        self._start = Start(self._model.x0, self._model.parameters, self.rest)
        self._last_state = -math.inf
        self._controller = self._controller_of('tip_position')
        self._position = self._model.arrays.wrap(self._model.position)
        start = self._position(self._model.x0[None], self._model.parameters[None])
        goals = np.repeat(start, self._controller.instants, axis=0)
        seconds = self._controller.warm_up(self._start, goals, self.dt)
        budget = settings.budget * self.dt
        if seconds > budget:
            self.get_logger().warning(
                f'a generation takes {1e3 * seconds:.1f} ms, the budget is {1e3 * budget:.1f} ms: plans of '
                'before will be followed; use fewer particles, a shorter horizon or a faster model'
            )
        self.create_subscription(RodState, 'estimate/state', self._on_state, qos.STATE.requested)
        self.begin()

    def goals(self, reference: Reference) -> Trajectory:
        """Of the one field that is filled: the tip, the states, or the states that pressures lead to."""
        given = [
            name for name in ('tip_position', 'q', 'tension', 'pressure') if len(getattr(reference, name))
        ]
        if len(given) != 1 or given == ['tension']:
            raise ValueError(
                f'the reference fills {", ".join(given) or "nothing"}, expected tip_position, q or pressure'
            )
        goals = self._goals(given[0], reference)
        self._controller = self._controller_of(given[0])
        return goals

    def _goals(self, field: str, reference: Reference) -> Trajectory:
        if field == 'tip_position':
            return tip_trajectory(reference)
        if field == 'pressure':
            pressure = rows(reference, 'pressure', len(self.names))
            time = np.arange(0.0, pressure.duration + self.dt, self.dt)
            return Trajectory(time + self.dt, self._model.motion(pressure.at(time), self.dt))
        if reference.model_id != self._model.id:
            raise ValueError(f"q belongs to the model '{reference.model_id}', expected '{self._model.id}'")
        return rows(reference, 'q', self._model.x0.size)

    def missing(self, now: float) -> str:
        self.diagnostics.input_age('estimate/state', now - self._last_state)
        return 'estimate/state' if now - self._last_state > self.settings.max_age else ''

    def restart(self) -> None:
        self._controller.reset()

    def control(self, goals: Trajectory, elapsed: float) -> Outcome:
        ahead = goals.at(elapsed + self.dt * np.arange(self._controller.instants))
        start = Start(self._start.x, self._start.parameters, self.pressure)
        command, status = self._controller.step(start, ahead, self.dt)
        if status.status != 'ok':
            self.diagnostics.count(f'solver_{status.status}')
        parameters = start.parameters[None]
        goal = ahead[0] if ahead.shape[1] == 3 else self._position(ahead[:1], parameters)[0]
        error = float(np.linalg.norm(self._position(start.x[None], parameters)[0] - goal))
        return Outcome(
            command,
            status.status == 'ok',
            f'{status.message}, tip {1e3 * error:.1f} mm off',
            error if math.isfinite(error) else 0.0,
            status.cost,
            status.generations,
        )

    def _on_state(self, message: RodState) -> None:
        model = self._model
        try:
            x = convert.coordinates_from_msg(message, model.id, model.x0.size)
            known = dict(zip(message.parameter, message.parameter_value, strict=False))
            parameters = np.array(
                [
                    known.get(name, own)
                    for name, own in zip(model.parameter_names, model.parameters, strict=True)
                ]
            )
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        self._start, self._last_state = Start(x, parameters, self.pressure), self.diagnostics.now()

    def _controller_of(self, kind: str) -> Nempc:
        """A controller with the cost of the tip or of the states, at rest."""
        settings, model = self.settings, self._model
        if kind == 'tip_position':
            cost = TaskCost(model.position, np.full(3, settings.tip_tolerance**-2), model.arrays)
        else:
            cost = StateCost((settings.state_tolerance * model.scale) ** -2 / model.scale.size, model.arrays)
        change = InputRateCost(np.full(len(self.names), settings.pressure_tolerance**-2), model.arrays)
        return Nempc(
            model.transition,
            Sum(cost, change),
            self.low,
            self.high,
            self._search,
            rate=settings.pressure_rate,
            delay=settings.delay,
            budget=settings.budget * self.dt,
            arrays=model.arrays,
            seed=settings.seed,
            **self._lag,
        )


def main() -> int:
    """Entry point of the executable `nempc`."""
    return spin.spin(NempcNode)
