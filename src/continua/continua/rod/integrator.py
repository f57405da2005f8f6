"""Time integration of a rod."""

from typing import Any

import numpy as np

from continua.rod.arrays import coordinates
from continua.rod.rod import Rod
from continua.rod.sdirk import make_stepper, step

__all__ = ['Integrator']


class Integrator:
    """Steps a robot through time under conditions that are constant during each step.

    q, qd: (n,) state, read with the attributes and set with `reset`.
    """

    def __init__(self, rod: Rod, tolerance: float = 1e-5):
        """tolerance: error of each implicit stage, in units of deformation (about 1 rad at the tip).

        Errors of the rates count by what they do within a radian of the rod's slowest vibration.
        """
        self.rod = rod
        self._stepper = make_stepper(rod.scale, rod.n_constraints, rod.period / (2.0 * np.pi), tolerance)

    @property
    def q(self) -> np.ndarray:
        return self._stepper.q.copy()

    @property
    def qd(self) -> np.ndarray:
        return self._stepper.qd.copy()

    def reset(self, q: np.ndarray, qd: np.ndarray | None = None) -> None:
        """Start over from q and qd (at rest by default)."""
        s, dof = self._stepper, self.rod.dof
        s.q[:] = coordinates(q, dof)
        s.qd[:] = 0.0 if qd is None else coordinates(qd, dof, 'qd')
        s.acceleration[:] = 0.0
        s.jerk[:] = 0.0
        s.reaction[:] = 0.0

    def step(self, dt: float, u: np.ndarray, **acting: Any) -> bool:
        """Advance by dt (s) under `Rod.conditions`. False where no step, however small, could be solved; the
        state stays finite."""
        ok, _ = step(self.rod._model, self._stepper, dt, self.rod.conditions(u, **acting))
        return ok
