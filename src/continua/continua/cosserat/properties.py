"""From a robot file to the numbers of the collocation rod: the one place where conventions meet.

The house is angular first with x along the rod and offsets (y, z) in the section; this folder's model is the
paper's, linear first with z along the rod. The axes (x, y, z) of the model are (y, z, x) of the house: a
rotation, so no sign changes.
"""

from dataclasses import dataclass

import numpy as np

from continua.description import RigidLink, Robot, SoftLink
from continua.lie.so3 import matrix_from_quaternion
from continua.rod.section import elasticity, inertia_density, viscosity

__all__ = ['MODEL_AXES', 'PARAMETERS', 'Properties', 'properties_of', 'wrench_at']

PARAMETERS = ('length', 'tip_mass', 'bending_compliance', 'dilatation_compliance', 'bending_damping')
"""theta of the model, table III of the paper: m, kg, rad/(N m m), 1/N, s."""

_MODEL_TWIST = [4, 5, 3, 1, 2, 0]  # of a house twist or wrench, in the model's order
MODEL_AXES = np.eye(3)[[1, 2, 0]]
"""Takes house coordinates (3,) to those of the model."""

Pose = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Properties:
    """A rod between rigid bodies: the model's numbers, in the model's axes.

    theta (5,): values of `PARAMETERS`. compliance, damping, inertia (6,): diagonals of C, D_tau and M (eqs 2
    to 4). tip_inertia (6, 6): of all that is fixed to the last section, per kg of it. pressure_wrench (6, m):
    eq 7, per Pa. gravity (3,): m/s2 in the axes of the first section. base: pose of the first section in the
    world's axes; sensor: of the robot's base in the first section; tip: of its tip in the last one. Of
    these three the far side is in house axes, so that results need no further conversion.
    """

    theta: np.ndarray
    compliance: np.ndarray
    damping: np.ndarray
    inertia: np.ndarray
    tip_inertia: np.ndarray
    pressure_wrench: np.ndarray
    gravity: np.ndarray
    base: Pose
    sensor: Pose
    tip: Pose

    def vector(self, theta: np.ndarray) -> np.ndarray:
        """Parameters (..., 58) of `collocation.c` for theta (..., 5)."""
        length, mass, bending, dilatation, damping = np.moveaxis(theta, -1, 0)
        fixed = [[0.0], self.compliance, self.damping, self.inertia, self.tip_inertia.ravel(), self.gravity]
        out = np.empty((*length.shape, 58))
        out[:] = np.concatenate(fixed)
        out[..., 0], out[..., 3] = length, dilatation
        out[..., 4:6] *= (bending / self.theta[2])[..., None]
        out[..., 10:12] *= (damping / self.theta[4])[..., None]
        out[..., 19:55] *= mass[..., None]
        return out


def properties_of(robot: Robot) -> Properties:
    """Raises ValueError for a robot that is not one soft link between rigid ones, with chambers along it."""
    index = _soft_index(robot)
    before, soft, after = robot.links[:index], robot.links[index], robot.links[index + 1 :]
    base_R, base_p = matrix_from_quaternion(robot.base.orientation_xyzw), np.array(robot.base.position)
    R, p = _along(before, np.eye(3), np.zeros(3), soft)
    start_R, start_p = base_R @ R, base_p + base_R @ p
    tip_inertia, tip = _tip_body(robot, soft, after)
    C, D, M = _diagonals(soft)
    mass, P = tip_inertia[3, 3], MODEL_AXES
    # What theta adds to a robot without a body at its tip is a point.
    per_kg = tip_inertia / mass if mass > 0.0 else np.diag([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    return Properties(
        theta=np.array([soft.length, mass, C[3], C[2], D[3]]),
        compliance=C,
        damping=D,
        inertia=M,
        tip_inertia=per_kg[np.ix_(_MODEL_TWIST, _MODEL_TWIST)],
        pressure_wrench=_pressure_wrench(robot, soft),
        gravity=P @ start_R.T @ np.array(robot.gravity),
        base=(start_R @ P.T, start_p),
        sensor=(P @ R.T, -P @ R.T @ p),
        tip=(P @ tip[0], P @ tip[1]),
    )


def wrench_at(pose: Pose, wrench: np.ndarray) -> np.ndarray:
    """House wrench (..., 6), angular first, about the origin and in the axes of a house frame of this pose
    in the model's frame, of a wrench (..., 6), linear first, about the origin of the latter."""
    R, p = pose
    force, moment = wrench[..., :3], wrench[..., 3:]
    return np.concatenate([(moment + np.cross(force, p)) @ R, force @ R], axis=-1)


def _soft_index(robot: Robot) -> int:
    soft = [i for i, link in enumerate(robot.links) if isinstance(link, SoftLink)]
    parents = [None, *(link.name for link in robot.links[:-1])]
    is_chain = all(
        link.parent == parent and link.joint.type == 'fixed' and link.attach.arc_length is None
        for link, parent in zip(robot.links, parents, strict=True)
    )
    if len(soft) != 1 or not is_chain:
        raise _refused(robot, 'a chain of links on fixed joints, one of them soft', 'another structure')
    for key in ('tendons', 'drives', 'loads', 'contacts', 'loops'):
        if getattr(robot, key):
            raise _refused(robot, f'no {key}', f'{len(getattr(robot, key))}')
    return soft[0]


def _refused(robot: Robot, expected: str, got: str) -> ValueError:
    return ValueError(
        f'robot {robot.name}: the collocation rod takes {expected}, got {got}; '
        'the rod engine (`Rod`) takes any robot'
    )


def _along(links: tuple[RigidLink, ...], R: np.ndarray, p: np.ndarray, then: SoftLink | None = None) -> Pose:
    """Pose after links in a row, and of the joint of `then` there."""
    for link in (*links, then) if then else links:
        p = p + R @ np.array(link.attach.position)
        R = R @ matrix_from_quaternion(link.attach.orientation_xyzw)
        if link is not then:
            p = p + R @ np.array([link.length, 0.0, 0.0])
    return R, p


def _tip_body(robot: Robot, soft: SoftLink, after: tuple[RigidLink, ...]) -> tuple[np.ndarray, Pose]:
    """Spatial inertia (6, 6), house, of what is fixed to the last section, and the pose of its end there."""
    total, R, p = np.zeros((6, 6)), np.eye(3), np.zeros(3)
    frames = {soft.name: (R, p - np.array([soft.length, 0.0, 0.0]))}
    for i, link in enumerate(after):
        R, p = _along(after[:i], np.eye(3), np.zeros(3), link)
        frames[link.name] = R, p
        total += _moved(link.spatial_inertia, R, p)
    for mass in robot.masses:
        if mass.link == soft.name and mass.arc_length < soft.length:
            raise _refused(robot, 'masses at the tip of the soft link only', f'{mass.name!r} before it')
        if mass.link in frames:
            R, p = frames[mass.link]
            at = p + R @ (np.array(mass.offset) + np.array([mass.arc_length, 0.0, 0.0]))
            total += _moved(np.diag([0.0] * 3 + [mass.mass] * 3), np.eye(3), at)
    return total, _along(after, np.eye(3), np.zeros(3))


def _moved(inertia: np.ndarray, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Spatial inertia, angular first, in the frame in which its own has the pose R, p."""
    hat = np.cross(np.eye(3), p)
    back = np.block([[R.T, np.zeros((3, 3))], [-R.T @ hat, R.T]])
    return back.T @ inertia @ back


def _diagonals(soft: SoftLink) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """C, D_tau, M (6,) in the model's order."""
    ends = np.array([0.0, soft.length])
    found = [np.diagonal(of(soft, ends), axis1=1, axis2=2) for of in (elasticity, viscosity, inertia_density)]
    is_uniform = all(np.allclose(each[0], each[1], rtol=1e-9) for each in found)
    straight = np.array_equal(soft.reference_strain_at(ends), [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]] * 2)
    if not (is_uniform and straight):
        raise ValueError(
            f'link {soft.name}: the collocation rod is uniform and straight, got a taper or a reference '
            'strain; give both ends one section, or use the rod engine (`Rod`)'
        )
    stiffness, viscous, inertia = (each[0][_MODEL_TWIST] for each in found)
    if not np.all(viscous > 0.0):
        raise ValueError(f'link {soft.name}: the explicit form (eq 22) needs damping, got material.damping 0')
    return 1.0 / stiffness, viscous / stiffness, inertia


def _pressure_wrench(robot: Robot, soft: SoftLink) -> np.ndarray:
    columns = []
    for chamber in robot.chambers:
        ends = np.array([0.0, soft.length])
        offset = chamber.path.offset(ends)
        along = np.allclose(chamber.range, ends) and np.allclose(offset[0], offset[1])
        if not along or np.any(chamber.path.slope(ends)):
            raise _refused(robot, 'chambers parallel to the whole soft link', f'{chamber.name!r}')
        y, z = offset[0]
        columns.append(chamber.area * np.array([0.0, 0.0, 1.0, z, -y, 0.0]))
    if not columns:
        raise _refused(robot, 'chambers', 'none')
    return np.array(columns).T
