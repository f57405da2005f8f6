"""Point markers on a rod: predicted positions and their Jacobian (soft_synergies eqs 31, 34)."""

from collections.abc import Sequence

import numpy as np

from continua.rod import Rod

__all__ = ['MarkerModel']


class MarkerModel:
    """Positions of the robot file's markers as a function of a rod's coordinates."""

    def __init__(self, rod: Rod, names: Sequence[str] | None = None):
        """names: which markers, in which order; all by default. Raises ValueError for unknown names."""
        markers = [rod.robot.marker(name) for name in (rod.robot.marker_names if names is None else names)]
        if not markers:
            raise ValueError(f'markers: robot {rod.robot.name} has none; add them to its robot file')
        self.names = tuple(marker.name for marker in markers)
        offset = np.array([[0.0, *marker.offset] for marker in markers])
        self._offset, self._lever = offset[:, :, None], np.cross(offset[:, None], np.eye(3)).swapaxes(1, 2)
        arc_length = np.array([marker.arc_length for marker in markers])
        self._sampler = rod.sampler(arc_length, [marker.link for marker in markers])

    def predict(self, q: np.ndarray) -> np.ndarray:
        """Positions (m, 3) m in world at coordinates q (n,); eq 31."""
        R, p = self._sampler.poses(q)
        return p + (R @ self._offset)[:, :, 0]

    def jacobian(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (m, 3) as `predict`, and their derivatives (m, 3, n) in q; eq 34 in body coordinates."""
        R, p, J = self._sampler.jacobian(q)
        # velocity of the marker in the section's frame: v - r x w
        return p + (R @ self._offset)[:, :, 0], R @ (J[:, 3:] - self._lever @ J[:, :3])
