"""What data say about parameters: errors, correlations, and what they do not excite."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ['Excitation', 'excitation']

# A direction whose standard deviation is more than this share of the bounds is not excited: without data, all
# values between the bounds being alike, it would be 0.29.
_UNKNOWN = 0.1
# Parameters with at least this share of a direction are named.
_NAMED = 0.3
_CORRELATED = 0.95


@dataclass(frozen=True)
class Excitation:
    """covariance (p, p) of parameters as shares of their bounds, and correlation (p, p); singular_values (p,)
    of the Jacobian, the inverse of the standard deviations of its p directions; a sentence for each thing
    that the data do not tell, none where they tell everything."""

    covariance: np.ndarray
    correlation: np.ndarray
    singular_values: np.ndarray
    condition: float
    sentences: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether the data excite all parameters."""
        return bool(np.all(self.singular_values * _UNKNOWN >= 1.0))


def excitation(jacobian: np.ndarray, names: Sequence[str]) -> Excitation:
    """Of the Jacobian (m, p): residuals in standard deviations, parameters as shares of their bounds."""
    _, singular, directions = np.linalg.svd(jacobian, full_matrices=False)
    inverse = directions.T / np.maximum(singular, 1e-12 * max(singular[0], 1.0))
    covariance = inverse @ inverse.T
    deviation = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(deviation, deviation)
    sentences = [
        _sentence(direction, names)
        for value, direction in zip(singular, directions, strict=True)
        if value * _UNKNOWN < 1.0
    ]
    for i, j in zip(*np.triu_indices(len(names), 1), strict=True):
        if abs(correlation[i, j]) > _CORRELATED and not sentences:
            sentences.append(
                f'{names[i]} and {names[j]} are hardly told apart (correlation {correlation[i, j]:.3f}); add '
                'data in which only one of them matters'
            )
    condition = float(singular[0] / max(singular[-1], 1e-16 * singular[0], 1e-300))
    return Excitation(covariance, correlation, singular, condition, tuple(sentences))


def _sentence(direction: np.ndarray, names: Sequence[str]) -> str:
    told = [name for name, part in zip(names, direction, strict=True) if abs(part) >= _NAMED]
    if len(told) == 1:
        return (
            f'the data do not excite {told[0]}: between its bounds, hardly a value fits better than another; '
            'record an experiment in which it matters, or leave it out'
        )
    return (
        f'the data do not tell {" and ".join(told)} apart: changes of them together fit alike; record an '
        'experiment in which only one of them matters, or leave one out'
    )
