"""Reads bags, also those whose recorder was killed before it wrote the file's index.

`rosbags` needs the index at the end of an MCAP file. A file without one is read record by record up to
its first damaged one, and written anew: to a temporary folder for reading, in place by `repair_bag`.
"""

import os
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import yaml
from mcap.exceptions import McapError
from mcap.records import Channel, Message, Schema
from mcap.stream_reader import StreamReader
from mcap.writer import MCAP0_MAGIC
from rosbags.highlevel import AnyReader

from continua.io.bag import BagWriter
from continua.io.metadata import Qos, Topic

__all__ = ['bag_information', 'is_finished', 'open_bag', 'repair_bag']

_HEADER_SIZE = len(MCAP0_MAGIC)


@contextmanager
def open_bag(folder: str | os.PathLike) -> Iterator[AnyReader]:
    """Open a bag for reading, finished or not; the bag itself is left as it is.

    Raises ValueError when the folder holds no bag.
    """
    folder = Path(folder)
    bag_information(folder)
    with ExitStack() as stack:
        if not is_finished(folder):
            copy = (
                Path(stack.enter_context(tempfile.TemporaryDirectory(prefix='continua_bag_'))) / folder.name
            )
            _rewrite(folder, copy)
            folder = copy
        yield stack.enter_context(AnyReader([folder]))


def bag_information(folder: str | os.PathLike) -> dict[str, Any]:
    """The content of `metadata.yaml`. Raises ValueError when there is none or it is not of a bag."""
    path = Path(folder) / 'metadata.yaml'
    try:
        return yaml.safe_load(path.read_text(encoding='utf-8'))['rosbag2_bagfile_information']
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f'{folder} is not a bag: expected a folder with a metadata.yaml') from None
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise ValueError(f'{path} is not the metadata of a bag: {error}') from error


def is_finished(folder: str | os.PathLike) -> bool:
    """Whether every MCAP file of the bag ends as a complete one does."""
    return all(_ends_with_magic(path) for path in Path(folder).glob('*.mcap'))


def repair_bag(folder: str | os.PathLike) -> int:
    """Give an unfinished bag its index and exact counts, in place; returns its number of messages.

    Needs free space of the bag's size, and must not be used while the bag is being recorded. Whatever
    happens on the way, either the old or the new files are there. Raises ValueError when there is no bag.
    """
    folder = Path(folder)
    information = bag_information(folder)
    if is_finished(folder):
        return information['message_count']
    with tempfile.TemporaryDirectory(prefix='.repair_', dir=folder) as workspace:
        copy = Path(workspace) / folder.name
        count = _rewrite(folder, copy)
        for path in sorted(copy.iterdir()):
            shutil.copymode(folder / path.name, path)
            path.replace(folder / path.name)
    return count


def _ends_with_magic(path: Path) -> bool:
    with path.open('rb') as stream:
        size = stream.seek(0, os.SEEK_END)
        if size < 2 * _HEADER_SIZE:
            return False
        stream.seek(-_HEADER_SIZE, os.SEEK_END)
        return stream.read() == MCAP0_MAGIC


def _rewrite(source: Path, target: Path) -> int:
    """Write all messages that can be read of an unfinished bag into a new one; returns their number."""
    information = bag_information(source)
    with BagWriter(target, information['custom_data'], information['ros_distro']) as bag:
        path = source / information['relative_file_paths'][0]
        for schema, channel, message in _readable_messages(path):
            if channel.topic not in bag.counts:
                bag.add_topic(_topic(schema, channel))
            bag.write(channel.topic, message.data, message.log_time, message.publish_time, message.sequence)
    return sum(bag.counts.values())


def _topic(schema: Schema, channel: Channel) -> Topic:
    return Topic(
        name=channel.topic,
        type=schema.name,
        definition=schema.data.decode(),
        type_hash=channel.metadata['topic_type_hash'],
        qos=tuple(Qos.decode(entry) for entry in yaml.safe_load(channel.metadata['offered_qos_profiles'])),
    )


def _readable_messages(path: Path) -> Iterator[tuple[Schema, Channel, Message]]:
    """Messages of an MCAP file up to the first damaged record, which in a killed recording is the last."""
    schemas: dict[int, Schema] = {}
    channels: dict[int, Channel] = {}
    with path.open('rb') as stream:
        records = StreamReader(stream, validate_crcs=True).records
        while True:
            try:
                record = next(records)
            except (StopIteration, McapError, ValueError, struct.error):
                return
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel):
                channels[record.id] = record
            elif isinstance(record, Message):
                channel = channels[record.channel_id]
                yield schemas[channel.schema_id], channel, record
