"""Linear model of a robot about a state: xd = A x + B u, y = C x in deviations from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from continua.rod.local_model import directions, local_model
from continua.rod.rod import Rod

__all__ = ['LinearModel', 'Output', 'linearise', 'tip_position']

Output = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class LinearModel:
    """xd = A x + B du, dy = C x with x = [z, zd] (2r,), dq = directions z and dqd = directions zd.

    A: (2r, 2r). B: (2r, m) for the inputs of `Rod.input_names`. C: (p, 2r). directions: (n, r); the identity,
    with r = n, for a robot without constraints, else the motions that loops and position drives allow.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    directions: np.ndarray


def linearise(
    rod: Rod,
    q: np.ndarray,
    qd: np.ndarray | None = None,
    u: np.ndarray | None = None,
    output: Output | None = None,
    **acting: Any,
) -> LinearModel:
    """The model about q, qd (n,) (at rest by default) under inputs u (m,) and the other `Rod.conditions`.

    output: q -> y (p,), dy/dq (p, n); `tip_position` by default. The derivatives are exact. Raises ValueError
    for a robot with loops that moves: the motions that a loop allows turn with it; linearise it at rest.
    """
    moving = qd is not None and np.any(qd)
    if moving and rod.robot.loops:
        raise ValueError(
            f'robot {rod.robot.name}: a robot with loops has a linear model at rest only, got rates qd '
            'that are not zero; pass qd=None'
        )
    q = np.array(q, dtype=float)
    qd = np.zeros(rod.dof) if qd is None else np.array(qd, dtype=float)
    N, n = directions(rod, q), rod.dof
    reduced = N.T @ rod.mass_matrix(q) @ N
    qdd = -N @ np.linalg.solve(reduced, N.T @ rod.residual(q, qd, u=u, **acting))
    local = local_model(rod, q, qd, qdd, rod.conditions(u, **acting))
    right = [
        N.T @ each for each in (local.stiffness[:n] @ N, local.damping[:n] @ N, -rod.actuation_matrix(q))
    ]
    accelerations = -np.linalg.solve(reduced, np.hstack(right))
    r = N.shape[1]
    _, gradient = (output or tip_position(rod))(q)
    return LinearModel(
        A=np.block([[np.zeros((r, r)), np.eye(r)], [accelerations[:, : 2 * r]]]),
        B=np.vstack([np.zeros((r, accelerations.shape[1] - 2 * r)), accelerations[:, 2 * r :]]),
        C=np.hstack([gradient @ N, np.zeros((len(gradient), r))]),
        directions=N,
    )


def tip_position(rod: Rod) -> Output:
    """Output q -> position (3,) m of the tip in the world, its derivative (3, n)."""
    tip = rod.sampler(np.array([rod.length]))

    def output(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        R, p, J = tip.jacobian(q)
        return p[0], R[0] @ J[0, 3:]

    return output
