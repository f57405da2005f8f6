"""The backbone: the way from the base through the links to the tip of the last one."""

from collections.abc import Sequence

import numpy as np

from continua.description import Robot

__all__ = ['Backbone']


class Backbone:
    """Arc length along the links that lead from the base to the tip of the file's last link."""

    def __init__(self, robot: Robot):
        parts, link, end = [], robot.links[-1], robot.links[-1].length
        while True:
            parts.insert(0, (link.name, end))
            if link.parent is None:
                break
            attach = link.attach.arc_length
            link = robot.link(link.parent)
            end = link.length if attach is None else attach
        self._parts = parts
        self._ends = np.cumsum([length for _, length in parts])
        self.length = float(self._ends[-1])

    def places(self, arc_length: np.ndarray, dimensions: int = 1) -> list[tuple[str, float]]:
        """Link and arc length on it (m) of arc lengths (m,) m along the backbone.

        Where two links meet, the first. Raises ValueError beyond the backbone.
        """
        if dimensions != 1 or not np.all((arc_length >= 0.0) & (arc_length <= self.length * (1.0 + 1e-12))):
            raise ValueError(
                f'arc_length: expected a vector of values in [0, {self.length}] m, got {arc_length}; '
                'arc length is measured along the centre line from the base'
            )
        out = []
        for X in arc_length:
            i = min(int(np.searchsorted(self._ends, X - 1e-12)), len(self._parts) - 1)
            name, length = self._parts[i]
            out.append((name, float(min(X - (self._ends[i] - length), length))))
        return out

    def arc_length(self, links: Sequence[str], X: np.ndarray) -> np.ndarray:
        """Arc lengths (m,) m along the backbone of places X (m,) m on links (m,); NaN off the backbone."""
        ends = dict(zip((name for name, _ in self._parts), self._ends, strict=True))
        parts = dict(self._parts)
        out = []
        for link, x in zip(links, X, strict=True):
            out.append(ends[link] - parts[link] + x if x <= parts.get(link, -1.0) + 1e-12 else np.nan)
        return np.array(out)
