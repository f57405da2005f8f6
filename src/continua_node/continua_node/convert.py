"""Between messages and NumPy: the only place where continua's topics are packed, unpacked and checked.

Incoming arrays are checked for length, unknown or doubled names and numbers that are not finite; what fails
raises `Rejected`, a ValueError with a sentence and a one-word `reason` that nodes count:

    try:
        position, valid = convert.markers_from_msg(message, self.names)
    except convert.Rejected as error:
        self.diagnostics.count(f'rejected_{error.reason}')

Arrays travel flat, as `array.array`, which rclpy copies at once.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion

from continua_msgs.msg import MarkerArray3D, RodShape, RodState, TendonCommand, TendonState

__all__ = [
    'Rejected',
    'ShapeArrays',
    'TendonArrays',
    'check_names',
    'coordinates_from_msg',
    'flat',
    'from_stamp',
    'markers_from_msg',
    'markers_to_msg',
    'numbers',
    'ordered',
    'pose_from_msg',
    'pose_to_msg',
    'shape_from_msg',
    'shape_to_msg',
    'tendon_command_from_msg',
    'tendon_command_to_msg',
    'tendon_state_from_msg',
    'tendon_state_to_msg',
    'to_stamp',
]


class Rejected(ValueError):
    """A message that cannot be used. reason: 'nan', 'length', 'name', 'model', 'quantity' or 'stale'."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True)
class ShapeArrays:
    """A rod's shape at m stations, with the attributes of `continua.rod.Shape`."""

    arc_length: np.ndarray  # (m,) m
    position: np.ndarray  # (m, 3) m, in the frame of the message
    orientation_xyzw: np.ndarray  # (m, 4)
    strain: np.ndarray  # (m, 6) rad/m and -, kx ky kz lx ly lz


@dataclass(frozen=True)
class TendonArrays:
    """What a TendonState holds, each array in the order of the tendon names."""

    tension: np.ndarray  # (n,) N, measured
    displacement: np.ndarray  # (n,) m, measured
    velocity: np.ndarray  # (n,) m/s
    command: np.ndarray  # (n,) N, applied setpoint
    is_saturated: np.ndarray  # (n,) bool
    fault: np.ndarray  # (n,) uint16, TendonState.FAULT_* bits


def to_stamp(seconds: float) -> Time:
    """ROS stamp of a time in seconds."""
    nanoseconds = round(seconds * 1e9)
    return Time(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


def from_stamp(stamp: Time) -> float:
    """Seconds of a ROS stamp."""
    return stamp.sec + stamp.nanosec * 1e-9


def flat(values: np.ndarray | Sequence[float]) -> array:
    """Any array of numbers as the flat array('d') that a float64[] field takes without a loop."""
    return array('d', np.ascontiguousarray(values, dtype=float).tobytes())


def shape_to_msg(shape, stamp: Time, frame_id: str = 'world') -> RodShape:
    """RodShape of an object with the attributes of `ShapeArrays`."""
    message = RodShape(
        arc_length=flat(shape.arc_length),
        position=flat(shape.position),
        orientation_xyzw=flat(shape.orientation_xyzw),
        strain=flat(shape.strain),
    )
    message.header.stamp, message.header.frame_id = stamp, frame_id
    return message


def shape_from_msg(message: RodShape) -> ShapeArrays:
    """Arrays of a RodShape; raises Rejected."""
    m = len(message.arc_length)
    return ShapeArrays(
        arc_length=numbers(message.arc_length, m, 'arc_length'),
        position=numbers(message.position, 3 * m, 'position').reshape(m, 3),
        orientation_xyzw=numbers(message.orientation_xyzw, 4 * m, 'orientation_xyzw').reshape(m, 4),
        strain=numbers(message.strain, 6 * m, 'strain').reshape(m, 6),
    )


def coordinates_from_msg(message: RodState, model_id: str, dof: int) -> np.ndarray:
    """Generalised coordinates (dof,) of a RodState of the rod with that `model_id`; raises Rejected."""
    if message.model_id != model_id:
        raise Rejected('model', f"q belongs to the model '{message.model_id}', expected '{model_id}'")
    return numbers(message.q, dof, 'q')


def tendon_command_to_msg(stamp: Time, names: Iterable[str], tension: Sequence[float]) -> TendonCommand:
    """TendonCommand of tensions (n,) N."""
    message = TendonCommand(name=list(names), tension=flat(tension))
    message.header.stamp = stamp
    return message


def tendon_command_from_msg(message: TendonCommand, names: Sequence[str]) -> tuple[str, dict[str, float]]:
    """What a TendonCommand asks for: ('tension', N by name) or ('displacement', m by name); raises Rejected.

    names: the robot's tendons; the command may hold any of them in any order.
    """
    if bool(message.tension) == bool(message.displacement):
        both = 'both are' if message.tension else 'none is'
        raise Rejected('quantity', f'a tendon command fills tension or displacement, but {both} filled')
    quantity = 'tension' if message.tension else 'displacement'
    check_names(message.name, names, 'tendon')
    values = numbers(getattr(message, quantity), len(message.name), quantity)
    return quantity, dict(zip(message.name, values.tolist(), strict=True))


def tendon_state_to_msg(
    stamp: Time,
    names: Sequence[str],
    *,
    tension: np.ndarray,
    displacement: np.ndarray,
    velocity: np.ndarray,
    command: np.ndarray,
    is_saturated: np.ndarray,
    fault: np.ndarray,
) -> TendonState:
    """TendonState; units and order as in `TendonArrays`."""
    message = TendonState(
        name=list(names),
        tension=flat(tension),
        displacement=flat(displacement),
        velocity=flat(velocity),
        command=flat(command),
        is_saturated=np.asarray(is_saturated, dtype=bool).tolist(),
        fault=array('H', np.asarray(fault, dtype=np.uint16).tolist()),
    )
    message.header.stamp = stamp
    return message


def tendon_state_from_msg(message: TendonState, names: Sequence[str]) -> TendonArrays:
    """Arrays of a TendonState in the order of `names`, all of which it must hold; raises Rejected."""
    n = len(message.name)
    order = ordered(message.name, names, 'tendon')
    fields = ('tension', 'displacement', 'velocity', 'command')
    flags = (len(message.is_saturated), len(message.fault))
    if flags != (n, n):
        raise Rejected('length', f'is_saturated and fault have {flags} entries, expected {n}, one a tendon')
    return TendonArrays(
        **{field: numbers(getattr(message, field), n, field)[order] for field in fields},
        is_saturated=np.asarray(message.is_saturated, dtype=bool)[order],
        fault=np.asarray(message.fault, dtype=np.uint16)[order],
    )


def pose_to_msg(
    stamp: Time, frame_id: str, position: np.ndarray, orientation_xyzw: np.ndarray
) -> PoseStamped:
    """PoseStamped of a position (3,) m and a unit quaternion (4,)."""
    x, y, z = position.tolist()
    qx, qy, qz, qw = orientation_xyzw.tolist()
    pose = Pose(position=Point(x=x, y=y, z=z), orientation=Quaternion(x=qx, y=qy, z=qz, w=qw))
    message = PoseStamped(pose=pose)
    message.header.stamp, message.header.frame_id = stamp, frame_id
    return message


def pose_from_msg(message: PoseStamped) -> np.ndarray:
    """Pose (7,) of a PoseStamped: position m, and a unit quaternion xyzw; raises Rejected."""
    p, q = message.pose.position, message.pose.orientation
    pose = numbers([p.x, p.y, p.z, q.x, q.y, q.z, q.w], 7, 'pose')
    length = np.linalg.norm(pose[3:])
    if not 0.9 < length < 1.1:
        raise Rejected('length', f'the orientation is a quaternion of length {length:.3g}, expected 1')
    pose[3:] /= length
    return pose


def markers_to_msg(
    stamp: Time, frame_id: str, names: Iterable[str], position: np.ndarray, valid: np.ndarray
) -> MarkerArray3D:
    """MarkerArray3D of positions (n, 3) m; those not valid (n,) are sent as 0."""
    valid = np.asarray(valid, dtype=bool)
    message = MarkerArray3D(
        name=list(names),
        position=flat(np.where(valid[:, None], position, 0.0)),
        valid=array('B', valid.tolist()),
    )
    message.header.stamp, message.header.frame_id = stamp, frame_id
    return message


def markers_from_msg(message: MarkerArray3D, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) m and whether they are valid (n,) bool, in the order of `names`; raises Rejected.

    A marker that the message does not name is not valid. Positions that are not valid are 0.
    """
    check_names(message.name, names, 'marker')
    m = len(message.name)
    if len(message.valid) != m:
        raise Rejected('length', f'valid has {len(message.valid)} entries, expected {m}, one a marker')
    received = numbers(message.position, 3 * m, 'position').reshape(m, 3)
    index = {name: i for i, name in enumerate(names)}
    rows = [index[name] for name in message.name]
    position, valid = np.zeros((len(names), 3)), np.zeros(len(names), dtype=bool)
    valid[rows] = np.asarray(message.valid, dtype=bool)
    position[rows] = received
    return np.where(valid[:, None], position, 0.0), valid


def numbers(values: Sequence[float], length: int, field: str) -> np.ndarray:
    """(length,) finite numbers of a field; raises Rejected."""
    if len(values) != length:
        raise Rejected('length', f'{field} has {len(values)} numbers, expected {length}')
    result = np.array(values, dtype=float)
    if not np.isfinite(result).all():
        raise Rejected('nan', f'{field} holds a number that is not finite: {result.tolist()}')
    return result


def check_names(given: Sequence[str], known: Sequence[str], what: str) -> None:
    """Raise Rejected where a name is unknown or given twice; what: tendon, chamber or marker."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise Rejected('name', f'no {what} is called {", ".join(unknown)}; the robot has {", ".join(known)}')
    if len(set(given)) != len(given):
        raise Rejected('name', f'a {what} is named twice: {", ".join(given)}')


def ordered(given: Sequence[str], wanted: Sequence[str], what: str) -> list[int]:
    """Index in `given` of each wanted name, all of which it must hold; raises Rejected."""
    check_names(given, wanted, what)
    missing = [name for name in wanted if name not in given]
    if missing:
        raise Rejected('name', f'{what} {", ".join(missing)} is missing; got {", ".join(given)}')
    return [given.index(name) for name in wanted]
