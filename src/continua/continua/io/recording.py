"""Writes a bag from a thread of its own, so that a slow disk delays nobody and its cost is counted."""

import threading
import time
from collections import Counter, deque

from continua.io.bag import BagWriter
from continua.io.metadata import Topic

__all__ = ['Recording']

_BATCH_PERIOD = 0.05  # [s] how often waiting messages go to the file
_OVERHEAD = 300  # [bytes] of Python objects around the bytes of a message
_FLUSH_PERIOD = 0.5  # [s] how much a killed recorder loses at most, with a disk that keeps up


class Recording:
    """A bag that takes messages without waiting for the disk.

    At most `max_pending` bytes wait for the disk; a message beyond that, or after the disk has refused
    one, is dropped and counted.
    """

    def __init__(self, writer: BagWriter, max_pending: int = 256 * 2**20) -> None:
        """Start writing. max_pending: [bytes]."""
        self._writer = writer
        self._max_pending = max_pending
        self._lock = threading.Lock()
        self._pending: deque[Topic | tuple] = deque()
        self._pending_size = 0
        self._custom_data: dict[str, str] = {}
        self._dropped: Counter[str] = Counter()
        self._error: str | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name='bag writer', daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> dict[str, int]:
        """Messages that did not get into the bag, by topic."""
        with self._lock:
            return dict(self._dropped)

    @property
    def error(self) -> str | None:
        """Why nothing is written any more, as a sentence; None while all is well."""
        return self._error

    def add_topic(self, topic: Topic) -> None:
        """Announce a topic, before its first message."""
        with self._lock:
            self._pending.append(topic)

    def push(self, topic: str, data: bytes, log_time: int, publish_time: int, sequence: int) -> None:
        """Queue a message; arguments as of `BagWriter.write`."""
        with self._lock:
            if self._error or self._pending_size + _size(data) > self._max_pending:
                self._dropped[topic] += 1
                return
            self._pending.append((topic, data, log_time, publish_time, sequence))
            self._pending_size += _size(data)

    def set_custom_data(self, **entries: str) -> None:
        """Replace entries of the bag's custom data; they are in the file after the next flush."""
        self._custom_data = self._custom_data | entries

    def close(self) -> None:
        """Write what is waiting, then the index; returns when all of it is on the disk."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            flushed = time.monotonic()
            while not self._closing.wait(_BATCH_PERIOD) or self._pending:
                for _ in range(len(self._pending)):
                    self._write_oldest()
                if time.monotonic() - flushed >= _FLUSH_PERIOD:
                    self._writer.custom_data |= self._custom_data
                    self._writer.flush()
                    flushed = time.monotonic()
            self._writer.custom_data |= self._custom_data
            self._writer.close()
        except Exception as error:  # whatever it is, it must be reported and not stop the node
            with self._lock:
                self._error = f'cannot write the bag {self._writer.folder}: {error}'
                for topic, *_ in filter(_is_message, self._pending):
                    self._dropped[topic] += 1
                self._pending.clear()

    def _write_oldest(self) -> None:
        item = self._pending[0]
        if _is_message(item):
            self._writer.write(*item)
        else:
            self._writer.add_topic(item)
        with self._lock:
            self._pending.popleft()
            if _is_message(item):
                self._pending_size -= _size(item[1])


def _size(data: bytes) -> int:
    """[bytes] of memory that a waiting message takes."""
    return len(data) + _OVERHEAD


def _is_message(item: Topic | tuple) -> bool:
    return isinstance(item, tuple)
