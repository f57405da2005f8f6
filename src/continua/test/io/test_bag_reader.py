"""Bags whose writer did not come to its end are read, and repaired, as far as they were written."""

import contextlib
import os
import shutil
import subprocess
import sys

import pytest
from rosbags.highlevel import AnyReader, AnyReaderError

from continua.io.bag import BagWriter
from continua.io.bag_reader import bag_information, is_finished, open_bag, repair_bag

STRING = 'std_msgs/msg/String'
COUNT = 2000


@pytest.fixture
def unfinished(tmp_path, types):
    """A bag of 2000 flushed messages, and some 40 kB more that no one flushed."""
    bag = BagWriter(tmp_path / 'bag', {'git': 'abc'}, ros_distro='kilted')
    bag.add_topic(types.topic('/text', STRING))
    for k in range(COUNT):
        bag.write('/text', types.cdr(STRING, data=f'text {k}' * 10), 1000 + k, 1000 + k, k)
    bag.flush()
    for k in range(400):
        bag.write('/text', types.cdr(STRING, data=f'late {k}' * 10), 9000 + k, 9000 + k, k)
    shutil.copytree(tmp_path / 'bag', tmp_path / 'killed')
    bag.close()
    shutil.move(tmp_path / 'killed', tmp_path / 'elsewhere' / 'bag')
    return tmp_path / 'elsewhere' / 'bag'


def texts(reader):
    return [reader.deserialize(raw, c.msgtype).data for c, _, raw in reader.messages()]


def test_unfinished_bag_is_read_and_left_alone(unfinished):
    before = {path.name: path.read_bytes() for path in unfinished.iterdir()}
    with pytest.raises(AnyReaderError), AnyReader([unfinished]):
        pass
    assert not is_finished(unfinished)
    with open_bag(unfinished) as reader:
        assert texts(reader) == [f'text {k}' * 10 for k in range(COUNT)]
    assert {path.name: path.read_bytes() for path in unfinished.iterdir()} == before


def test_repair_makes_a_bag_that_others_open(unfinished):
    assert repair_bag(unfinished) == COUNT
    assert is_finished(unfinished)
    assert sorted(path.name for path in unfinished.iterdir()) == ['bag_0.mcap', 'metadata.yaml']
    with AnyReader([unfinished]) as reader:
        assert texts(reader) == [f'text {k}' * 10 for k in range(COUNT)]
    information = bag_information(unfinished)
    assert information['message_count'] == COUNT
    assert information['custom_data'] == {'git': 'abc'}
    assert information['ros_distro'] == 'kilted'
    assert repair_bag(unfinished) == COUNT


@pytest.mark.parametrize('cut', [1, 9, 1000, 70_000])
def test_a_torn_tail_costs_only_the_chunk_it_is_in(unfinished, cut):
    path = unfinished / 'bag_0.mcap'
    size = path.stat().st_size
    os.truncate(path, size - cut)
    with open_bag(unfinished) as reader:
        read = texts(reader)
    assert read == [f'text {k}' * 10 for k in range(len(read))]
    assert len(read) >= COUNT - (cut + 64 * 1024) // 60


def test_a_damaged_byte_ends_the_reading_and_raises_nothing(unfinished):
    path = unfinished / 'bag_0.mcap'
    content = bytearray(path.read_bytes())
    content[content.index(b'text 1500')] ^= 0xFF
    path.write_bytes(content)
    with open_bag(unfinished) as reader:
        read = texts(reader)
    assert 0 < len(read) <= 1500
    assert read == [f'text {k}' * 10 for k in range(len(read))]


WRITER = """
import sys
import time
from continua.io.bag import BagWriter
from continua.io.metadata import Topic
from continua.io.recording import Recording
recording = Recording(BagWriter(sys.argv[1]))
recording.add_topic(Topic('/text', 'std_msgs/msg/String', 'string data'))
k = 0
while True:
    text = f'{k:08d}'.encode() + bytes(1)
    recording.push('/text', bytes([0, 1, 0, 0, len(text), 0, 0, 0]) + text, 1000 + k, 1000 + k, k)
    k += 1
    time.sleep(0.0002)
"""


def test_kill_9_leaves_a_bag_that_reads_without_gaps(tmp_path):
    process = subprocess.Popen([sys.executable, '-c', WRITER, str(tmp_path / 'bag')])
    try:
        said = 0
        while said < 2000:
            assert process.poll() is None
            with contextlib.suppress(ValueError):  # it has not begun
                said = bag_information(tmp_path / 'bag')['message_count']
    finally:
        process.kill()
        process.wait()
    assert not is_finished(tmp_path / 'bag')
    with open_bag(tmp_path / 'bag') as reader:
        read = texts(reader)
    assert len(read) >= said
    assert read == [f'{k:08d}' for k in range(len(read))]


def test_what_is_no_bag_is_said(tmp_path):
    with pytest.raises(ValueError, match='is not a bag: expected a folder with a metadata.yaml'):
        bag_information(tmp_path / 'missing')
    (tmp_path / 'metadata.yaml').write_text('a: 1')
    with pytest.raises(ValueError, match='is not the metadata of a bag'), open_bag(tmp_path):
        pass
