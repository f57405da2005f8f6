"""What a recorded run holds of a pneumatic robot: its tip and its setpoints, at even samples."""

from pathlib import Path

import numpy as np

from continua.io.bag_reader import open_bag

__all__ = ['load_tip_and_pressures']


def load_tip_and_pressures(
    folder: Path, names: tuple[str, ...], marker: str, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Tip positions (k, 3) m and setpoints in force (k, m) Pa in the order of `names`, `rate` (Hz) a second.

    The tip is that of tip_pose, or else the marker of that name, linear between messages; a setpoint stays
    until the next one. Raises ValueError where the folder is no bag, or holds too little of these.
    """
    tips: list[tuple[float, list[float]]] = []
    markers: list[tuple[float, list[float]]] = []
    pressures: list[tuple[float, list[float]]] = []
    with open_bag(folder) as reader:
        for connection, _, raw in reader.messages():
            message = reader.deserialize(raw, connection.msgtype) if _is_ours(connection.topic) else None
            if message is None:
                continue
            time = 1e-9 * (
                message.header.stamp.sec * 10**9 + message.header.stamp.nanosec - reader.start_time
            )
            if connection.topic.endswith('/tip_pose'):
                p = message.pose.position
                tips.append((time, [p.x, p.y, p.z]))
            elif connection.topic.endswith('/markers') and marker in message.name:
                i = list(message.name).index(marker)
                if message.valid[i]:
                    markers.append((time, message.position[3 * i : 3 * i + 3]))
            elif connection.topic.endswith('/pressure/state') and set(names) <= set(message.name):
                order = [list(message.name).index(name) for name in names]
                if len(message.command):
                    pressures.append((time, np.array(message.command)[order]))
    tip = tips or markers
    if len(tip) < 2 or not pressures:
        raise ValueError(
            f'{folder}: expected tip_pose or marker {marker!r}, and pressure/state with setpoints of '
            f'{", ".join(names)}; got {len(tip)} and {len(pressures)} messages'
        )
    (t, y), (t_u, u) = (_sorted(series) for series in (tip, pressures))
    grid = np.arange(max(t[0], t_u[0]), min(t[-1], t_u[-1]), 1.0 / rate)
    last = np.searchsorted(t_u, grid, side='right') - 1
    return np.stack([np.interp(grid, t, column) for column in y.T], axis=1), u[last]


def _is_ours(topic: str) -> bool:
    return topic.endswith(('/tip_pose', '/markers', '/pressure/state')) and '/plant/' not in topic


def _sorted(series: list) -> tuple[np.ndarray, np.ndarray]:
    """Times (k,) that rise, and values (k, n); of messages with one stamp the first."""
    time, first = np.unique([row[0] for row in series], return_index=True)
    return time, np.array([row[1] for row in series], dtype=float)[first]
