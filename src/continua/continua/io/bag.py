"""Writes a bag: an MCAP file and `metadata.yaml` in a folder, as rosbag2 lays it out, with no ROS needed.

A reader of a bag that was killed finds everything up to the last `flush`; `bag_reader.open_bag` reads it.
"""

import os
import time
from collections import Counter
from pathlib import Path

from mcap.writer import CompressionType, Writer

from continua.io.metadata import BagInformation, Topic, to_yaml

__all__ = ['BagWriter']

_CHUNK_SIZE = 64 * 1024  # [bytes] a chunk is on disk as soon as it is full


class BagWriter:
    """Writes raw CDR messages into a new folder. Not for several threads; `recording.Recording` is.

    custom_data: strings that `metadata.yaml` and the MCAP file carry; entries may be added until `close`.
    """

    def __init__(
        self, folder: str | os.PathLike, custom_data: dict[str, str] | None = None, ros_distro: str = ''
    ) -> None:
        """Create the folder and its files. Raises ValueError when the folder exists."""
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True)
        except FileExistsError:
            raise ValueError(
                f'bag folder {self.folder} exists already; a bag is never overwritten: give a new folder'
            ) from None
        self.custom_data = dict(custom_data or {})
        self.counts: Counter[str] = Counter()
        self._ros_distro = ros_distro
        self._topics: dict[str, Topic] = {}
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        self._created = time.time_ns()
        self._start, self._end = 2**63, 0  # of the messages so far: none
        self._stream = open(self.folder / f'{self.folder.name}_0.mcap', 'wb')  # noqa: SIM115 (closed in close)
        self._mcap = Writer(self._stream, chunk_size=_CHUNK_SIZE, compression=CompressionType.NONE)
        self._mcap.start(profile='ros2', library='continua')
        # Tells a reader of an unfinished file the version by which to read the QoS of its channels.
        self._embed_metadata()
        self.flush()

    def add_topic(self, topic: Topic) -> None:
        """Announce a topic. Raises ValueError when it was announced before."""
        if topic.name in self._topics:
            raise ValueError(f"topic '{topic.name}' is in the bag {self.folder} already")
        if topic.type not in self._schemas:
            self._schemas[topic.type] = self._mcap.register_schema(
                topic.type, 'ros2msg', topic.definition.encode()
            )
        self._channels[topic.name] = self._mcap.register_channel(
            topic.name,
            'cdr',
            self._schemas[topic.type],
            {
                'offered_qos_profiles': to_yaml([qos.encode() for qos in topic.qos]),
                'topic_type_hash': topic.type_hash,
            },
        )
        self._topics[topic.name] = topic

    def write(self, topic: str, data: bytes, log_time: int, publish_time: int, sequence: int = 0) -> None:
        """Append a message of an announced topic.

        data: CDR bytes. log_time, publish_time: [ns since epoch] received, sent. sequence: the publisher's
        own count.
        """
        self._start = min(self._start, log_time)
        self._end = max(self._end, log_time)
        self._mcap.add_message(self._channels[topic], log_time, data, publish_time, sequence % 2**32)
        self.counts[topic] += 1

    def flush(self) -> None:
        """Hand everything written so far to the operating system, and bring `metadata.yaml` up to date."""
        self._mcap.flush()
        self._write_metadata()

    def close(self) -> None:
        """Write the index and the final metadata, and make sure that they are on the disk."""
        self._embed_metadata()
        self._mcap.finish()
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()
        self._write_metadata()

    def __enter__(self) -> 'BagWriter':
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _information(self) -> BagInformation:
        start, end = (self._start, self._end) if self.counts else (self._created, self._created)
        return BagInformation(
            file=Path(self._stream.name).name,
            topics=tuple(self._topics.values()),
            counts=self.counts,
            start=start,
            end=end,
            custom_data=self.custom_data,
            ros_distro=self._ros_distro,
        )

    def _embed_metadata(self) -> None:
        text = to_yaml(self._information().encode())
        self._mcap.add_metadata('rosbag2', {'serialized_metadata': text})

    def _write_metadata(self) -> None:
        """Replace `metadata.yaml` in one step, so that a reader never sees half of it."""
        text = to_yaml({'rosbag2_bagfile_information': self._information().encode()})
        new = self.folder / 'metadata.yaml.new'
        new.write_text(text, encoding='utf-8')
        new.replace(self.folder / 'metadata.yaml')
