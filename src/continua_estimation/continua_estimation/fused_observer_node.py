"""Shape and velocity from tendon readings and markers together, each at its own stamps and rate.

In: tendon/state, markers. Out: estimate/state, estimate/shape. Service: fused_observer/restart.
Markers may be late, hidden or missing for as long as they like. Measurements that carry NaN, come too late or
twice, are stamped in the future, or are beyond the gate of their innovation are refused and counted. While
no tendon/state comes the node publishes nothing and says so in /diagnostics.
"""

import numpy as np

from continua.estimation import FusedObserver, marker_sensor, tendon_sensor
from continua.rod import Rod
from continua.sensing import MarkerModel
from continua_estimation import observer
from continua_estimation.markers import markers_in_world
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, qos, spin
from continua_node.params import Parameter, Settings

PARAMETERS = [
    *observer.PARAMETERS,
    Parameter(
        'tendon_noise', 1e-4, 'standard deviation of a displacement, with friction', 'm', range=(1e-7, 1.0)
    ),
    Parameter('marker_noise', 1e-3, 'standard deviation of each marker coordinate', 'm', range=(1e-6, 1.0)),
    Parameter(
        'disturbance',
        1e-5,
        'energy that unknown loads and the errors of the model put into each mode',
        'J',
        range=(1e-12, 1e3),
    ),
    Parameter(
        'false_alarm',
        1e-6,
        'probability at which a right reading may be refused as an outlier',
        range=(1e-100, 0.5),
    ),
]


class FusedObserverNode(observer.ObserverNode):
    """Wires a FusedObserver to the graph."""

    def __init__(self) -> None:
        super().__init__('fused_observer', PARAMETERS)
        self.create_subscription(MarkerArray3D, 'markers', self._on_markers, qos.SENSOR.requested)

    def make_observer(self, rod: Rod, settings: Settings) -> FusedObserver:
        tracked = [marker.name for marker in self.robot.markers if marker.role == 'tracked']
        self._tracked = [self.robot.marker_names.index(name) for name in tracked]
        sensors = {
            'tendons': tendon_sensor(rod, settings.tendon_noise),
            'markers': marker_sensor(MarkerModel(rod, tracked), settings.marker_noise),
        }
        return FusedObserver(rod, sensors, settings.disturbance, settings.false_alarm)

    def tendon_reading(self, displacement: np.ndarray) -> tuple[str, np.ndarray]:
        return 'tendons', displacement[:, None]

    def _on_markers(self, message: MarkerArray3D) -> None:
        try:
            position, valid = markers_in_world(message, self.robot.marker_names)
        except convert.Rejected as error:
            self.refuse('markers', error.reason, str(error))
            return
        seen = np.where(valid[:, None], position, np.nan)[self._tracked]
        self.take('markers', message.header.stamp, ('markers', seen))


def main() -> int:
    """Entry point of the executable `fused_observer`."""
    return spin.spin(FusedObserverNode)
