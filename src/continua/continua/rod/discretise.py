"""From a robot description to the arrays that the kernels see: the assembly's, and what acts on it."""

from collections.abc import Callable, Mapping

import numpy as np
from scipy.linalg import null_space

from continua.actuation.cables import CableArrays
from continua.actuation.threadlike import TendonArrays
from continua.description import Robot, SoftLink
from continua.lie.so3 import matrix_from_quaternion
from continua.rod.arrays import RodArrays
from continua.rod.assembly import Assembly, Stretch
from continua.rod.constraints import ConstraintArrays
from continua.rod.residual import DriveArrays, Parts
from continua.rod.section import elasticity, viscosity
from continua.rod.springs import SpringArrays

__all__ = ['Springs', 'discretise', 'file_loads', 'input_names', 'target_names']

Springs = Mapping[str, Callable[[np.ndarray], np.ndarray]]
_LOOP_RATE = 100.0  # 1/s, at which what is left open of a loop closes
_DRIVE_RATE = 100.0  # 1/s, of a position drive without a time constant
_TABLE = 401  # knots of a spring law that is a function


def discretise(assembly: Assembly, springs: Springs) -> Parts:
    """Arrays of a robot and of everything that acts in it; places on the assembly what is not there yet.

    springs: laws in place of a joint's stiffness, by name of the link; see `Rod`.
    """
    robot = assembly.robot
    cables, constraints = _cables(assembly), _constraints(assembly)
    point_masses = [(assembly.place(each.link, each.arc_length), each) for each in robot.masses]
    for load in robot.loads:
        if load.type == 'point':
            assembly.place(load.link, load.arc_length)
    rod = discretise_rod(assembly)
    for station, each in point_masses:
        rod.inertia[station] += _point_inertia(each.mass, np.array(each.offset))
    return Parts(
        rod, _springs(assembly, springs), _tendons(assembly), cables, _force_drives(assembly), constraints
    )


def discretise_rod(assembly: Assembly) -> RodArrays:
    """The tree itself: stations, segments, elasticity of links and joints."""
    robot = assembly.robot
    stiffness, damping = _stiffness_and_damping(assembly)
    return RodArrays(
        **assembly.arrays(),
        stiffness=stiffness,
        damping=damping,
        base_R=matrix_from_quaternion(np.array(robot.base.orientation_xyzw)),
        base_p=np.array(robot.base.position, dtype=float),
        gravity=np.array(robot.gravity, dtype=float),
    )


def input_names(robot: Robot) -> tuple[str, ...]:
    """Names of the inputs u: tendons, chambers, force drives, in file order."""
    drives = (drive for drive in robot.drives if drive.type == 'force')
    return tuple(each.name for each in (*robot.tendons, *robot.chambers, *drives))


def target_names(robot: Robot) -> tuple[str, ...]:
    """Names of the position drives, in file order."""
    return tuple(drive.name for drive in robot.drives if drive.type == 'position')


def file_loads(assembly: Assembly, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The loads of the robot file: dead (N, 6) in world, following (N, 6) in body axes; weight (N,) m."""
    out = {'world': np.zeros((weight.size, 6)), 'body': np.zeros((weight.size, 6))}
    for load in assembly.robot.loads:
        wrench = np.array([*load.moment, *load.force])
        if load.type == 'point':
            out[load.frame][assembly.place(load.link, load.arc_length)] += wrench
            continue
        stations, X = assembly.stations_on(load.link)
        within = stations[(X >= load.range[0]) & (X <= load.range[1])]
        out[load.frame][within] += weight[within, None] * wrench
    return out['world'], out['body']


def _stiffness_and_damping(assembly: Assembly) -> tuple[np.ndarray, np.ndarray]:
    """K and D (n, n), soft_synergies eqs 36c and 36d, and the linear springs and dampers of joints.

    Exact for polynomials: the integrands are of twice the basis' degree and four more for the taper.
    """
    K, D = np.zeros((2, assembly.dof, assembly.dof))
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


def _springs(assembly: Assembly, given: Springs) -> SpringArrays:
    """Laws of all joint coordinates that have a table, a function, a rest position or stops."""
    laws = []
    for link in assembly.robot.links:
        columns = range(*assembly.joints[link.name].indices(assembly.dof))
        rest = getattr(link.joint, 'rest', None) or (0.0,) * len(columns)
        for column, zero in zip(columns, rest, strict=True):
            knots, law = _law(link.joint, zero, given.get(link.name))
            if knots:
                # straight beyond the outermost knots, so one more on each side has the slope there
                x = np.unique([min(knots) - 1.0, *knots, max(knots) + 1.0])
                laws.append((column, x, law(x)))
    size = max((x.size for _, x, _ in laws), default=2)
    padded = [(x, np.append(x, x[-1] + np.arange(1.0, size - x.size + 1.0)), f) for _, x, f in laws]
    return SpringArrays(
        coordinate=np.array([column for column, _, _ in laws], dtype=np.int64),
        knots=np.array([x for _, x, _ in padded]).reshape(-1, size),
        force=np.array([_extend(x, f, longer) for x, longer, f in padded]).reshape(-1, size),
    )


def _extend(x: np.ndarray, f: np.ndarray, longer: np.ndarray) -> np.ndarray:
    """f at `longer`, straight beyond the last of x."""
    slope = (f[-1] - f[-2]) / (x[-1] - x[-2])
    return np.where(longer <= x[-1], np.interp(longer, x, f), f[-1] + slope * (longer - x[-1]))


def _law(joint, rest: float, given: Callable | None) -> tuple[list[float], Callable]:
    """Knots of what is not linear in a joint's coordinate, none where all is, and the force at (m,) knots."""
    knots: list[float] = []
    stiffness, limits = getattr(joint, 'stiffness', 0.0), getattr(joint, 'limits', None)
    if given is not None:
        low, high = limits.range if limits else (-np.pi, np.pi)
        knots += [float(x) for x in np.linspace(low, high, _TABLE)]
    elif not isinstance(stiffness, float):
        knots += [rest + x for x in stiffness.coordinate]
    elif rest and stiffness:
        knots += [rest]
    if limits:
        knots += list(limits.range)

    def force(x: np.ndarray) -> np.ndarray:
        if given is not None:
            out = np.asarray(given(x), dtype=float)
        elif not isinstance(stiffness, float):
            out = stiffness.force_at(x - rest)
        else:
            # the linear part is in K
            out = np.full(x.size, -stiffness * rest)
        if limits:
            low, high = limits.range
            out = out + limits.stiffness * (np.maximum(x - high, 0.0) - np.maximum(low - x, 0.0))
        return out

    return knots, force


def _tendons(assembly: Assembly) -> TendonArrays:
    """Tendons and chambers that run in a body, at the stations of its link."""
    robot, arrays = assembly.robot, assembly.arrays()
    N, names = arrays['weight'].size, input_names(robot)
    threads = [tendon for tendon in robot.tendons if tendon.waypoints(robot) is None]
    gains, friction = [1.0] * len(threads), [tendon.friction for tendon in threads]
    threads += robot.chambers
    gains += [-chamber.area for chamber in robot.chambers]
    friction += [0.0] * len(robot.chambers)
    K = len(threads)
    offset, slope, active = np.zeros((K, N, 3)), np.zeros((K, N, 3)), np.zeros((K, N), dtype=bool)
    for k, thread in enumerate(threads):
        stations, X = assembly.stations_on(thread.link)
        begin, end = thread.range
        inside = np.abs(X - 0.5 * (begin + end)) <= 0.5 * (end - begin) + 1e-9
        on = stations[inside]
        active[k, on] = True
        offset[k, on, 1:] = thread.path.offset(X[inside])
        slope[k, on, 1:] = thread.path.slope(X[inside])
    return TendonArrays(
        offset=offset,
        slope=slope,
        weight=np.where(active, arrays['weight'], 0.0),
        active=active,
        friction=np.array(friction, dtype=float),
        input=np.array([names.index(thread.name) for thread in threads], dtype=np.int64),
        gain=np.array(gains, dtype=float),
    )


def _cables(assembly: Assembly) -> CableArrays:
    """Tendons through points, span by span."""
    robot, spans = assembly.robot, []
    for index, tendon in enumerate(robot.tendons):
        points = tendon.waypoints(robot) or []
        ends = [(assembly.place(link, X), np.array([0.0, *offset])) for link, X, offset in points]
        for i, (a, b) in enumerate(zip(ends[:-1], ends[1:], strict=True)):
            spans.append((index, i == 0, (a[0], b[0]), (a[1], b[1]), tendon.friction))
    columns = list(zip(*spans, strict=True)) or [[]] * 5
    return CableArrays(
        input=np.array(columns[0], dtype=np.int64),
        is_first=np.array(columns[1], dtype=bool),
        station=np.array(columns[2], dtype=np.int64).reshape(-1, 2),
        offset=np.array(columns[3], dtype=float).reshape(-1, 2, 3),
        friction=np.array(columns[4], dtype=float),
    )


def _force_drives(assembly: Assembly) -> DriveArrays:
    names = input_names(assembly.robot)
    drives = [drive for drive in assembly.robot.drives if drive.type == 'force']
    return DriveArrays(
        input=np.array([names.index(drive.name) for drive in drives], dtype=np.int64),
        coordinate=np.array([_coordinate(assembly, drive) for drive in drives], dtype=np.int64),
    )


def _constraints(assembly: Assembly) -> ConstraintArrays:
    robot, drives = assembly.robot, [drive for drive in assembly.robot.drives if drive.type == 'position']
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
        coordinate=np.array([_coordinate(assembly, drive) for drive in drives], dtype=np.int64),
        rate=np.array(rates, dtype=float),
    )


def _forbidden(twists: list[np.ndarray]) -> np.ndarray:
    """Twists (k, 6) that a loop joint forbids: each a pure rotation or translation, orthonormal."""
    free = np.concatenate([np.zeros((6, 1)), *twists], axis=1)
    turn, slide = null_space(free[:3].T).T, null_space(free[3:].T).T
    return np.concatenate([np.pad(turn, ((0, 0), (0, 3))), np.pad(slide, ((0, 0), (3, 0)))])


def _coordinate(assembly: Assembly, drive) -> int:
    return assembly.joints[drive.joint].start + drive.coordinate


def _point_inertia(mass: float, offset: np.ndarray) -> np.ndarray:
    """Spatial inertia (6, 6) of a point mass (kg) at an offset (3,) m."""
    x, y, z = offset
    moment = mass * np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.block([[-moment @ moment / mass, moment], [moment.T, mass * np.eye(3)]])
