"""What an integrator did, and the check of what it is asked for."""

import math
from dataclasses import dataclass

__all__ = ['Statistics', 'check_tolerance']


@dataclass(frozen=True)
class Statistics:
    """Internal steps accepted; rejected for their error or without a solution; evaluations of the
    residual."""

    steps: int
    rejected: int
    residuals: int


def check_tolerance(name: str, value: float) -> None:
    """Raise ValueError where a tolerance is not a positive number."""
    if not (math.isfinite(value) and value > 0.0):
        raise ValueError(f'{name}: expected a positive number, in units of deformation, got {value}')
