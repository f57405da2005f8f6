"""What a rod integrates along its soft links: mass, weight and pull of the inputs, section by section."""

from dataclasses import dataclass, replace

import numpy as np

from continua.rod.assembly import Assembly
from continua.rod.jacobian import jacobians
from continua.rod.rod import Rod
from continua.rod.stretches import gauss_points

__all__ = ['Integrands', 'Rules', 'count_points', 'gauss_rules', 'integrands']

Rules = dict[str, tuple[np.ndarray, np.ndarray]]
"""Arc lengths (p,) m and weights (p,) m by soft link, as `Rod` takes them."""


@dataclass(frozen=True)
class Integrands:
    """Densities at P sections, per metre and in the rod's coordinates: `mass` (P, n, n), eq 36a; `weight`
    (P, n), generalised force of gravity; `pull` (P, n, m), of each input in the body, eq 36e."""

    mass: np.ndarray
    weight: np.ndarray
    pull: np.ndarray


def count_points(rod: Rod) -> int:
    """How many of the stations have a quadrature weight."""
    return int(np.sum(rod._model.rod.weight > 0.0))


def gauss_rules(rod: Rod, points: int) -> Rules:
    """Gauss's rules with so many points for each division, and where something begins, with weight 0."""
    stretches = Assembly(rod.robot, *rod._given).stretches
    out = {}
    for link, parts in stretches.items():
        X, weight = zip(*(gauss_points(replace(part, points=points)) for part in parts), strict=True)
        out[link] = np.concatenate(X), np.concatenate(weight)
    return out


def integrands(rod: Rod, q: np.ndarray) -> Integrands:
    """Densities at q at the sections of a rod's own quadrature rules, link by link; their weights must not be
    zero."""
    assembly, model, n = Assembly(rod.robot, *rod._given), rod._model, rod.dof
    # the first station on a link is its base, which every rule has
    on = np.concatenate([assembly.stations_on(link)[0][1:] for link in assembly.stretches])
    rod.residual(q)  # leaves poses of the stations, and how tendons run
    J, Jd = np.zeros((2, model.rod.arc_length.size, 6, n))
    jacobians(model.rod, np.array(q, dtype=float), np.zeros(n), model.work, J, Jd)
    length = model.rod.weight[on]
    J, inertia = J[on], model.rod.inertia[on] / length[:, None, None]
    gravity = np.zeros((on.size, 6))
    gravity[:, 3:] = np.einsum('pji,j->pi', model.work.R[on], model.rod.gravity)
    pull, threads, routing = np.zeros((on.size, n, len(rod.input_names))), model.tendons, model.routing
    for k, column in enumerate(threads.input):
        tangent = routing.tangent[k, on]
        wrench = np.concatenate([np.cross(threads.offset[k, on], tangent), tangent], axis=1)
        size = threads.gain[k] * threads.weight[k, on] / length * routing.decay[k, on]
        pull[:, :, column] -= np.einsum('p,pi,pin->pn', size, wrench, model.rod.phi[on])
    return Integrands(
        mass=np.einsum('pia,pij,pjb->pab', J, inertia, J, optimize=True),
        weight=np.einsum('pia,pij,pj->pa', J, inertia, gravity, optimize=True),
        pull=pull,
    )
