"""Shape and velocity from the tendons' own readings, by the SDRE observer; no camera is needed.

In: tendon/state. Out: estimate/state, estimate/shape. Service: sdre_observer/restart.
Readings are used at their own stamps, out of order as well; those that carry NaN, come too late, come twice,
are stamped in the future or are too far from what is expected are refused and counted. While none come the
node publishes nothing and says so in /diagnostics, which also tell whether the tendons see every mode.
"""

import numpy as np

from continua.estimation import SdreBelief, SdreObserver
from continua.rod import Rod
from continua_estimation import observer
from continua_node import spin
from continua_node.params import Parameter, Settings

PARAMETERS = [
    *observer.PARAMETERS,
    Parameter('Q', 10.0, 'weight of the state: how fast the model errs', range=(1e-12, 1e12)),
    Parameter('R', 1e-6, 'weight of the readings: smaller trusts them more', 'm^2 s', range=(1e-15, 1e6)),
    Parameter('alpha', 1.0, 'decay rate asked of the error', '1/s', range=(0.0, 1e3)),
    Parameter('differential', False, 'integrate the Riccati equation instead of solving it'),
    Parameter('reach', 0.05, 'readings farther from the prediction are refused', 'm', range=(1e-6, 10.0)),
]

_PERIOD = 10.0  # s between two tests of observability


class SdreObserverNode(observer.ObserverNode):
    """Wires an SdreObserver to the graph."""

    # Without readings it solves another equation, whose solution is no guess for the next with readings.
    longest_step = 10.0

    def __init__(self) -> None:
        self._observability, self._tested = '', -np.inf
        super().__init__('sdre_observer', PARAMETERS)

    def make_observer(self, rod: Rod, settings: Settings) -> SdreObserver:
        return SdreObserver(
            rod, settings.Q, settings.R, settings.alpha, settings.differential, settings.reach
        )

    def tendon_reading(self, displacement: np.ndarray) -> np.ndarray:
        return displacement

    def remarks(self, belief: SdreBelief) -> str:
        """Whether the tendons see every mode, tested now and then."""
        now = self.diagnostics.now()
        if now - self._tested > _PERIOD:
            self._tested = now
            self._observability = self.observer.observability(belief.q, belief.qd).message
        return self._observability


def main() -> int:
    """Entry point of the executable `sdre_observer`."""
    return spin.spin(SdreObserverNode)
