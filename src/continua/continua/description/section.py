"""Cross-sections of soft links, as functions of the fraction X / length in [0, 1] along the link."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .fields import BaseToTip, Description, key


class CircularSection(Description):
    """A solid disk whose radius is constant or changes linearly from base to tip."""

    shape: Literal['circular'] = key('', 'kind of cross-section')
    radius: BaseToTip = key('m', 'radius, or [base, tip] for a linear taper')

    def radius_at(self, fraction: ArrayLike) -> NDArray[np.float64]:
        """Radius in m at `fraction` of the link's length, any shape."""
        base, tip = self.radius
        return base + (tip - base) * np.asarray(fraction, dtype=float)

    def area(self, fraction: ArrayLike) -> NDArray[np.float64]:
        """Area in m2."""
        return np.pi * self.radius_at(fraction) ** 2

    def second_moments(self, fraction: ArrayLike) -> NDArray[np.float64]:
        """Second moments of area [Jx, Iy, Iz] in m4 about the local axes (x is the tangent): (..., 3)."""
        bending = np.pi / 4.0 * self.radius_at(fraction) ** 4
        return np.stack([2.0 * bending, bending, bending], axis=-1)
