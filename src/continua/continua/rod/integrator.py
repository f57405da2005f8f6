"""Time integration of a rod."""

import math
from typing import Any

import numpy as np

from continua.rod.arrays import coordinates
from continua.rod.rod import Rod
from continua.rod.sdirk import make_stepper, run
from continua.rod.stepping import Stepping, check_tolerance

__all__ = ['Integrator']

# Share of a step's error that its stages may have.
_STAGES = 0.1


class Integrator(Stepping):
    """Steps a robot through time under conditions that are constant during each step, with an implicit
    method.

    q, qd: (n,) state, read with the attributes and set with `reset`. Loops and position drives are held.
    """

    def __init__(self, rod: Rod, tolerance: float = 1e-5, error_tolerance: float | None = None):
        """tolerance: error of each implicit stage, in units of deformation (about 1 rad at the tip).

        error_tolerance: largest estimated error of an internal step, in the same units; `step` then takes as
        many of them as it asks for, and the stages are solved to a tenth of it at least. None: one internal
        step for each `step`. Errors of the rates count by what they do within a radian of the rod's slowest
        vibration. Raises ValueError for a tolerance that is not positive.
        """
        check_tolerance('tolerance', tolerance)
        if error_tolerance is not None:
            check_tolerance('error_tolerance', error_tolerance)
            tolerance = min(tolerance, _STAGES * error_tolerance)
        self.rod = rod
        self._stepper = make_stepper(
            rod.scale,
            rod.n_constraints,
            rod.period / (2.0 * np.pi),
            tolerance,
            math.inf if error_tolerance is None else float(error_tolerance),
        )
        self._state = self._stepper.value
        self._reached = np.zeros((2, 1, rod.dof))

    def reset(self, q: np.ndarray, qd: np.ndarray | None = None) -> None:
        """Start over from q and qd (at rest by default)."""
        s, dof = self._state, self.rod.dof
        s.q[:] = coordinates(q, dof)
        s.qd[:] = 0.0 if qd is None else coordinates(qd, dof, 'qd')
        s.acceleration[:] = 0.0
        s.jerk[:] = 0.0
        s.reaction[:] = 0.0
        s.part[:] = 0.0
        s.error[:] = 1.0
        s.count[:] = 0

    def step(self, dt: float, u: np.ndarray, **acting: Any) -> bool:
        """Advance by dt (s) under `Rod.conditions`; nothing to do where dt is not positive. False where no
        step, however small, could be solved; the state stays finite."""
        now = self.rod.conditions(u, **acting)
        return dt <= 0.0 or run(self.rod._held, self._stepper, dt, 1, now.u[None], now, *self._reached) == 1

    def run(
        self, dt: float, inputs: np.ndarray, count: int = 1, **acting: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Take `count` steps of dt (s) under each row of inputs (k, m): the states q, qd (j, n) after these,
        up to the first that could not be solved. Faster than a loop of `step` where a model is small. Raises
        ValueError for a wrong shape.
        """
        inputs, now = np.array(inputs, dtype=float, order='C'), self.rod.conditions(**acting)
        if inputs.ndim != 2 or inputs.shape[1] != now.u.size:
            raise ValueError(
                f'inputs: expected a row of {now.u.size} values for each step, got shape {inputs.shape}'
            )
        q, qd = np.zeros((2, len(inputs), self.rod.dof))
        done = run(self.rod._held, self._stepper, dt, count, inputs, now, q, qd)
        return q[:done], qd[:done]
