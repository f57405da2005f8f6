"""What the nodes share that observe a robot by its tendons.

In: tendon/state, whose measured tensions (or applied setpoints) are the inputs and whose displacements are
readings. Out: estimate/state with rates and covariance, and estimate/shape, once for each tendon/state, with
the stamp of the newest measurement. Service: NAME/restart forgets all and begins from the next tendon/state.
"""

import math
import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from rclpy.node import Node
from std_srvs.srv import Trigger

from continua.description import load_robot
from continua.estimation import FusedObserver, Replay, SdreBelief, SdreObserver
from continua.rod import Rod
from continua_msgs.msg import RodShape, RodState, TendonState
from continua_node import convert, qos
from continua_node.diagnostics import OK, WARN, Diagnostics
from continua_node.params import ROBOT_FILE, Parameter, Settings, declare
from continua_node.robot import MODEL, load_model

__all__ = ['PARAMETERS', 'ObserverNode']

PARAMETERS = [
    ROBOT_FILE,
    *MODEL,
    Parameter(
        'input',
        'tension',
        'what pulls: tension as load cells measure it, or the applied command where there are none',
        choices=('tension', 'command'),
    ),
    Parameter(
        'window',
        0.2,
        'measurements older than this are refused; after a longer gap the observer begins anew',
        's',
        range=(1e-3, 10.0),
    ),
    Parameter('lead', 0.01, 'measurements stamped farther ahead are refused', 's', range=(1e-6, 10.0)),
    Parameter('stations', 31, 'sections of the published shape', range=(2, 501)),
]

_BLIND = TendonState.FAULT_SENSOR | TendonState.FAULT_DEVICE_LOST
_NANO = 1e-9
_LOOK = 0.5  # s between two looks whether anything arrives


class ObserverNode(Node, ABC):
    """Wires an observer to the graph; subclasses say which.

    longest_step: s, a longer gap between measurements is divided.
    """

    longest_step = 0.05

    def __init__(self, name: str, parameters: list[Parameter]) -> None:
        super().__init__(name)
        settings = declare(self, parameters)
        self.robot = load_robot(settings.robot_file)
        self.rod, _ = load_model(self.robot, settings)
        self.observer = self.make_observer(self.rod, settings)
        self._replay = Replay(
            self.observer.step, self._begin, settings.window, settings.lead, self.longest_step
        )
        self._input, self._window = settings.input, settings.window
        self._others = np.zeros(len(self.rod.input_names) - self.rod.n_tendons)
        self._stations = np.linspace(0.0, self.rod.length, settings.stations)
        # Seconds since then count: a float holds seconds of an epoch to 0.2 us, and these to the nanosecond.
        self._epoch = self.get_clock().now().nanoseconds
        self._published = self._heard = -math.inf

        self.diagnostics = Diagnostics(self)
        self._shape = self.create_publisher(RodShape, 'estimate/shape', qos.STATE.offered)
        self._state = self.create_publisher(RodState, 'estimate/state', qos.STATE.offered)
        self.create_subscription(TendonState, 'tendon/state', self._on_tendons, qos.SENSOR.requested)
        self.create_service(Trigger, f'{name}/restart', self._on_restart)
        self.create_timer(_LOOK, self._listen)
        self._warm_up()
        self.diagnostics.set_state(WARN, 'waiting for tendon/state')

    @abstractmethod
    def make_observer(self, rod: Rod, settings: Settings) -> SdreObserver | FusedObserver:
        """The observer. Raises ValueError where it does not fit the robot."""

    @abstractmethod
    def tendon_reading(self, displacement: np.ndarray) -> Any:
        """The observer's measurement of displacements (K,) m, NaN where there is none."""

    def remarks(self, belief: SdreBelief) -> str:
        """What else the diagnostics should say about a belief."""
        return ''

    def take(self, kind: str, stamp: Time, measurement: Any, u: np.ndarray | None = None) -> None:
        """Give the observer a measurement, count what cannot be used, and say how it is."""
        now, measured = self._now(), (_nanoseconds(stamp) - self._epoch) * _NANO
        self.diagnostics.input_age(kind, now - measured)
        start = time.perf_counter()
        arrival = self._replay.add(kind, measured, now, measurement, u)
        self.diagnostics.tick(time.perf_counter() - start)
        if not arrival.is_taken:
            self.refuse(kind, arrival.status, arrival.message)
            return
        level, info = OK, arrival.info
        if info is not None and info.status != 'corrected':
            level = WARN
        if info is not None and info.rejected:
            self.diagnostics.count('rejected_innovation', info.rejected)
        if arrival.status == 'restarted':
            self.diagnostics.count('restarts')
        words = (f'{kind}: {arrival.message}', self.remarks(self._replay.belief))
        self._say(level, '; '.join(filter(None, words)))

    def refuse(self, kind: str, reason: str, sentence: str) -> None:
        """Count and report a measurement that is not used."""
        self.diagnostics.count(f'rejected_{reason}')
        self._say(WARN, f'{kind} refused: {sentence}')

    def _on_tendons(self, message: TendonState) -> None:
        try:
            tendons = convert.tendon_state_from_msg(message, self.robot.tendon_names)
        except convert.Rejected as error:
            self.refuse('tendon/state', error.reason, str(error))
            return
        self._heard = self._now()
        blind = (tendons.fault & _BLIND) != 0
        pull = np.where(blind, tendons.command, getattr(tendons, self._input))
        reading = self.tendon_reading(np.where(blind, np.nan, tendons.displacement))
        self.take('tendon/state', message.header.stamp, reading, np.concatenate([pull, self._others]))
        self._publish()

    def _publish(self) -> None:
        """The belief, where it is newer than the last one that was published."""
        stamp, belief = self._replay.stamp, self._replay.belief
        if stamp is None or stamp <= self._published:
            return
        self._published = stamp
        nanoseconds = self._epoch + round(stamp / _NANO)
        state = self._state_msg(belief, Time(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9))
        self._shape.publish(state.shape)
        self._state.publish(state)
        self.diagnostics.latency(self._now() - stamp)

    def _state_msg(self, belief: SdreBelief, stamp: Time) -> RodState:
        shape = convert.shape_to_msg(self.rod.shape(belief.q, self._stations), stamp)
        return RodState(
            header=shape.header,
            model_id=self.rod.model_id,
            q=convert.flat(belief.q),
            qd=convert.flat(belief.qd),
            covariance=convert.flat(belief.P),
            shape=shape,
        )

    def _begin(self, u: np.ndarray) -> SdreBelief:
        """The equilibrium under the inputs, at rest; the reference shape where there is none."""
        self._published = -math.inf
        rest = self.rod.statics(u)
        return self.observer.begin(rest.q if rest.converged else None)

    def _say(self, level: bytes, sentence: str) -> None:
        """Set the diagnostics' state; that there are no inputs matters more than what it is about."""
        if not self._listen():
            self.diagnostics.set_state(level, sentence)

    def _listen(self) -> bool:
        """Whether tendon/state has stopped; says so."""
        is_silent = math.isfinite(self._heard) and self._now() - self._heard > self._window
        if is_silent:
            self.diagnostics.set_state(WARN, 'no tendon/state arrives; is the driver running?')
        return is_silent

    def _on_restart(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._replay.restart()
        response.success, response.message = True, 'begins from the next tendon/state'
        return response

    def _warm_up(self) -> None:
        """Compile a step before the first deadline."""
        u = np.zeros(len(self.rod.input_names))
        belief = self._begin(u)
        reading = self.tendon_reading(self.rod.tendon_displacement(belief.q))
        belief, _ = self.observer.step(belief, reading, u, 1e-3)
        self._state_msg(belief, Time())

    def _now(self) -> float:
        return (self.get_clock().now().nanoseconds - self._epoch) * _NANO


def _nanoseconds(stamp: Time) -> int:
    return stamp.sec * 10**9 + stamp.nanosec
