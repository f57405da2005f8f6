"""Modal derivatives: how modes change as the robot bends (Idelsohn and Cardona 1985), as further modes.

At an equilibrium with tangent stiffness K_t, moving along mode j calls for

    theta_ij = -K_t^-1 (dK_t / dz_j) W_i

beside W_i, inertia neglected. In strain coordinates the elastic force is linear, so what bends the modes is
the rest: gravity, loads, tendons. Where none of them acts the derivatives are zero, and there is nothing to
add.
"""

from typing import Any

import numpy as np

from continua.reduction.decomposition import Decomposition, decomposition_in
from continua.rod import Rod

__all__ = ['modal_derivatives', 'with_derivatives']

# Share of a unit of deformation by which the stiffness is differenced: error of order its square.
_STEP = 1e-4
# Directions that are smaller, of the largest, say nothing.
_NOTHING = 1e-8


def modal_derivatives(rod: Rod, modes: np.ndarray, q: np.ndarray, **acting: Any) -> np.ndarray:
    """theta (n, r, r) of modes (n, r) at q (n,), symmetric in the last two, under `Rod.conditions`.

    Raises ValueError where the tangent stiffness is singular, as that of joints without springs is.
    """
    K = rod.residual_derivatives(q, **acting)[0] * np.outer(rod.scale, rod.scale)
    if np.linalg.cond(K) > 1e12:
        raise ValueError(
            f'robot {rod.robot.name}: the tangent stiffness is singular there, as with joints without '
            'springs; modal derivatives need a stable equilibrium'
        )
    out = np.zeros((rod.dof, modes.shape[1], modes.shape[1]))
    for j, mode in enumerate(modes.T):
        step = _STEP / np.abs(mode / rod.scale).max()
        ahead, behind = (rod.residual_derivatives(q + s * mode, **acting)[0] for s in (step, -step))
        change = (ahead - behind) / (2.0 * step) @ modes
        out[:, :, j] = -rod.scale[:, None] * np.linalg.solve(K, rod.scale[:, None] * change)
    return 0.5 * (out + out.transpose(0, 2, 1))


def with_derivatives(
    rod: Rod, decomposition: Decomposition, count: int, extra: int, q: np.ndarray, **acting: Any
) -> Decomposition:
    """The first `count` modes, and at most `extra` of their derivatives at q (n,), orthonormal to them.

    decomposition: with all n modes of the full model `rod`. Derivatives weigh by how far the snapshots go
    along both their modes. Raises ValueError for a decomposition that is cut off, and as `modal_derivatives`.
    """
    factor = decomposition.projection
    if factor.shape[0] != factor.shape[1]:
        raise ValueError(f'decomposition: expected all {rod.dof} modes, got {len(factor)}')
    size = decomposition.singular_values[:count] / np.sqrt(decomposition.coefficients.shape[1])
    theta = modal_derivatives(rod, decomposition.modes[:, :count], q, **acting) * np.outer(size, size)
    rows, columns = np.triu_indices(count)
    # in coordinates of the modes, which are orthonormal, without those that are there already
    beside = (factor @ theta[:, rows, columns])[count:]
    U, sigma, _ = np.linalg.svd(beside, full_matrices=False)
    extra = min(extra, int(np.sum(sigma > _NOTHING * size[0])))
    basis = np.zeros((rod.dof, count + extra))
    basis[:count, :count] = np.eye(count)
    basis[count:, count:] = U[:, :extra]
    everything = decomposition.coefficients
    snapshots = (decomposition.modes @ everything).T
    held = np.linalg.norm(basis.T @ everything, axis=1)
    return decomposition_in(factor, basis, snapshots, held, float(np.sum(everything**2)))
