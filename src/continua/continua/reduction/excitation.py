"""One run of a robot: what drives it, and the motion that follows."""

from dataclasses import dataclass

import numpy as np

from continua.description import Robot
from continua.rod import Integrator, Rod
from continua.rod.stations import station, with_place

__all__ = ['Excitation']


@dataclass(frozen=True)
class Excitation:
    """Inputs (T, m) at `rate` Hz, each held to the next; from rest in the reference shape, position drives
    at zero.

    substeps: steps of the integrator between samples. wrench: (T, 6) N m and N in world axes, held likewise,
    on the section at `place`, a link and an arc length on it in m; None for both: no wrench.
    """

    inputs: np.ndarray
    rate: float
    gravity: bool = True
    substeps: int = 1
    wrench: np.ndarray | None = None
    place: tuple[str, float] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError where the parts do not fit together."""
        inputs = np.asarray(self.inputs, dtype=float)
        if inputs.ndim != 2 or len(inputs) < 2 or not np.all(np.isfinite(inputs)):
            raise ValueError(f'inputs: expected finite numbers (T, m) with T > 1, got shape {inputs.shape}')
        if not (np.isfinite(self.rate) and self.rate > 0.0 and self.substeps >= 1):
            raise ValueError(
                f'rate, substeps: expected a positive rate in Hz and at least one step, got {self.rate} and '
                f'{self.substeps}'
            )
        if (self.wrench is None) != (self.place is None):
            raise ValueError('wrench, place: expected both or none; a wrench needs the section it acts on')
        if self.wrench is not None and np.shape(self.wrench) != (len(inputs), 6):
            raise ValueError(
                f'wrench: expected ({len(inputs)}, 6), a row for each of the inputs, got '
                f'{np.shape(self.wrench)}'
            )

    @property
    def time(self) -> np.ndarray:
        """(T,) s."""
        return np.arange(len(self.inputs)) / self.rate

    def robot(self, robot: Robot) -> Robot:
        """The robot with a station where the wrench acts; coordinates are the same."""
        return robot if self.place is None else with_place(robot, *self.place)

    def motion(self, rod: Rod) -> np.ndarray:
        """Coordinates (t, n) of a model of `robot(...)` at the first t <= T times: fewer, where the motion
        could not be integrated further."""
        motion, dt = Integrator(rod), 1.0 / self.rate / self.substeps
        start, inputs = np.zeros((1, rod.dof)), np.asarray(self.inputs, dtype=float)[:-1]
        motion.reset(start[0])
        if self.wrench is None:
            return np.concatenate([start, motion.run(dt, inputs, self.substeps, gravity=self.gravity)[0]])
        load, pushed, q = np.zeros((rod.arc_length.size, 6)), station(rod, *self.place), [start]
        for u, wrench in zip(inputs, self.wrench, strict=False):
            load[pushed] = wrench
            reached, _ = motion.run(dt, u[None], self.substeps, gravity=self.gravity, load=load)
            if not len(reached):
                break
            q.append(reached)
        return np.concatenate(q)

    def solve(self, rod: Rod) -> np.ndarray:
        """Coordinates (T, n) as `motion`, NaN at the times that it does not reach."""
        q = self.motion(rod)
        return np.pad(q, ((0, len(self.inputs) - len(q)), (0, 0)), constant_values=np.nan)
