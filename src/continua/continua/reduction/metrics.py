"""Inner products of coordinates in which snapshots are decomposed.

The decomposition of stacked strains Phi q (soft_synergies eqs 12, 16 and 20) is one of the coordinates in the
inner product G = Phi^T Phi. Each metric is given by its factor R (n, n), R^T R = G, so that no number is
squared: |R q| is the size of q.
"""

from typing import Literal, get_args

import numpy as np

from continua.rod import Rod
from continua.rod.strain_points import StrainPoints, computational_points, equidistant_points

__all__ = ['SECTIONS', 'Metric', 'metric_factor']

Metric = Literal['sections', 'points', 'energy', 'range']
"""sections: strains at equidistant sections of the soft links and joint twists (section III-A). points: at
the computational points (III-B). energy: twice the elastic energy, J. range: as sections, each kind of
strain and of joint twist divided by its range over the snapshots."""

SECTIONS = 102
"""Sections of each soft link, as in the paper's section III-A."""

# Of the largest: a direction that shows less has no size in a metric, a strain that varies less is rounding.
_NOTHING = 1e-9


def metric_factor(rod: Rod, metric: Metric, q: np.ndarray) -> np.ndarray:
    """R (n, n) of a metric of the full model `rod`; q (s, n) are the snapshots, which give the ranges.

    Raises ValueError for another metric, and where some coordinates have no size in it.
    """
    match metric:
        case 'sections':
            rows = equidistant_points(rod, SECTIONS).basis
        case 'points':
            rows = computational_points(rod).basis
        case 'range':
            points = equidistant_points(rod, SECTIONS)
            rows = points.basis / _ranges(points, q)[:, :, None]
        case 'energy':
            value, vector = np.linalg.eigh(rod.stiffness)
            rows = np.sqrt(np.maximum(value, 0.0))[:, None] * vector.T
        case _:
            raise ValueError(f'metric: expected one of {", ".join(get_args(Metric))}, got {metric!r}')
    factor = np.linalg.qr(rows.reshape(-1, rod.dof), mode='r')
    sizes = np.linalg.svd(factor, compute_uv=False)
    if sizes[-1] <= _NOTHING * sizes[0]:
        raise ValueError(
            f'metric {metric}: some coordinates of {rod.robot.name} have no size in it, as joints without '
            'springs have no elastic energy; choose sections or points'
        )
    return factor


def _ranges(points: StrainPoints, q: np.ndarray) -> np.ndarray:
    """(P, 6): of each strain, and of each joint twist, its range over the snapshots and their points."""
    values, out = np.einsum('pij,sj->spi', points.basis, q), np.ones(points.reference.shape)
    for kind in (points.is_joint, ~points.is_joint):
        if kind.any():
            span = np.ptp(values[:, kind], axis=(0, 1))
            # what does not vary is weighed like what varies most
            out[kind] = np.where(span > _NOTHING * span.max(), span, span.max() or 1.0)
    return out
