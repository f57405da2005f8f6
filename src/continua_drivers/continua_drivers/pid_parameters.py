"""Parameters of the pressure controller, the same for the node and for the board."""

from continua.control.pid import PidGains
from continua_node.params import Parameter, Settings

__all__ = ['PID_PARAMETERS', 'gains']

PID_PARAMETERS = [
    Parameter('proportional', 3e-5, 'opening of the valve per error', '1/Pa', range=(0.0, 2e-3)),
    Parameter('integral', 3e-5, 'growth of the opening per error', '1/(Pa s)', range=(0.0, 2e-3)),
    Parameter('derivative', 0.0, 'opening against the rate of the pressure', 's/Pa', range=(0.0, 2e-3)),
    Parameter(
        'filter_time', 0.01, 'time constant of the low pass before the derivative', 's', range=(0.0, 1.0)
    ),
]


def gains(settings: Settings) -> PidGains:
    """Gains that the parameters say."""
    return PidGains(settings.proportional, settings.integral, settings.derivative, settings.filter_time)
