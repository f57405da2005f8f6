"""Paths of tendons and chambers: offset (y, z) from the centre line over the arc length X of the link.

A path runs over the range of the tendon that it belongs to: with t = (X - from) / (to - from), t = 0 is the
start of the range and t = 1 its end. `offset` and `slope` take X of shape (m,) in m and return (m, 2).
"""

from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, PrivateAttr, model_validator
from scipy.interpolate import CubicSpline

from .errors import Refusals, refusal
from .fields import ArcLengths, BaseToTip, Description, Number, Offset, count, key, plausible

Angle = Annotated[Number, plausible(-6.3, 6.3, 'rad', 'angles are in radians: 90 degrees is 1.5708')]
Turns = Annotated[Number, plausible(-1e3, 1e3, '', 'turns counts full revolutions over the range')]


class _RangedPath(Description):
    """What all paths share: the range that they run over, given by the tendon or chamber."""

    _range: tuple[float, float] = PrivateAttr(default=(0.0, 1.0))

    def over(self, arc_range: tuple[float, float]) -> '_RangedPath':
        """This path over `arc_range` = (from, to) in m."""
        path = self.model_copy()
        path._range = arc_range
        return path

    @property
    def _span(self) -> float:
        return self._range[1] - self._range[0]

    def _parameter(self, X: ArrayLike) -> NDArray[np.float64]:
        """t of every X as a column (m, 1)."""
        return (np.asarray(X, dtype=float)[:, None] - self._range[0]) / self._span


class LinearPath(_RangedPath):
    """A straight line from one offset to another."""

    type: Literal['linear'] = key('', 'kind of path')
    start: Offset = key('m', 'offset [y, z] where the range starts')
    end: Offset = key(
        'm',
        'offset [y, z] where the range ends; without it the path is parallel to the centre line',
        default_factory=lambda values: values['start'],
    )

    def offset(self, X: ArrayLike) -> NDArray[np.float64]:
        """Offsets in m, (m, 2)."""
        return np.asarray(self.start) + self._parameter(X) * np.subtract(self.end, self.start)

    def slope(self, X: ArrayLike) -> NDArray[np.float64]:
        """d offset / dX, (m, 2)."""
        return np.broadcast_to(np.subtract(self.end, self.start) / self._span, (len(np.asarray(X)), 2)).copy()


class HelicalPath(_RangedPath):
    """A helix about the centre line: radius (cos a, sin a) with a = phase + 2 pi turns t."""

    type: Literal['helical'] = key('', 'kind of path')
    radius: BaseToTip = key('m', 'distance from the centre line, or [start, end] with linear change')
    phase: Angle = key('rad', 'angle from the y axis to the z axis where the range starts', default=0.0)
    turns: Turns = key('', 'revolutions over the range, positive about the tangent')

    def _polar(self, X: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Radius (m, 1), and the unit vectors (m, 2) outward and along growing angle."""
        t = self._parameter(X)
        start, end = self.radius
        angle = self.phase + 2.0 * np.pi * self.turns * t
        cos, sin = np.cos(angle), np.sin(angle)
        return start + (end - start) * t, np.hstack([cos, sin]), np.hstack([-sin, cos])

    def offset(self, X: ArrayLike) -> NDArray[np.float64]:
        """Offsets in m, (m, 2)."""
        radius, outward, _ = self._polar(X)
        return radius * outward

    def slope(self, X: ArrayLike) -> NDArray[np.float64]:
        """d offset / dX, (m, 2)."""
        radius, outward, along = self._polar(X)
        growth = self.radius[1] - self.radius[0]
        return (growth * outward + 2.0 * np.pi * self.turns * radius * along) / self._span


class PointsPath(_RangedPath):
    """A smooth curve through given offsets: a cubic spline with continuous curvature."""

    type: Literal['points'] = key('', 'kind of path')
    arc_length: Annotated[ArcLengths, count(2, 1000)] = key(
        'm', 'arc lengths of the points, increasing; they cover the range'
    )
    points: tuple[Offset, ...] = key('m', 'offset [y, z] at each of these arc lengths')

    @model_validator(mode='after')
    def _one_point_per_arc_length(self) -> 'PointsPath':
        refusals = Refusals('PointsPath')
        if len(self.points) != len(self.arc_length):
            refusals.add(
                ('points',),
                self.points,
                'the lists differ in length',
                f'{len(self.arc_length)} points, one per arc_length',
                f'{len(self.points)}',
                'give every arc length one [y, z]',
            )
        refusals.raise_any()
        return self

    def over(self, arc_range: tuple[float, float]) -> '_RangedPath':
        """This path over `arc_range`; refused if the points do not reach its ends."""
        first, last = self.arc_length[0], self.arc_length[-1]
        if first > arc_range[0] or last < arc_range[1]:
            raise refusal(
                'the points do not cover the range',
                f'arc_length from {arc_range[0]:g} or less to {arc_range[1]:g} or more',
                f'{first:g} to {last:g}',
                'add points at both ends of the range; paths are not extrapolated',
            )
        return super().over(arc_range)

    @cached_property
    def _spline(self) -> CubicSpline:
        return CubicSpline(self.arc_length, self.points)

    def offset(self, X: ArrayLike) -> NDArray[np.float64]:
        """Offsets in m, (m, 2)."""
        return self._spline(np.asarray(X, dtype=float))

    def slope(self, X: ArrayLike) -> NDArray[np.float64]:
        """d offset / dX, (m, 2)."""
        return self._spline(np.asarray(X, dtype=float), 1)


Path = Annotated[LinearPath | HelicalPath | PointsPath, Field(discriminator='type')]
