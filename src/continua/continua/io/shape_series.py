"""Rod shapes over time: points on the body between the stations, and between the times, of the messages."""

from dataclasses import dataclass

import numpy as np

__all__ = ['ShapeSeries', 'resample']


@dataclass(frozen=True)
class ShapeSeries:
    """N shapes of n stations each, in world coordinates.

    stamp: (N,) s, time of measurement. arc_length: (N, n) m, from base to tip. position: (N, n, 3) m.
    orientation_xyzw: (N, n, 4), local x is the tangent. strain: (N, n, 6) rad/m and -, kx ky kz lx ly lz.
    """

    stamp: np.ndarray
    arc_length: np.ndarray
    position: np.ndarray
    orientation_xyzw: np.ndarray
    strain: np.ndarray

    @property
    def tip(self) -> np.ndarray:
        """Position of the last station, (N, 3) m."""
        return self.position[:, -1]

    def point(self, arc_length: float, offset: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
        """World position of a point of the body, (N, 3) m.

        arc_length: m. offset: [y, z] m from the centre line in the section. The centre line between two
        stations is the cubic with their positions and tangents, the orientation their spherical mean.
        Raises ValueError when the arc length is not on the rod.
        """
        longest = self.arc_length[:, -1].max()
        if not -1e-9 <= arc_length <= longest + 1e-9:
            raise ValueError(f'arc length {arc_length:g} m is not on the rod of {longest:g} m')
        left = np.clip((self.arc_length <= arc_length).sum(axis=1) - 1, 0, self.arc_length.shape[1] - 2)
        rows = np.arange(len(left))
        spacing = self.arc_length[rows, left + 1] - self.arc_length[rows, left]
        fraction = ((arc_length - self.arc_length[rows, left]) / spacing)[:, None]
        quaternions = [self.orientation_xyzw[rows, left + i] for i in (0, 1)]
        slopes = [spacing[:, None] * _rotate(quaternions[i], self.strain[rows, left + i, 3:]) for i in (0, 1)]
        positions = [self.position[rows, left + i] for i in (0, 1)]
        centre = _hermite(positions, slopes, fraction)
        lever = np.array([0.0, *offset])
        return centre + _rotate(_slerp(*quaternions, fraction), lever)


def resample(
    stamp: np.ndarray, values: np.ndarray, at: np.ndarray, longest_gap: float
) -> tuple[np.ndarray, np.ndarray]:
    """Linear interpolation of values (N, d) given at increasing times stamp (N,), at the times `at` (M,).

    Returns the values (M, d), and where they mean anything (M,): not outside the stamps, and not in a gap
    of the stamps longer than `longest_gap` s.
    """
    right = np.clip(np.searchsorted(stamp, at), 1, max(len(stamp) - 1, 1))
    if len(stamp) < 2:
        return np.zeros((len(at), values.shape[1])), np.zeros(len(at), dtype=bool)
    gap = stamp[right] - stamp[right - 1]
    inside = (at >= stamp[0]) & (at <= stamp[-1]) & (gap <= longest_gap)
    result = np.stack([np.interp(at, stamp, column) for column in values.T], axis=1)
    return result, inside


def _hermite(p: list[np.ndarray], m: list[np.ndarray], u: np.ndarray) -> np.ndarray:
    return (
        (1 + 2 * u) * (1 - u) ** 2 * p[0]
        + u * (1 - u) ** 2 * m[0]
        + u**2 * (3 - 2 * u) * p[1]
        + u**2 * (u - 1) * m[1]
    )


def _slerp(a: np.ndarray, b: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Between unit quaternions (N, 4), the short way round."""
    cosine = np.sum(a * b, axis=1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(cosine), 0.0, 1.0))
    sine = np.sin(angle)
    small = sine < 1e-6  # there, the chord is the arc
    divisor = np.where(small, 1.0, sine)
    weight_a = np.where(small, 1 - u, np.sin((1 - u) * angle) / divisor)
    weight_b = np.where(small, u, np.sin(u * angle) / divisor)
    return weight_a * a + weight_b * b


def _rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Rotate v, (N, 3) or (3,), by unit quaternions q (N, 4)."""
    axis, w = q[:, :3], q[:, 3:]
    twice = 2.0 * np.cross(axis, v)
    return v + w * twice + np.cross(axis, twice)
