"""Whether publishers and subscriptions of a running graph fit each other."""

from collections.abc import Iterator

from rclpy.node import Node
from rclpy.qos import QoSCompatibility, qos_check_compatible

__all__ = ['connections', 'misfits']


def connections(node: Node) -> Iterator[tuple[str, str, str]]:
    """(topic, publisher, subscriber) of every pair that `node` sees."""
    for topic, publisher, subscription in _pairs(node):
        yield topic, publisher.node_name, subscription.node_name


def misfits(node: Node) -> list[str]:
    """A sentence on every pair whose types or qualities of service do not fit."""
    sentences = []
    for topic, publisher, subscription in _pairs(node):
        ends = f'{topic}: {publisher.node_name} -> {subscription.node_name}'
        if publisher.topic_type != subscription.topic_type:
            sentences.append(f'{ends}: {publisher.topic_type} is not {subscription.topic_type}')
        compatibility, reason = qos_check_compatible(publisher.qos_profile, subscription.qos_profile)
        if compatibility != QoSCompatibility.OK:
            sentences.append(f'{ends}: {reason}')
    return sentences


def _pairs(node: Node) -> Iterator[tuple]:
    for topic, _ in node.get_topic_names_and_types():
        for publisher in node.get_publishers_info_by_topic(topic):
            for subscription in node.get_subscriptions_info_by_topic(topic):
                yield topic, publisher, subscription
