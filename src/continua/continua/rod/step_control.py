"""Choice of step sizes for a tolerance: the PI controller of Gustafsson (ACM TOMS 17, 1991)."""

from continua.jit import inner

__all__ = ['accepted_factor', 'rejected_factor']

_SAFETY = 0.9
_SMALLEST, _LARGEST = 0.1, 5.0
# Growth of less than this is not worth new factors of Newton's matrix.
_DEADBAND = 1.2


@inner
def accepted_factor(error: float, before: float, order: int) -> float:
    """What to multiply the step with after one of relative `error` (1 is the tolerance), `before` of the step
    before it; the error is of this order in the step."""
    error = max(error, 1e-10)
    factor = _SAFETY * error ** (-0.7 / order) * max(before, 1e-4) ** (0.4 / order)
    factor = min(max(factor, 2.0 * _SMALLEST), _LARGEST)
    return 1.0 if 1.0 <= factor < _DEADBAND else factor


@inner
def rejected_factor(error: float, order: int) -> float:
    """The same after a step whose error was above 1."""
    return max(_SMALLEST, min(_SAFETY, _SAFETY * error ** (-1.0 / order)))
