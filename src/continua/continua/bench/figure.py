"""One measured number."""

from dataclasses import dataclass

__all__ = ['Figure']


@dataclass(frozen=True)
class Figure:
    """One measured number; unit is empty for counts and ratios."""

    name: str
    value: float
    unit: str = ''
