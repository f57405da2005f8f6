"""QoS profiles: they match one another and what outsiders commonly use."""

import pytest
from rclpy.qos import (
    DurabilityPolicy,
    LivelinessPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)

from continua_node import qos

AUTOMATIC = LivelinessPolicy.AUTOMATIC
RELIABLE = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE, liveliness=AUTOMATIC)
BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT, liveliness=AUTOMATIC)
PROFILES = [qos.SENSOR, qos.COMMAND, qos.STATE, qos.LATCHED]


@pytest.mark.parametrize('profile', PROFILES)
def test_publishers_match_our_subscriptions_and_those_of_outsiders(profile):
    for requested in (profile.requested, RELIABLE, BEST_EFFORT):
        assert qos_check_compatible(profile.offered, requested)[0] == QoSCompatibility.OK


@pytest.mark.parametrize('profile', [qos.SENSOR, qos.COMMAND, qos.STATE])
def test_subscriptions_take_an_ordinary_publisher(profile):
    assert qos_check_compatible(RELIABLE, profile.requested)[0] == QoSCompatibility.OK


def test_only_measurements_may_be_lost():
    assert qos.SENSOR.requested.reliability == ReliabilityPolicy.BEST_EFFORT
    for profile in (qos.COMMAND, qos.STATE, qos.LATCHED):
        assert profile.requested.reliability == ReliabilityPolicy.RELIABLE


def test_what_is_latched_reaches_whoever_comes_later():
    assert qos.LATCHED.offered.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert qos.LATCHED.requested.durability == DurabilityPolicy.TRANSIENT_LOCAL
