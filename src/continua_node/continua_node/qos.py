"""The four QoS profiles of continua. Publishers offer the most, subscriptions request the least.

    self.create_publisher(TendonState, 'tendon/state', qos.SENSOR.offered)
    self.create_subscription(TendonState, 'tendon/state', self._on_state, qos.SENSOR.requested)

Whatever connects from outside (`ros2 topic echo`, RViz, a bag) therefore always matches. No deadline and no
lifespan policies: they refuse `ros2 topic pub` without a word; receivers check the age of what they get.
"""

from typing import NamedTuple

from rclpy.qos import DurabilityPolicy, HistoryPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

__all__ = ['COMMAND', 'LATCHED', 'SENSOR', 'STATE', 'Profile']


class Profile(NamedTuple):
    """What a publisher offers and what a subscription requests."""

    offered: QoSProfile
    requested: QoSProfile


def _profile(depth: int, requested: ReliabilityPolicy, durability: DurabilityPolicy) -> Profile:
    def qos(reliability: ReliabilityPolicy) -> QoSProfile:
        return QoSProfile(
            history=HistoryPolicy.KEEP_LAST,
            depth=depth,
            reliability=reliability,
            durability=durability,
            liveliness=LivelinessPolicy.AUTOMATIC,
        )

    return Profile(offered=qos(ReliabilityPolicy.RELIABLE), requested=qos(requested))


# Measurements: only the newest counts, a lost one is not repeated.
SENSOR = _profile(1, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
# Commands: only the newest counts, none may be lost on the way.
COMMAND = _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
# Estimates, status, ground truth: the last few, in order.
STATE = _profile(10, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
# What is said once and must reach whoever comes later.
LATCHED = _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL)
