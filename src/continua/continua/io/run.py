"""The signals of a recorded run as arrays: shapes, tendons, markers, and the traffic of each topic.

Times are seconds since the first message of the bag. A header stamp and a receive time are on the same
clock unless the bag holds `/clock`, that is, the run had simulated time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.highlevel import AnyReader

from continua.io.bag_reader import bag_information, open_bag
from continua.io.shape_series import ShapeSeries

__all__ = ['ChamberSeries', 'MarkerSeries', 'Run', 'TendonSeries', 'Traffic', 'load_run']

_NANO = 1e-9
_ESTIMATE = '/estimate/shape'


@dataclass(frozen=True)
class Traffic:
    """When the messages of a topic were received, and, where they have a header, stamped; (n,) s."""

    type: str
    received: np.ndarray
    stamp: np.ndarray | None


@dataclass(frozen=True)
class TendonSeries:
    """Tendon states. stamp: (N,) s. tension, command, displacement: (N, n_tendons) N, N, m."""

    stamp: np.ndarray
    names: tuple[str, ...]
    tension: np.ndarray
    command: np.ndarray
    displacement: np.ndarray


@dataclass(frozen=True)
class ChamberSeries:
    """Pressure states. stamp: (N,) s. pressure, command: (N, n_chambers) Pa gauge; opening: likewise, of
    the valves. What was not known is None: command where openings are commanded, opening without valves."""

    stamp: np.ndarray
    names: tuple[str, ...]
    pressure: np.ndarray
    command: np.ndarray | None
    opening: np.ndarray | None


@dataclass(frozen=True)
class MarkerSeries:
    """Measured positions of one marker, where it was seen. stamp: (N,) s. position: (N, 3) m."""

    stamp: np.ndarray
    position: np.ndarray


@dataclass(frozen=True)
class Run:
    """One robot's run. What was not recorded is None, or missing in `estimates` and `markers`.

    estimates: `estimate/shape` as 'estimate', `NAME/estimate/shape` of observers to be compared as NAME.
    """

    information: dict[str, Any]
    start: int  # [ns since epoch]
    namespace: str
    traffic: dict[str, Traffic]
    estimates: dict[str, ShapeSeries] = field(default_factory=dict)
    truth: ShapeSeries | None = None
    tendons: TendonSeries | None = None
    chambers: ChamberSeries | None = None
    markers: dict[str, MarkerSeries] = field(default_factory=dict)

    @property
    def has_simulated_time(self) -> bool:
        """Whether stamps are on another clock than receive times."""
        return '/clock' in self.traffic


def load_run(folder: str | Path) -> Run:
    """Read a bag, finished or not.

    Raises ValueError when it is none, holds no message, or holds the shapes of several robots.
    """
    with open_bag(folder) as reader:
        if reader.message_count == 0:
            raise ValueError(f'{folder} holds no message; was a node publishing while it was recorded?')
        namespace = _namespace(folder, reader)
        topics = _Topics(reader)
        return Run(
            information=bag_information(folder),
            start=reader.start_time,
            namespace=namespace,
            traffic=topics.traffic(),
            estimates=_estimates(topics, namespace, reader.topics),
            truth=_shapes(topics.messages(f'{namespace}/truth/shape')),
            tendons=_tendons(topics.messages(f'{namespace}/tendon/state')),
            chambers=_chambers(topics.messages(f'{namespace}/pressure/state')),
            markers=_markers(topics.messages(f'{namespace}/markers')),
        )


def _namespace(folder: str | Path, reader: AnyReader) -> str:
    """The part of the topics' names that stands for the robot, such as `/tendon_arm`."""
    tails = (_ESTIMATE, '/truth/shape', '/tendon/state', '/pressure/state')
    found = {topic.removesuffix(tail) for topic in reader.topics for tail in tails if topic.endswith(tail)}
    found = {name.removesuffix('/plant') for name in found}
    # observers that are compared have namespaces of their own within the robot's
    found -= {name for name in found for other in found if other and name.startswith(f'{other}/')}
    if len(found) > 1:
        raise ValueError(
            f'{folder} holds several robots: {", ".join(sorted(found))}; record each into a bag of its own'
        )
    return found.pop() if found else ''


class _Topics:
    """Receive times and stamps of all topics, and the messages of one."""

    def __init__(self, reader: AnyReader) -> None:
        self._reader = reader
        self._types = {name: info.connections[0].msgtype for name, info in reader.topics.items()}

    def traffic(self) -> dict[str, Traffic]:
        """Of each topic that has messages."""
        received: dict[str, list[float]] = {}
        heads: dict[str, list[bytes]] = {}
        for connection, time, raw in self._reader.messages():
            received.setdefault(connection.topic, []).append(self._seconds(time))
            # A header comes first: four bytes of CDR encapsulation, then seconds and nanoseconds.
            heads.setdefault(connection.topic, []).append(raw[4:12])
        return {
            name: Traffic(
                type=self._types[name],
                received=np.array(received[name]),
                stamp=self._stamps(heads[name]) if self._has_header(name) else None,
            )
            for name in sorted(received)
        }

    def messages(self, topic: str) -> Iterator[tuple[float, Any]]:
        """(stamp [s], message) of a topic whose type has a header."""
        connections = [c for c in self._reader.connections if c.topic == topic]
        for _, _, raw in self._reader.messages(connections) if connections else ():
            message = self._reader.deserialize(raw, self._types[topic])
            stamp = message.header.stamp
            yield self._seconds(stamp.sec * 10**9 + stamp.nanosec), message

    def _stamps(self, heads: list[bytes]) -> np.ndarray:
        seconds, nanoseconds = np.frombuffer(b''.join(heads), dtype='<u4').reshape(-1, 2).astype(np.int64).T
        return np.array([self._seconds(time) for time in seconds * 10**9 + nanoseconds])

    def _has_header(self, topic: str) -> bool:
        fields = self._reader.typestore.fielddefs[self._types[topic]][1]
        return bool(fields) and fields[0][1][1] == 'std_msgs/msg/Header'

    def _seconds(self, nanoseconds: int) -> float:
        """Since the start of the bag: times since the epoch do not fit into a float."""
        return (int(nanoseconds) - self._reader.start_time) * _NANO


def _estimates(topics: _Topics, namespace: str, names: Iterable[str]) -> dict[str, ShapeSeries]:
    found = {}
    for topic in sorted(names):
        if topic.startswith(f'{namespace}/') and topic.endswith(_ESTIMATE):
            name = topic[len(namespace) : -len(_ESTIMATE)].strip('/') or 'estimate'
            found[name] = _shapes(topics.messages(topic))
    return {name: shapes for name, shapes in found.items() if shapes is not None}


def _shapes(messages: Iterator[tuple[float, Any]]) -> ShapeSeries | None:
    rows = sorted(messages, key=itemgetter(0))
    if not rows:
        return None
    n = len(rows[0][1].arc_length)
    if any(len(message.arc_length) != n for _, message in rows):
        raise ValueError('a shape topic changes its number of stations during the run')
    return ShapeSeries(
        stamp=np.array([stamp for stamp, _ in rows]),
        arc_length=np.array([message.arc_length for _, message in rows]),
        position=np.array([message.position for _, message in rows]).reshape(-1, n, 3),
        orientation_xyzw=np.array([message.orientation_xyzw for _, message in rows]).reshape(-1, n, 4),
        strain=np.array([message.strain for _, message in rows]).reshape(-1, n, 6),
    )


def _tendons(messages: Iterator[tuple[float, Any]]) -> TendonSeries | None:
    rows = sorted(messages, key=itemgetter(0))
    if not rows:
        return None
    return TendonSeries(
        stamp=np.array([stamp for stamp, _ in rows]),
        names=tuple(rows[0][1].name),
        tension=np.array([message.tension for _, message in rows]),
        command=np.array([message.command for _, message in rows]),
        displacement=np.array([message.displacement for _, message in rows]),
    )


def _chambers(messages: Iterator[tuple[float, Any]]) -> ChamberSeries | None:
    rows = sorted(messages, key=itemgetter(0))
    if not rows:
        return None

    def optional(field: str) -> np.ndarray | None:
        columns = [getattr(message, field) for _, message in rows]
        return np.array(columns) if all(len(column) for column in columns) else None

    return ChamberSeries(
        stamp=np.array([stamp for stamp, _ in rows]),
        names=tuple(rows[0][1].name),
        pressure=np.array([message.pressure for _, message in rows]),
        command=optional('command'),
        opening=optional('opening'),
    )


def _markers(messages: Iterator[tuple[float, Any]]) -> dict[str, MarkerSeries]:
    seen: dict[str, list[tuple[float, np.ndarray]]] = {}
    for stamp, message in sorted(messages, key=itemgetter(0)):
        positions = message.position.reshape(-1, 3)
        for name, position, valid in zip(message.name, positions, message.valid, strict=True):
            if valid:
                seen.setdefault(name, []).append((stamp, position))
    return {
        name: MarkerSeries(np.array([t for t, _ in rows]), np.array([p for _, p in rows]))
        for name, rows in seen.items()
    }
