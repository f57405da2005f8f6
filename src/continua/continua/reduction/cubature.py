"""Hyper-reduction: quadrature rules of few points for a reduced model, with weights from its snapshots.

A few modes make integrands along the links that need fewer points than the full model's. As in empirical
cubature (Hernandez, Caicedo and Ferrer 2017), the weights are the non-negative ones that give mass matrix,
gravity and pull of the inputs at the snapshots like a fine rule does, by least squares; points that are not
needed get none. Positive weights keep the mass matrix positive definite.

The stations of a rod are also the links of its chain of poses, whose error grows with their distances. So
candidates are not picked from the full model's points: they are Gauss's, evenly spread, as many for each
division as it takes until the points that matter are where they should be.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from scipy.optimize import nnls

from continua.description import Robot
from continua.reduction.cases import Cases, Place, points_of
from continua.rod import Rod
from continua.rod.integrands import Integrands, Rules, count_points, gauss_rules, integrands

__all__ = ['Cubature', 'cubature']

# Points of each division in the rule that the others imitate; an even number has none in the middle.
_FINE = 40
# Snapshots that are integrated, spread over all.
_SNAPSHOTS = 30


@dataclass(frozen=True)
class Cubature:
    """Rules of few points, by link. points: that have a weight. full_points: of the model without rules.

    error: m, mean distance of the places to those of the reduced model without rules.
    """

    rules: Rules
    points: int
    full_points: int
    error: float


def cubature(
    robot: Robot,
    modes: np.ndarray,
    z: np.ndarray,
    cases: Cases,
    places: Sequence[Place],
    limit: float,
) -> Cubature | None:
    """Rules with the fewest points whose mean error at the places is at most `limit` m; None where none have
    fewer than the model itself.

    z: (s, r) snapshots in the coordinates of the modes (n, r). places: link, None for the backbone, and arc
    length on it in m. The error is that against the reduced model with all points, in the cases. Raises
    ValueError where that one lacks a solution.
    """
    robot = cases.robot(robot)
    rod = Rod(robot, modes=modes)
    truth = points_of(rod, cases.solve(rod), list(places))
    if not np.isfinite(truth).all():
        raise ValueError(f'robot {robot.name}: the reduced model has no solution in some of the cases')
    full_points = count_points(rod)
    z = z[np.unique(np.linspace(0, len(z) - 1, _SNAPSHOTS).astype(int))]
    for count in range(1, full_points + 1):
        rules = _rules(rod, modes, z, count)
        used = sum(int(np.sum(weight > 0.0)) for _, weight in rules.values())
        if used >= full_points:
            break
        try:
            few = Rod(robot, points=rules, modes=modes)
        except ValueError:
            continue  # so few points that some mode moves no mass
        found = points_of(few, cases.solve(few), list(places))
        error = float(np.linalg.norm(found - truth, axis=2).mean())
        if error <= limit:
            return Cubature(rules, used, full_points, error)
    return None


def _rules(rod: Rod, modes: np.ndarray, z: np.ndarray, count: int) -> Rules:
    """Rules on `count` of Gauss's points for each division; a point that is not needed stays out."""
    fine, few = gauss_rules(rod, _FINE), gauss_rules(rod, count)
    sections = {link: np.union1d(fine[link][0], few[link][0]) for link in fine}
    dense = Rod(rod.robot, points={link: (X, np.ones(X.size)) for link, X in sections.items()}, modes=modes)
    owner = np.repeat(np.arange(len(sections)), [X.size for X in sections.values()])
    exact, candidate = _weights(sections, fine), _weights(sections, few) > 0.0
    # the lengths of the links are integrals too
    ones = (owner == np.arange(len(sections))[:, None]) / np.bincount(owner, exact)[:, None]
    rows = np.concatenate([_rows([integrands(dense, each) for each in z], rod.scale), ones])
    weight = np.zeros(owner.size)
    weight[candidate] = nnls(rows[:, candidate], rows @ exact)[0]
    out = {}
    for i, (link, X) in enumerate(sections.items()):
        mine, begins = weight[owner == i], few[link][0][few[link][1] == 0.0]
        kept = (mine > 0.0) | np.isin(X, begins)
        out[link] = X[kept], mine[kept]
    return out


def _weights(sections: dict[str, np.ndarray], rules: Rules) -> np.ndarray:
    """Weights (P,) m of rules at the sections of all links, 0 where they have no point."""
    out = {link: np.zeros(X.size) for link, X in sections.items()}
    for link, (X, weight) in rules.items():
        out[link][np.searchsorted(sections[link], X)] = weight
    return np.concatenate(list(out.values()))


def _rows(shapes: list[Integrands], scale: np.ndarray) -> np.ndarray:
    """Densities (k, P) at all shapes, as energies at one unit of deformation; each kind of like size."""
    out = []
    for each in fields(Integrands):
        values = np.array([getattr(shape, each.name) for shape in shapes])
        values = values * scale.reshape((-1,) + (1,) * (values.ndim - 3))
        if each.name == 'mass':
            values = values * scale
        rows = np.moveaxis(values, 1, -1).reshape(-1, values.shape[1])
        size = np.linalg.norm(rows.mean(axis=1))
        if size > 0.0:
            out.append(rows / size)
    return np.concatenate(out)
