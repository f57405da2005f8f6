"""Tracking of the tip with a Koopman model of recorded runs: the baseline of nempc, without states or shape.

In: markers or tip_pose, pressure/state; action track_trajectory with a reference of tip_position. Out:
pressure/command, control/status. The model is that of `continua koopman`, whose rate is the node's. A tip
that is not seen is predicted for `max_age`; late or wrong inputs: see `continua_control.tracking`.
"""

import numpy as np

from continua.control.koopman import KoopmanModel
from continua.control.koopman_lqr import KoopmanLqr
from continua.control.trajectory import Trajectory
from continua.reduction.arrays_file import read_arrays
from continua_control.tracking import PARAMETERS as COMMON
from continua_control.tracking import Outcome, TrackingNode, tip_trajectory
from continua_msgs.msg import Reference
from continua_node import convert, spin
from continua_node.params import Parameter
from continua_node.tip import READING, TipReader

PARAMETERS = [
    *COMMON,
    READING,
    Parameter('model_file', str, 'path of the model (continua koopman)'),
    Parameter('horizon', 60, 'samples that are looked ahead', range=(1, 10000)),
    Parameter('tip_tolerance', 0.01, 'distance of the tip that costs 1', 'm', range=(1e-6, 10.0)),
    Parameter('pressure_tolerance', 5e3, 'change in a sample that costs 1', 'Pa', range=(1.0, 1e9)),
]


class KoopmanLqrNode(TrackingNode):
    """Wires `continua.control.koopman_lqr` to the graph."""

    def __init__(self) -> None:
        super().__init__('koopman_lqr', PARAMETERS)
        settings = self.settings
        arrays, metadata = read_arrays(settings.model_file, 'Koopman model')
        model = KoopmanModel(**arrays, **metadata)
        if (model.y_mean.size, model.u_mean.size) != (3, len(self.names)):
            raise ValueError(
                f'{settings.model_file}: expected a model of 3 coordinates of the tip and {len(self.names)} '
                f'pressures, got {model.y_mean.size} and {model.u_mean.size}'
            )
        if abs(model.dt * settings.rate - 1.0) > 1e-6:
            raise ValueError(
                f'rate is {settings.rate:g} Hz, but the model was learned at {1.0 / model.dt:g} Hz; set rate'
            )
        self._controller = KoopmanLqr(
            model,
            np.full(3, settings.tip_tolerance**-2),
            np.full(len(self.names), settings.pressure_tolerance**-2),
            self.low,
            self.high,
            settings.horizon,
            settings.pressure_rate,
        )
        self._tip = TipReader(self, self.robot, settings.reading, settings.max_age)
        self._seen, self._last_seen = np.full(3, np.nan), -np.inf
        self.begin()

    def goals(self, reference: Reference) -> Trajectory:
        """Of the tip alone: the model knows nothing else."""
        if not len(reference.tip_position):
            raise ValueError('the reference holds no tip_position; the Koopman model knows only the tip')
        return tip_trajectory(reference)

    def missing(self, now: float) -> str:
        tip = self._read_tip()
        if not np.isnan(tip).any():
            self._last_seen = now
        self._seen = tip
        return self._tip.topic if now - self._last_seen > self.settings.max_age else ''

    def restart(self) -> None:
        self._controller.reset()

    def control(self, goals: Trajectory, elapsed: float) -> Outcome:
        ahead = goals.at(elapsed + self.dt * np.arange(1, self._controller.horizon + 1))
        command, status = self._controller.step(self._seen, ahead)
        error = np.linalg.norm(self._seen - goals.at(np.array(elapsed)))
        is_found = status.status in ('ok', 'predicted', 'waiting')
        return Outcome(command, is_found, status.message, float(np.nan_to_num(error)))

    def _read_tip(self) -> np.ndarray:
        """The tip's position (3,) m now, NaN where there is no new one."""
        try:
            taken = self._tip.take(self.get_clock().now().nanoseconds * 1e-9)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            taken = None
        self.diagnostics.input_age(self._tip.topic, self._tip.age)
        return np.full(3, np.nan) if taken is None else taken[1][:3]


def main() -> int:
    """Entry point of the executable `koopman_lqr`."""
    return spin.spin(KoopmanLqrNode)
