"""State and shape estimators, each a `step(belief, measurement, ..., dt)` that gives the next belief."""

from continua.estimation.fusion import FusedObserver, FusionInfo, Sensor, marker_sensor, tendon_sensor
from continua.estimation.poses import pose_difference
from continua.estimation.replay import Arrival, Replay
from continua.estimation.sdre import SdreBelief, SdreInfo, SdreObserver
from continua.estimation.shape_least_squares import ShapeEstimate, ShapeLeastSquares
from continua.estimation.synergies import Synergies
from continua.estimation.ukf import Ukf, UkfBelief, UkfInfo

__all__ = [
    'Arrival',
    'FusedObserver',
    'FusionInfo',
    'Replay',
    'SdreBelief',
    'SdreInfo',
    'SdreObserver',
    'Sensor',
    'ShapeEstimate',
    'ShapeLeastSquares',
    'Synergies',
    'Ukf',
    'UkfBelief',
    'UkfInfo',
    'marker_sensor',
    'pose_difference',
    'tendon_sensor',
]
