"""A soft arm in PyElastica, an independent code: Cosserat rods of finite differences, explicit in time.

Its frames have the tangent last: (d1, d2, d3) = (y, z, x) of ours. Tendons run through a point of each
element and are anchored at the tip, so they are polygons that approach ours as the elements shrink.
"""

import numba
import numpy as np
from elastica import (
    AnalyticalLinearDamper,
    BaseSystemCollection,
    Constraints,
    CosseratRod,
    Damping,
    Forcing,
    GravityForces,
    NoForces,
    OneEndFixedBC,
    PositionVerlet,
)

from continua.description import Robot

__all__ = ['ElasticaArm']


class _System(BaseSystemCollection, Constraints, Forcing, Damping):
    """A PyElastica simulation with what an arm needs."""


class ElasticaArm:
    """One tapered link, clamped at the base with local axes equal to the world's, in PyElastica."""

    def __init__(self, robot: Robot, elements: int, step: float, drag: float = 0.0):
        """step: s; drag: 1/s, rate at which all velocities decay."""
        link = robot.links[0]
        material, h = link.material, link.length / elements
        middle = h * (np.arange(elements) + 0.5)
        self.step = step
        self.system = _System()
        self.rod = CosseratRod.straight_rod(
            elements,
            np.array(robot.base.position, dtype=float),
            np.array([1.0, 0.0, 0.0]),
            np.array([0.0, 1.0, 0.0]),
            link.length,
            np.sqrt(link.area(middle) / np.pi),
            material.density,
            youngs_modulus=material.youngs_modulus,
            shear_modulus=0.5 * material.youngs_modulus / (1.0 + material.poisson_ratio),
        )
        # It reduces the shear stiffness by Timoshenko's coefficient; this robot's is the full section's.
        self.rod.shear_matrix[:2, :2] /= 27.0 / 28.0
        self.system.append(self.rod)
        self.system.constrain(self.rod).using(
            OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
        )
        self.system.add_forcing_to(self.rod).using(GravityForces, np.array(robot.gravity, dtype=float))
        self.tension = np.zeros(len(robot.tendons))  # N, set at any time
        self.tip_force = np.zeros(3)  # N, in world axes, set at any time
        guides = np.concatenate([[0.0], middle, [link.length]])
        offset = np.array([tendon.path.offset(guides) for tendon in robot.tendons])
        self.system.add_forcing_to(self.rod).using(_Loads, self, offset.reshape(-1, guides.size, 2))
        if drag:
            self.system.dampen(self.rod).using(
                AnalyticalLinearDamper, uniform_damping_constant=drag, time_step=np.float64(step)
            )
        self.system.finalize()
        self._stepper = PositionVerlet()
        self.time = np.float64(0.0)

    @property
    def tip(self) -> np.ndarray:
        """Position (3,) m of the last node."""
        return self.rod.position_collection[:, -1].copy()

    def advance(self, steps: int) -> None:
        """Integrate a number of steps."""
        for _ in range(steps):
            self.time = self._stepper.step(self.system, self.time, np.float64(self.step))


class _Loads(NoForces):
    """The tendons and the tip force of an arm."""

    def __init__(self, arm: ElasticaArm, offset: np.ndarray):
        """offset (K, elements + 2, 2) m of the tendons at the clamp, the elements' middles and the tip."""
        super().__init__()
        self._arm, self._offset = arm, offset

    def apply_forces(self, system: CosseratRod, time: float = 0.0) -> None:
        system.external_forces[:, -1] += self._arm.tip_force
        _pull(
            system.position_collection,
            system.director_collection,
            self._offset,
            self._arm.tension,
            system.external_forces,
            system.external_torques,
        )


@numba.jit(nopython=True, cache=False)
def _pull(
    node: np.ndarray,
    directors: np.ndarray,
    offset: np.ndarray,
    tension: np.ndarray,
    force: np.ndarray,
    torque: np.ndarray,
) -> None:
    """Add the forces (3, E + 1) on the nodes and torques (3, E), in the sections' axes, of all tendons.

    A guide feels the tension along the pieces of tendon on both of its sides.
    """
    elements = directors.shape[2]
    for k in range(tension.size):
        arm = _across(directors, 0, offset[k, 0])
        last = node[:, 0] + arm
        for g in range(1, elements + 2):
            e = min(g - 1, elements - 1)
            centre = 0.5 * (node[:, e] + node[:, e + 1]) if g <= elements else 1.0 * node[:, elements]
            next_arm = _across(directors, e, offset[k, g])
            along = centre + next_arm - last
            along *= tension[k] / np.sqrt(np.sum(along**2))
            if g > 1:
                _apply(along, arm, g - 2, False, directors, force, torque)
            _apply(-along, next_arm, e, g > elements, directors, force, torque)
            arm, last = next_arm, centre + next_arm


@numba.jit(nopython=True, cache=False)
def _across(directors: np.ndarray, e: int, offset: np.ndarray) -> np.ndarray:
    """Vector (3,) in world axes of an offset (2,) in a section."""
    return directors[0, :, e] * offset[0] + directors[1, :, e] * offset[1]


@numba.jit(nopython=True, cache=False)
def _apply(
    pull: np.ndarray,
    arm: np.ndarray,
    e: int,
    at_tip: bool,
    directors: np.ndarray,
    force: np.ndarray,
    torque: np.ndarray,
) -> None:
    """Add a force (3,) that acts at `arm` (3,) from the middle of element e, or from the last node."""
    if at_tip:
        force[:, e + 1] += pull
    else:
        force[:, e] += 0.5 * pull
        force[:, e + 1] += 0.5 * pull
    moment = np.cross(arm, pull)
    for i in range(3):
        torque[i, e] += np.sum(directors[i, :, e] * moment)
