"""Where a joint sits on a link or on the base."""

from .fields import ArcLength, Description, Position, Quaternion, key


class Attachment(Description):
    """Pose of a joint frame in the section frame of a link at `arc_length`, or in the base frame."""

    arc_length: ArcLength | None = key(
        'm', 'arc length on the link, null for its tip; always null on the base', default=None
    )
    position: Position = key('m', 'origin of the joint frame', default=(0.0, 0.0, 0.0))
    orientation_xyzw: Quaternion = key(
        '',
        'unit quaternion that turns joint coordinates into those of the section',
        default=(0.0, 0.0, 0.0, 1.0),
    )
