"""Where a soft link is computed: its divisions, and the quadrature points of each."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from continua.description import Robot, SoftLink
from continua.rod.basis import Basis

__all__ = ['SAME', 'Points', 'Stretch', 'check_rules', 'cuts', 'gauss_points', 'merge', 'quadrature']

# Gauss points of each division, or of some soft links arc lengths (m) and weights (m) of a rule of their own.
Points = int | Mapping[str, tuple[np.ndarray, np.ndarray]] | None
# Arc lengths closer than this are one station; m.
SAME = 1e-9


@dataclass(frozen=True)
class Stretch:
    """A division of a soft link: its basis, in columns `columns` of Phi, and the cuts between which all is
    smooth, both ends included (m). rule: arc lengths and weights (m), where not those of Gauss."""

    begin: float
    end: float
    basis: Basis
    points: int
    columns: slice
    cuts: tuple[float, ...]
    rule: tuple[np.ndarray, np.ndarray] | None = None

    def phi(self, X: np.ndarray, dof: int) -> np.ndarray:
        """Columns (m, 6, dof) at arc lengths X (m,) m."""
        out = np.zeros((np.size(X), 6, dof))
        x = (np.asarray(X) - self.begin) / (self.end - self.begin)
        out[:, :, self.columns] = self.basis.columns(np.clip(x, 0.0, 1.0))
        return out


def quadrature(stretch: Stretch) -> tuple[np.ndarray, np.ndarray]:
    """Arc lengths and weights (m) of a division's stations: of its rule and its end, or those of Gauss."""
    if stretch.rule is None:
        return gauss_points(stretch)
    X, weight = stretch.rule
    inside = (stretch.begin < X) & (stretch.end - SAME > X)
    at_end = np.abs(X - stretch.end) <= SAME
    return np.append(X[inside], stretch.end), np.append(weight[inside], weight[at_end].sum())


def gauss_points(stretch: Stretch) -> tuple[np.ndarray, np.ndarray]:
    """Arc lengths (m) and weights (m) of a division: Gauss points between its cuts, and the cuts with weight
    0, but for the first. Each of several pieces has its share of the points by length, rounded up, and one
    more.
    """
    X, weight = [], []
    for begin, end in pairwise(stretch.cuts):
        share = stretch.points
        if len(stretch.cuts) > 2:
            share = math.ceil(stretch.points * (end - begin) / (stretch.end - stretch.begin)) + 1
        node, gauss = np.polynomial.legendre.leggauss(share)
        half = 0.5 * (end - begin)
        X += [begin + half * (1.0 + node), [end]]
        weight += [half * gauss, [0.0]]
    return np.concatenate(X), np.concatenate(weight)


def check_rules(robot: Robot, rules: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> None:
    """Raise ValueError for a quadrature rule that does not fit its link."""
    for name, (X, weight) in rules.items():
        link = next((link for link in robot.links if link.name == name), None)
        if not isinstance(link, SoftLink):
            raise ValueError(f'points: {name}: not a soft link of {robot.name}')
        X, weight = np.asarray(X), np.asarray(weight)
        fits = X.ndim == 1 and X.shape == weight.shape and np.all(np.diff(X) > SAME)
        if not fits or not np.all((X > 0.0) & (link.length + SAME >= X) & (weight >= 0.0)):
            raise ValueError(
                f'points: {name}: expected increasing arc lengths in (0, {link.length}] m and as many '
                f'weights, none negative, got {X} and {weight}'
            )


def cuts(robot: Robot, link: SoftLink) -> list[float]:
    """Arc lengths (m) at which something that acts along the link begins or ends."""
    acting = [tendon for tendon in robot.tendons if tendon.waypoints(robot) is None]
    acting += [*robot.chambers, *(load for load in robot.loads if load.type == 'distributed')]
    return sorted(X for each in acting if each.link == link.name for X in each.range)


def merge(values: Sequence[float]) -> tuple[float, ...]:
    """Sorted, with values that are the same but for rounding left out."""
    X = np.array(sorted(values))
    kept = X[np.append(True, np.diff(X) > SAME)]
    kept[-1] = X[-1]
    return tuple(float(each) for each in kept)
