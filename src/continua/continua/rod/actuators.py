"""From the actuators of a robot description to the arrays that the kernels see."""

from collections.abc import Sequence

import numpy as np

from continua.actuation.cables import CableArrays
from continua.actuation.threadlike import TendonArrays
from continua.description import ForceDrive, PositionDrive, Robot
from continua.rod.assembly import Assembly
from continua.rod.residual import DriveArrays

__all__ = [
    'cables',
    'directions_of',
    'force_drives',
    'input_names',
    'position_drives',
    'target_names',
    'threads',
]


def input_names(robot: Robot) -> tuple[str, ...]:
    """Names of the inputs u: tendons, chambers, force drives, in file order."""
    drives = (drive for drive in robot.drives if drive.type == 'force')
    return tuple(each.name for each in (*robot.tendons, *robot.chambers, *drives))


def target_names(robot: Robot) -> tuple[str, ...]:
    """Names of the position drives, in file order."""
    return tuple(drive.name for drive in position_drives(robot))


def position_drives(robot: Robot) -> list[PositionDrive]:
    """The drives that lead a coordinate to a target."""
    return [drive for drive in robot.drives if drive.type == 'position']


def threads(assembly: Assembly) -> TendonArrays:
    """Tendons and chambers that run in a body, at the stations of its link."""
    robot, arrays = assembly.robot, assembly.arrays()
    N, names = arrays['weight'].size, input_names(robot)
    found = [tendon for tendon in robot.tendons if tendon.waypoints(robot) is None]
    gains, friction = [1.0] * len(found), [tendon.friction for tendon in found]
    found += robot.chambers
    gains += [-chamber.area for chamber in robot.chambers]
    friction += [0.0] * len(robot.chambers)
    K = len(found)
    offset, slope, active = np.zeros((K, N, 3)), np.zeros((K, N, 3)), np.zeros((K, N), dtype=bool)
    for k, thread in enumerate(found):
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
        input=np.array([names.index(thread.name) for thread in found], dtype=np.int64),
        gain=np.array(gains, dtype=float),
    )


def cables(assembly: Assembly) -> CableArrays:
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
        columns=np.zeros((len(spans), 2), dtype=np.uint64),
    )


def force_drives(assembly: Assembly) -> DriveArrays:
    names = input_names(assembly.robot)
    drives = [drive for drive in assembly.robot.drives if drive.type == 'force']
    return DriveArrays(
        input=np.array([names.index(drive.name) for drive in drives], dtype=np.int64),
        direction=directions_of(assembly, drives),
    )


def directions_of(assembly: Assembly, drives: Sequence[ForceDrive | PositionDrive]) -> np.ndarray:
    """(P, dof) how the joint coordinates that drives act on depend on the generalised coordinates."""
    index = [assembly.joints[drive.joint].start + drive.coordinate for drive in drives]
    return assembly.in_modes(np.eye(assembly.size)[index])
