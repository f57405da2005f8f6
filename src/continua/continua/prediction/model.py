"""What any model of a robot offers to filters and predictive controllers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from continua.arrays import Arrays

__all__ = ['PredictionModel', 'Sections']


@dataclass(frozen=True)
class Sections:
    """Sections of the rod: arc_length (s,) m, position (s, 3) m in the world, orientation_xyzw (s, 4), strain
    (s, 6) rad/m and -."""

    arc_length: np.ndarray
    position: np.ndarray
    orientation_xyzw: np.ndarray
    strain: np.ndarray


@dataclass(frozen=True)
class PredictionModel:
    """A robot's motion for a batch of states; arrays of the callables are those of `arrays`.

    id: what gives x its meaning. equilibrium(u (m,)) -> (n,): at rest, NaN where there is none. scale (n,):
    one unit of error of each state. parameters (p,): values of parameter_names that the robot file gives.
    transition(x (k, n), u (k, m), parameters (k, p), dt) -> (k, n), under constant inputs; NaN where there is
    no value. position(x, parameters) -> (k, 3) m, and orientation(x, parameters) -> (k, 4) xyzw, of the tip.
    shape(x (n,), parameters (p,)): all of the rod.
    """

    id: str
    equilibrium: Callable[[np.ndarray], np.ndarray]
    scale: np.ndarray
    parameter_names: tuple[str, ...]
    parameters: np.ndarray
    input_names: tuple[str, ...]
    transition: Callable[[Any, Any, Any, float], Any]
    position: Callable[[Any, Any], Any]
    orientation: Callable[[Any, Any], Any]
    shape: Callable[[np.ndarray, np.ndarray], Sections]
    arrays: Arrays = field(default_factory=Arrays)

    @cached_property
    def x0(self) -> np.ndarray:
        """At rest without inputs (n,)."""
        return self.equilibrium(np.zeros(len(self.input_names)))

    def motion(self, u: np.ndarray, dt: float) -> np.ndarray:
        """States (k, n) after each of the inputs u (k, m) has acted for dt (s), from rest: a reference given
        by inputs. Raises ValueError where the model has no value."""
        x, step, states = self.x0[None], self.arrays.wrap(self.transition), []
        for k, each in enumerate(u):
            x = step(x, each[None], self.parameters[None], dt)
            if not np.all(np.isfinite(x)):
                raise ValueError(
                    f'{self.id}: no motion at {k * dt:g} s, inputs {each}; ask for less or slower'
                )
            states.append(x[0])
        return np.array(states)
