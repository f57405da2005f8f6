"""Where the tendons of a robot run, as polylines in the world."""

import numpy as np

from continua.description import Robot
from continua.rod.poses import Poses, points_at

__all__ = ['tendon_paths']


def tendon_paths(robot: Robot, poses: Poses, points: int = 50) -> dict[str, np.ndarray]:
    """Points (m, 3) m in the world of each tendon, by name, from its drive to its end.

    m is `points` for a tendon in the body; a cable has those that it runs through, straight in between.
    """
    ways, counts = [], []
    for tendon in robot.tendons:
        way = tendon.waypoints(robot)
        if way is None:
            X = np.linspace(*tendon.range, points)
            way = [(tendon.link, *each) for each in zip(X, tendon.path.offset(X), strict=True)]
        ways += way
        counts.append(len(way))
    if not ways:
        return {}
    links, arc_length, offset = zip(*ways, strict=True)
    line = points_at(poses, arc_length, links, offset)
    return dict(zip(robot.tendon_names, np.split(line, np.cumsum(counts[:-1])), strict=True))
