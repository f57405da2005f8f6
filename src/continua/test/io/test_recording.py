"""The background writer: everything pushed is in the file, and what a slow or full disk loses is counted."""

import errno
import threading

from rosbags.highlevel import AnyReader

from continua.io.bag import BagWriter
from continua.io.recording import Recording

STRING = 'std_msgs/msg/String'


class BlockedDisk(BagWriter):
    """Writes nothing until `go` is set."""

    def __init__(self, folder):
        super().__init__(folder)
        self.go = threading.Event()
        self.reached = threading.Event()

    def write(self, *message):
        self.reached.set()
        self.go.wait()
        super().write(*message)


class FullDisk(BagWriter):
    """Takes 10 messages."""

    def write(self, *message):
        if self.counts['/text'] == 10:
            raise OSError(errno.ENOSPC, 'No space left on device')
        super().write(*message)


def test_close_writes_everything_that_was_pushed(tmp_path, types):
    recording = Recording(BagWriter(tmp_path / 'bag'))
    recording.add_topic(types.topic('/text', STRING))
    for k in range(5000):
        recording.push('/text', types.cdr(STRING, data=str(k)), k, k, k)
    recording.set_custom_data(lost='0')
    recording.close()
    assert (recording.dropped, recording.error) == ({}, None)
    with AnyReader([tmp_path / 'bag']) as reader:
        assert [reader.deserialize(raw, c.msgtype).data for c, _, raw in reader.messages()] == [
            str(k) for k in range(5000)
        ]


def test_slow_disk_drops_the_newest_and_counts_them(tmp_path, types):
    writer = BlockedDisk(tmp_path / 'bag')
    data = types.cdr(STRING, data='x' * 92)
    recording = Recording(writer, max_pending=10 * (len(data) + 300))
    recording.add_topic(types.topic('/text', STRING))
    recording.push('/text', data, 0, 0, 0)
    assert writer.reached.wait(timeout=60)
    for k in range(1, 25):
        recording.push('/text', data, k, k, k)
    assert recording.dropped == {'/text': 15}
    writer.go.set()
    recording.close()
    assert recording.error is None
    with AnyReader([tmp_path / 'bag']) as reader:
        assert [t for _, t, _ in reader.messages()] == list(range(10))


def test_full_disk_is_reported_and_nothing_hangs(tmp_path, types):
    recording = Recording(FullDisk(tmp_path / 'bag'))
    recording.add_topic(types.topic('/text', STRING))
    for k in range(30):
        recording.push('/text', types.cdr(STRING, data=str(k)), k, k, k)
    recording.close()
    assert recording.error == f'cannot write the bag {tmp_path / "bag"}: [Errno 28] No space left on device'
    assert recording.dropped == {'/text': 20}
    recording.push('/text', b'', 0, 0, 0)
    assert recording.dropped == {'/text': 21}
