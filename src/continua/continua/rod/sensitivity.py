"""Derivatives of a rollout with respect to where it starts and to its inputs.

The tangent of the implicit integrator itself (`sdirk`), not of the differential equation: the stages solve
r(q_i, qd_i, qdd_i, reaction_i, u) = 0 with q_i and qd_i linear in the stages so far, so by the implicit
function theorem their derivatives solve a linear system with the stage's own matrix, for all columns at once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from continua.rod.arrays import Conditions
from continua.rod.integrator import Integrator
from continua.rod.linear import Output
from continua.rod.local_model import local_model
from continua.rod.rod import Rod
from continua.rod.sdirk import GAMMA, TABLEAU

__all__ = ['Sensitivity', 'sensitivity']


@dataclass(frozen=True)
class Sensitivity:
    """A rollout of s steps and its derivatives; x = [q, qd] (2n,).

    states: (s + 1, 2n). initial: (s + 1, 2n, 2n), of each state in the first. inputs: (s + 1, 2n, s, m), of
    each state in the inputs of each step; zero for steps still to come.
    """

    states: np.ndarray
    initial: np.ndarray
    inputs: np.ndarray

    def of_output(self, output: Output) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Outputs y (s + 1, p) along the rollout and their derivatives (s + 1, p, 2n) and (s + 1, p, s, m).

        output: q -> y (p,), dy/dq (p, n), as `linear.tip_position`.
        """
        n = self.states.shape[1] // 2
        y, gradient = map(np.array, zip(*(output(x[:n]) for x in self.states), strict=True))
        return (
            y,
            np.einsum('spn,snj->spj', gradient, self.initial[:, :n]),
            np.einsum('spn,sntm->sptm', gradient, self.inputs[:, :n]),
        )


def sensitivity(
    rod: Rod,
    q0: np.ndarray,
    qd0: np.ndarray | None,
    u: np.ndarray,
    dt: float,
    tolerance: float = 1e-11,
    **acting: Any,
) -> Sensitivity:
    """Rollout from q0, qd0 (n,) (at rest for None) with inputs u (s, m), each for dt (s), and its
    derivatives.

    tolerance: of the stages, in units of deformation: where the rollout is not solved, neither is its
    tangent. Other conditions are those of `Rod.conditions`, constant. Derivatives with respect to the first
    state count loops as they are: displacements that open one are followed by its stabilisation. Raises
    ValueError for a wrong shape of u, and RuntimeError where a step could not be solved whole: take shorter
    ones.
    """
    u = np.array(u, dtype=float)
    n, m = rod.dof, len(rod.input_names)
    if u.ndim != 2 or u.shape[1] != m:
        raise ValueError(f'u: expected a row of {m} inputs for each step, got an array of shape {u.shape}')
    motion = Integrator(rod, tolerance=tolerance)
    motion.reset(q0, qd0)
    steps, parameters = len(u), 2 * n + u.size
    states = np.zeros((steps + 1, 2 * n))
    tangents = np.zeros((steps + 1, 2 * n, parameters))
    states[0], tangents[0, :, : 2 * n] = np.concatenate([motion.q, motion.qd]), np.eye(2 * n)
    for i, row in enumerate(u):
        if not motion.step(dt, row, **acting) or motion.statistics.steps != i + 1:
            raise RuntimeError(
                f'step {i + 1} of {dt} s could not be solved whole, so it has no derivative; '
                'take shorter steps'
            )
        conditions = rod.conditions(row, **acting)
        own = slice(2 * n + i * m, 2 * n + (i + 1) * m)
        tangents[i + 1] = _step_tangent(motion, states[i, :n], dt, conditions, tangents[i], own)
        states[i + 1] = np.concatenate([motion.q, motion.qd])
    inputs = tangents[:, :, 2 * n :].reshape(steps + 1, 2 * n, steps, m)
    return Sensitivity(states, tangents[:, :, : 2 * n], inputs)


def _step_tangent(
    motion: Integrator, q: np.ndarray, h: float, acting: Conditions, before: np.ndarray, own: slice
) -> np.ndarray:
    """Tangent (2n, columns) of the state after the step that `motion` has just taken from q (n,).

    before: the same ahead of the step. own: columns of this step's inputs.
    """
    rod, stages, a1 = motion.rod, motion._state, h * GAMMA
    n = rod.dof
    rates, accelerations = np.zeros((2, 3, n, before.shape[1]))
    for i in range(3):
        position = q + h * TABLEAU[i, : i + 1] @ stages.rate[: i + 1]
        local = local_model(rod, position, stages.rate[i].copy(), stages.acceleration[i + 1].copy(), acting)
        # what the stages so far, and half a stage for the position, make of the state
        known_rate = before[n:] + h * np.tensordot(TABLEAU[i, :i], accelerations[:i], 1)
        known = before[:n] + h * np.tensordot(TABLEAU[i, :i], rates[:i], 1) + a1 * known_rate
        right = -local.stiffness @ known - local.damping @ known_rate
        right[:n, own] += rod.actuation_matrix(position)
        matrix = a1 * a1 * local.stiffness + a1 * local.damping + local.mass
        solution = np.linalg.solve(np.hstack([matrix, local.reaction_matrix]), right)
        accelerations[i] = solution[:n]
        rates[i] = known_rate + a1 * accelerations[i]
    return np.vstack([known + a1 * a1 * accelerations[2], rates[2]])
