"""Which topics match, and what is requested of their publishers."""

from types import SimpleNamespace

import pytest
from rclpy.duration import Duration, Infinite
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

from continua.io.metadata import Qos
from continua_bringup.recorder.matching import is_wanted, offered, requested, resolve
from continua_node import qos

BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


@pytest.mark.parametrize(
    ('pattern', 'namespace', 'topic', 'expected'),
    [
        ('*', '/arm', '/arm/tendon/state', True),
        ('*', '/arm', '/arm2/tendon/state', False),
        ('*', '/', '/anything', True),
        ('tendon/*', '/arm', '/arm/tendon/state', True),
        ('tendon/*', '/arm', '/arm/markers', False),
        ('/diagnostics', '/arm', '/diagnostics', True),
        ('/diagnostics', '/arm', '/arm/diagnostics', False),
        ('*', '/arm', '/arm/track/_action/feedback', False),
    ],
)
def test_patterns(pattern, namespace, topic, expected):
    assert is_wanted(topic, [resolve(pattern, namespace)]) is expected


@pytest.mark.parametrize(
    ('profiles', 'reliability', 'durability'),
    [
        ([qos.STATE.offered], 'reliable', 'volatile'),
        ([qos.LATCHED.offered], 'reliable', 'transient_local'),
        ([qos.LATCHED.offered, qos.STATE.offered], 'reliable', 'volatile'),
        ([qos.STATE.offered, BEST_EFFORT], 'best_effort', 'volatile'),
    ],
)
def test_request_is_the_most_that_all_publishers_offer(profiles, reliability, durability):
    profile = requested([SimpleNamespace(qos_profile=p) for p in profiles])
    assert (profile.reliability.short_key, profile.durability.short_key) == (reliability, durability)
    assert profile.depth >= 1000


def test_offer_in_the_words_of_a_bag():
    profile = QoSProfile(
        depth=3,
        reliability=ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL,
        liveliness=LivelinessPolicy.AUTOMATIC,
        deadline=Duration(nanoseconds=1_500_000_000),
        lifespan=Infinite,
        liveliness_lease_duration=Infinite,
    )
    assert offered(profile) == Qos(
        reliability='best_effort',
        durability='transient_local',
        history='keep_last',
        depth=3,
        deadline=1_500_000_000,
    )
