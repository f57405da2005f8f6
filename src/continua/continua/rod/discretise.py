"""From a robot description to the arrays that the kernels see: the assembly's, and what acts on it."""

import numpy as np
from scipy.linalg import null_space

from continua.description import SoftLink
from continua.lie.so3 import matrix_from_quaternion
from continua.rod.actuators import cables, directions_of, force_drives, position_drives, threads
from continua.rod.arrays import RodArrays
from continua.rod.assembly import Assembly
from continua.rod.columns import cable_columns, find_columns, pair_columns
from continua.rod.constraints import ConstraintArrays
from continua.rod.contacts import ContactArrays
from continua.rod.residual import Parts
from continua.rod.section import elasticity, viscosity
from continua.rod.spring_laws import Springs, spring_laws
from continua.rod.stretches import Stretch

__all__ = ['discretise', 'discretise_rod', 'file_loads']

_LOOP_RATE = 100.0  # 1/s, at which what is left open of a loop closes
_DRIVE_RATE = 100.0  # 1/s, of a position drive without a time constant


def discretise(assembly: Assembly, springs: Springs) -> Parts:
    """Arrays of a robot and of everything that acts in it; places on the assembly what is not there yet.

    springs: laws in place of a joint's stiffness, by name of the link; see `Rod`.
    """
    robot = assembly.robot
    routes, constraints = cables(assembly), _constraints(assembly)
    point_masses = [(assembly.place(each.link, each.arc_length), each) for each in robot.masses]
    for load in robot.loads:
        if load.type == 'point':
            assembly.place(load.link, load.arc_length)
    rod = discretise_rod(assembly)
    for station, each in point_masses:
        rod.inertia[station] += _point_inertia(each.mass, np.array(each.offset))
    return Parts(
        rod,
        spring_laws(assembly, springs),
        threads(assembly),
        routes._replace(columns=cable_columns(routes.station, routes.is_first, rod.reach)),
        force_drives(assembly),
        _contacts(assembly, rod.weight),
        constraints._replace(columns=pair_columns(constraints.station, rod.reach)),
    )


def discretise_rod(assembly: Assembly) -> RodArrays:
    """The tree itself: stations, segments, elasticity of links and joints."""
    robot = assembly.robot
    stiffness, damping = (
        assembly.in_modes(assembly.in_modes(each).T) for each in _stiffness_and_damping(assembly)
    )
    arrays = assembly.arrays()
    return RodArrays(
        **arrays,
        **find_columns(*(arrays[name] for name in ('parent', 'phi', 'phi_1', 'phi_2'))),
        stiffness=np.ascontiguousarray(stiffness),
        damping=np.ascontiguousarray(damping),
        base_R=matrix_from_quaternion(np.array(robot.base.orientation_xyzw)),
        base_p=np.array(robot.base.position, dtype=float),
        gravity=np.array(robot.gravity, dtype=float),
    )


def file_loads(assembly: Assembly, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The loads of the robot file: dead (N, 6) in world, following (N, 6) in body axes; weight (N,) m."""
    out = {'world': np.zeros((weight.size, 6)), 'body': np.zeros((weight.size, 6))}
    for load in assembly.robot.loads:
        wrench = np.array([*load.moment, *load.force])
        if load.type == 'point':
            out[load.frame][assembly.place(load.link, load.arc_length)] += wrench
            continue
        stations, X = assembly.stations_on(load.link)
        within = stations[(load.range[0] <= X) & (load.range[1] >= X)]
        out[load.frame][within] += weight[within, None] * wrench
    return out['world'], out['body']


def _stiffness_and_damping(assembly: Assembly) -> tuple[np.ndarray, np.ndarray]:
    """K and D (n, n) by q, soft_synergies eqs 36c and 36d, and the linear springs and dampers of joints.

    Exact for polynomials: the integrands are of twice the basis' degree and four more for the taper.
    """
    K, D = np.zeros((2, assembly.size, assembly.size))
    for link in assembly.robot.links:
        joint = assembly.joints[link.name]
        if joint.stop > joint.start:
            stiffness = link.joint.stiffness if isinstance(link.joint.stiffness, float) else 0.0
            K[joint, joint] = stiffness * np.eye(link.joint.dof)
            D[joint, joint] = link.joint.damping * np.eye(link.joint.dof)
        if isinstance(link, SoftLink):
            for stretch in assembly.stretches[link.name]:
                _add_stretch(link, stretch, K, D)
    return K, D


def _add_stretch(link: SoftLink, stretch: Stretch, K: np.ndarray, D: np.ndarray) -> None:
    length = stretch.end - stretch.begin
    kinks = [stretch.begin, *(stretch.begin + length * x for x in stretch.basis.kinks), stretch.end]
    node, gauss = np.polynomial.legendre.leggauss(stretch.basis.degree + 3)
    for begin, end in zip(kinks[:-1], kinks[1:], strict=True):
        half = 0.5 * (end - begin)
        X = begin + half * (1.0 + node)
        phi = stretch.basis.columns((X - stretch.begin) / length)
        for out, section in ((K, elasticity(link, X)), (D, viscosity(link, X))):
            out[stretch.columns, stretch.columns] += np.einsum(
                'j,jra,jrs,jsb->ab', half * gauss, phi, section, phi, optimize=True
            )


def _contacts(assembly: Assembly, weight: np.ndarray) -> ContactArrays:
    """Obstacles, and the quadrature points of soft links where there are any."""
    robot = assembly.robot
    station, reach, share = [], [], []
    for link in robot.links if robot.contacts else ():
        if isinstance(link, SoftLink):
            on, X = assembly.stations_on(link.name)
            heavy = weight[on] > 0.0
            station += list(on[heavy])
            reach += list(link.radius(X[heavy]))
            share += list(weight[on[heavy]] / link.length)
    planes = [contact.type == 'plane' for contact in robot.contacts]
    return ContactArrays(
        point=np.array(
            [c.point if plane else c.center for c, plane in zip(robot.contacts, planes, strict=True)],
            dtype=float,
        ).reshape(-1, 3),
        normal=np.array(
            [c.normal if plane else (0.0,) * 3 for c, plane in zip(robot.contacts, planes, strict=True)],
            dtype=float,
        ).reshape(-1, 3),
        radius=np.array(
            [0.0 if plane else c.radius for c, plane in zip(robot.contacts, planes, strict=True)], dtype=float
        ),
        stiffness=np.array([contact.stiffness for contact in robot.contacts], dtype=float),
        damping=np.array([contact.damping for contact in robot.contacts], dtype=float),
        station=np.array(station, dtype=np.int64),
        reach=np.array(reach, dtype=float),
        share=np.array(share, dtype=float),
    )


def _constraints(assembly: Assembly) -> ConstraintArrays:
    robot, drives = assembly.robot, position_drives(assembly.robot)
    stations, begin, perp = [], [0], []
    for loop in robot.loops:
        stations.append((assembly.frame(loop.to, loop.to_attach), assembly.frame(loop.link, loop.attach)))
        perp.append(_forbidden(loop.joint.twists))
        begin.append(begin[-1] + len(perp[-1]))
    rates = [_LOOP_RATE] * begin[-1]
    rates += [1.0 / drive.time_constant if drive.time_constant else _DRIVE_RATE for drive in drives]
    return ConstraintArrays(
        station=np.array(stations, dtype=np.int64).reshape(-1, 2),
        begin=np.array(begin, dtype=np.int64),
        perp=np.concatenate([np.zeros((0, 6)), *perp]),
        columns=np.zeros((len(stations), 2), dtype=np.uint64),
        direction=directions_of(assembly, drives),
        rate=np.array(rates, dtype=float),
    )


def _forbidden(twists: list[np.ndarray]) -> np.ndarray:
    """Twists (k, 6) that a loop joint forbids: each a pure rotation or translation, orthonormal."""
    free = np.concatenate([np.zeros((6, 1)), *twists], axis=1)
    turn, slide = null_space(free[:3].T).T, null_space(free[3:].T).T
    return np.concatenate([np.pad(turn, ((0, 0), (0, 3))), np.pad(slide, ((0, 0), (3, 0)))])


def _point_inertia(mass: float, offset: np.ndarray) -> np.ndarray:
    """Spatial inertia (6, 6) of a point mass (kg) at an offset (3,) m."""
    x, y, z = offset
    moment = mass * np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.block([[-moment @ moment / mass, moment], [moment.T, mass * np.eye(3)]])
