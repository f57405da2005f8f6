"""Snapshots of a robot's deformations (soft_synergies section III-D)."""

import numpy as np

from continua.rod import Rod

__all__ = ['static_snapshots']


def static_snapshots(rod: Rod, count: int, seed: int = 0, share_pulling: float = 0.5) -> np.ndarray:
    """Equilibria (s, n) with s <= count under random tensions.

    Each tendon pulls with probability `share_pulling`, uniformly within its limits; the rest are at their
    lower limit. Combinations without an equilibrium are left out. Raises ValueError where none has one.
    """
    random = np.random.default_rng(seed)
    low, high = (
        np.array([tendon.limits.tension for tendon in rod.robot.tendons], dtype=float).reshape(-1, 2).T
    )
    snapshots = []
    for _ in range(count):
        pulling = random.random(rod.n_tendons) < share_pulling
        result = rod.statics(np.where(pulling, random.uniform(low, high), low))
        if result.converged:
            snapshots.append(result.q)
    if not snapshots:
        raise ValueError(
            f'robot {rod.robot.name}: none of {count} random tensions has a static equilibrium; '
            'check tension limits, material and gravity in the robot file'
        )
    return np.array(snapshots)
