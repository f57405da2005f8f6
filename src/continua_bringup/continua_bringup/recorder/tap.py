"""Takes the raw messages of all wanted topics out of the middleware, in order and with their metadata.

The subscriptions belong to a hidden node that no executor spins: `take` polls them. A message's time of
reception comes from the middleware, so polling does not change it, and a poll costs 1 us per topic and 4 us
per message, far less than waking an executor for each. (rclpy's EventsExecutor also fails on callbacks that
want to know the time of reception.)
"""

import time
from collections.abc import Callable, Sequence

import rclpy
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription
from rclpy.topic_endpoint_info import TopicEndpointInfo

from continua.io.metadata import Topic
from continua.io.recording import Recording
from continua_bringup.recorder.matching import is_wanted, offered, requested, resolve
from continua_bringup.recorder.message_types import MessageType, find_message_type

__all__ = ['Tap']


class Tap:
    """Subscribes to what appears, follows its quality of service, and hands messages to a recording.

    lost: number of messages by topic that were published, as their sequence numbers show, and not received.
    """

    def __init__(
        self,
        node: Node,
        patterns: Sequence[str],
        excluded: Sequence[str],
        recording: Recording,
        on_refused: Callable[[str], None],
    ) -> None:
        """patterns, excluded: see `matching`. on_refused: told, in a sentence, of what cannot be recorded."""
        namespace = node.get_namespace()
        self._patterns = [resolve(pattern, namespace) for pattern in patterns]
        self._excluded = [resolve(pattern, namespace) for pattern in excluded]
        self._recording = recording
        self._on_refused = on_refused
        self._node = rclpy.create_node(
            f'_{node.get_name()}',
            namespace=namespace,
            context=node.context,
            use_global_arguments=False,  # they name the recorder, not this one
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._taps: dict[str, _TopicTap] = {}
        self._refused: set[str] = set()

    @property
    def topics(self) -> list[str]:
        """Topics that are being recorded."""
        return list(self._taps)

    @property
    def lost(self) -> dict[str, int]:
        """Lost messages of the topics that lost any."""
        return {name: tap.lost for name, tap in self._taps.items() if tap.lost}

    def discover(self) -> None:
        """Look for new topics, and for publishers that need a weaker request than is made."""
        for name, _ in self._node.get_topic_names_and_types():
            if not is_wanted(name, self._patterns) or is_wanted(name, self._excluded):
                continue
            publishers = self._node.get_publishers_info_by_topic(name)
            if not publishers or (name in self._refused and name not in self._taps):
                continue
            try:
                self._follow(name, publishers)
            except ValueError as error:
                if name not in self._refused:
                    self._refused.add(name)
                    self._on_refused(f'{name} is not recorded, or not all of it: {error}')

    def take(self) -> None:
        """Move everything that has arrived into the recording."""
        for tap in self._taps.values():
            tap.take()

    def close(self) -> None:
        """Take the last messages and leave the graph."""
        self.take()
        self._node.destroy_node()

    def _follow(self, name: str, publishers: Sequence[TopicEndpointInfo]) -> None:
        types = sorted({publisher.topic_type for publisher in publishers})
        if len(types) > 1:
            raise ValueError(f'its publishers disagree on its type: {", ".join(types)}')
        message_type = find_message_type(types[0])
        _check_hash(message_type, publishers)
        if name in self._taps:
            self._taps[name].adapt(publishers)
            return
        qos = tuple(offered(publisher.qos_profile) for publisher in publishers)
        topic = Topic(name, message_type.name, message_type.definition, message_type.hash, qos)
        self._recording.add_topic(topic)
        python_class = message_type.python_class
        self._taps[name] = _TopicTap(self._node, topic, python_class, publishers, self._recording)


class _TopicTap:
    """One topic's subscription, and the last sequence number of each of its publishers."""

    def __init__(
        self,
        node: Node,
        topic: Topic,
        python_class: type,
        publishers: Sequence[TopicEndpointInfo],
        recording: Recording,
    ) -> None:
        self.lost = 0
        self._node = node
        self._name = topic.name
        self._class = python_class
        self._recording = recording
        self._last: dict[bytes, int] = {}
        self._subscription = self._subscribe(requested(publishers))

    def adapt(self, publishers: Sequence[TopicEndpointInfo]) -> None:
        """Subscribe anew where one of the publishers offers less than is requested."""
        wanted, current = requested(publishers), self._subscription.qos_profile
        is_weaker = (
            wanted.reliability == ReliabilityPolicy.BEST_EFFORT != current.reliability
            or wanted.durability == DurabilityPolicy.VOLATILE != current.durability
        )
        if is_weaker:
            self.take()
            self._node.destroy_subscription(self._subscription)
            self._subscription = self._subscribe(wanted)

    def take(self) -> None:
        handle = self._subscription.handle
        with handle:
            while (taken := handle.take_message(self._class, True)) is not None:
                data, info = taken
                sequence = info.get('publication_sequence_number') or 0
                self._count_gap(info.get('publisher_gid'), sequence)
                received = info['received_timestamp'] or time.time_ns()
                self._recording.push(
                    self._name, data, received, info['source_timestamp'] or received, sequence
                )

    def _count_gap(self, publisher: dict | None, sequence: int) -> None:
        """A middleware that does not number its messages leaves one of the two empty."""
        if publisher is None or not sequence:
            return
        key = publisher['data']
        self.lost += max(0, sequence - self._last.get(key, sequence) - 1)
        self._last[key] = sequence

    def _subscribe(self, qos: QoSProfile) -> Subscription:
        return self._node.create_subscription(self._class, self._name, _never_called, qos, raw=True)


def _check_hash(message_type: MessageType, publishers: Sequence[TopicEndpointInfo]) -> None:
    """A definition that is not the publisher's would make the bag unreadable."""
    for publisher in publishers:
        published = str(publisher.topic_type_hash)
        if message_type.hash and published.startswith('RIHS') and published != message_type.hash:
            raise ValueError(
                f'node {publisher.node_name} uses another version of {message_type.name}; '
                'build both from the same sources'
            )


def _never_called(message: bytes) -> None:
    """rclpy wants a callback; no executor spins the node."""
