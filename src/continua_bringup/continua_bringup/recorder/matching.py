"""Which topics are recorded, and with which quality of service."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.topic_endpoint_info import TopicEndpointInfo

from continua.io.metadata import Qos

__all__ = ['is_wanted', 'offered', 'requested', 'resolve']

# Messages of one topic that wait for the recorder at most, 10 s of 1 kHz; memory is taken only as they come.
_DEPTH = 10_000


def resolve(pattern: str, namespace: str) -> str:
    """A topic pattern with its namespace: only one that begins with a slash stands for itself."""
    return pattern if pattern.startswith('/') else f'{namespace.rstrip("/")}/{pattern}'


def is_wanted(topic: str, patterns: Sequence[str]) -> bool:
    """Whether a topic matches one of the patterns, in which `*` stands for anything. Hidden ones never do."""
    is_hidden = any(part.startswith('_') for part in topic.split('/'))
    return not is_hidden and any(fnmatchcase(topic, pattern) for pattern in patterns)


def requested(publishers: Sequence[TopicEndpointInfo]) -> QoSProfile:
    """What a subscription must request to hear all of these publishers as well as they let it."""
    profiles = [publisher.qos_profile for publisher in publishers]
    is_reliable = all(p.reliability == ReliabilityPolicy.RELIABLE for p in profiles)
    is_latched = all(p.durability == DurabilityPolicy.TRANSIENT_LOCAL for p in profiles)
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=_DEPTH,
        reliability=ReliabilityPolicy.RELIABLE if is_reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if is_latched else DurabilityPolicy.VOLATILE,
    )


def offered(profile: QoSProfile) -> Qos:
    """A publisher's profile as a bag has it."""
    return Qos(
        reliability=profile.reliability.short_key,
        durability=profile.durability.short_key,
        history=profile.history.short_key,
        depth=profile.depth,
        deadline=profile.deadline.nanoseconds,
        lifespan=profile.lifespan.nanoseconds,
        liveliness=profile.liveliness.short_key,
        liveliness_lease_duration=profile.liveliness_lease_duration.nanoseconds,
    )
