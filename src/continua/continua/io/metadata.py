"""What a rosbag2 folder says about itself: topics, their publishers' QoS, and `metadata.yaml` version 9.

The layout is that of rosbag2's own encoder (`rosbag2_storage/yaml.hpp`), so that `ros2 bag` reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

__all__ = ['METADATA_VERSION', 'BagInformation', 'Qos', 'Topic', 'to_yaml']

METADATA_VERSION = 9
_INFINITE = 2**63 - 1  # [ns] rmw's "no limit"


@dataclass(frozen=True)
class Qos:
    """Quality of service that a publisher offers; names as in rmw, durations in ns.

    Discovery does not carry history and depth, hence the defaults of these two.
    """

    reliability: str = 'reliable'
    durability: str = 'volatile'
    history: str = 'unknown'
    depth: int = 0
    deadline: int = _INFINITE
    lifespan: int = _INFINITE
    liveliness: str = 'automatic'
    liveliness_lease_duration: int = _INFINITE

    @classmethod
    def decode(cls, entry: Mapping[str, Any]) -> 'Qos':
        """The inverse of `encode`."""
        names = ('reliability', 'durability', 'history', 'depth', 'liveliness')
        durations = ('deadline', 'lifespan', 'liveliness_lease_duration')
        return cls(
            **{name: entry[name] for name in names},
            **{name: entry[name]['sec'] * 10**9 + entry[name]['nsec'] for name in durations},
        )

    def encode(self) -> dict[str, Any]:
        """As rosbag2 writes it from metadata version 9 on."""
        return {
            'history': self.history,
            'depth': self.depth,
            'reliability': self.reliability,
            'durability': self.durability,
            'deadline': _encode_duration(self.deadline),
            'lifespan': _encode_duration(self.lifespan),
            'liveliness': self.liveliness,
            'liveliness_lease_duration': _encode_duration(self.liveliness_lease_duration),
            'avoid_ros_namespace_conventions': False,
        }


@dataclass(frozen=True)
class Topic:
    """A topic to record.

    name: with leading slash. type: `package/msg/Name`. definition: its `.msg` text and that of all it
    contains (see `definitions`). type_hash: RIHS01 string, empty when unknown. qos: one per publisher.
    """

    name: str
    type: str
    definition: str
    type_hash: str = ''
    qos: tuple[Qos, ...] = ()


@dataclass(frozen=True)
class BagInformation:
    """The content of `metadata.yaml`. start and end: [ns since epoch] receive times, first and last."""

    file: str
    topics: tuple[Topic, ...]
    counts: Mapping[str, int]
    start: int
    end: int
    custom_data: Mapping[str, str]
    ros_distro: str

    def encode(self) -> dict[str, Any]:
        """As rosbag2 writes it; `metadata.yaml` holds this under `rosbag2_bagfile_information`."""
        total = sum(self.counts.values())
        return {
            'version': METADATA_VERSION,
            'storage_identifier': 'mcap',
            'duration': {'nanoseconds': self.end - self.start},
            'starting_time': {'nanoseconds_since_epoch': self.start},
            'message_count': total,
            'topics_with_message_count': [self._encode_topic(topic) for topic in self.topics],
            'compression_format': '',
            'compression_mode': '',
            'relative_file_paths': [self.file],
            'files': [
                {
                    'path': self.file,
                    'starting_time': {'nanoseconds_since_epoch': self.start},
                    'duration': {'nanoseconds': self.end - self.start},
                    'message_count': total,
                }
            ],
            'custom_data': dict(self.custom_data),
            'ros_distro': self.ros_distro,
        }

    def _encode_topic(self, topic: Topic) -> dict[str, Any]:
        return {
            'topic_metadata': {
                'name': topic.name,
                'type': topic.type,
                'serialization_format': 'cdr',
                'offered_qos_profiles': [qos.encode() for qos in topic.qos],
                'type_description_hash': topic.type_hash,
            },
            'message_count': self.counts.get(topic.name, 0),
        }


def _encode_duration(nanoseconds: int) -> dict[str, int]:
    return {'sec': nanoseconds // 10**9, 'nsec': nanoseconds % 10**9}


class _Dumper(getattr(yaml, 'CSafeDumper', yaml.SafeDumper)):
    """Without anchors, which equal objects would get and which people find hard to read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(data: Any) -> str:
    """YAML text with keys in the given order."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True)
