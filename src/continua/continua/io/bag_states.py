"""Generalised coordinates that a recorded run holds, with the commands under which they were."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.io.bag_reader import open_bag
from continua.io.run import load_run

__all__ = ['BagStates', 'load_states']

# The truth of a simulated robot, or else what was estimated.
_TOPICS = ('truth/state', 'estimate/state')


@dataclass(frozen=True)
class BagStates:
    """States of the model `model_id`. time: (N,) s since the start of the bag. q: (N, n). u: (N, m) N, the
    applied tensions, NaN of tendons that were not recorded."""

    model_id: str
    time: np.ndarray
    q: np.ndarray
    u: np.ndarray


def load_states(folder: Path, tendons: tuple[str, ...]) -> BagStates:
    """Read the states of a bag, with tensions in the order of `tendons`.

    Raises ValueError where the folder is no bag, or holds no states of one model.
    """
    run, rows = load_run(folder), []
    with open_bag(folder) as reader:
        topics = [f'{run.namespace}/{topic}' for topic in _TOPICS]
        topic = next((topic for topic in topics if topic in reader.topics), None)
        connections = [each for each in reader.connections if each.topic == topic]
        for connection, _, raw in reader.messages(connections) if connections else ():
            message = reader.deserialize(raw, connection.msgtype)
            stamp = message.header.stamp
            time = 1e-9 * (stamp.sec * 10**9 + stamp.nanosec - reader.start_time)
            rows.append((time, message.model_id, np.array(message.q)))
    if not rows:
        raise ValueError(f'{folder} holds no state: expected messages of {" or ".join(topics)}')
    rows.sort(key=lambda row: row[0])
    models = {model_id for _, model_id, _ in rows}
    if len(models) > 1:
        raise ValueError(f'{folder} holds states of several models: {", ".join(sorted(models))}')
    time = np.array([row[0] for row in rows])
    return BagStates(models.pop(), time, np.array([row[2] for row in rows]), _tensions(run, tendons, time))


def _tensions(run, names: tuple[str, ...], time: np.ndarray) -> np.ndarray:
    """(N, m) N: the command that was last applied at each time, the first one before."""
    u = np.full((time.size, len(names)), np.nan)
    if run.tendons is not None:
        last = np.clip(np.searchsorted(run.tendons.stamp, time, side='right') - 1, 0, None)
        for k, name in enumerate(names):
            if name in run.tendons.names:
                u[:, k] = run.tendons.command[last, run.tendons.names.index(name)]
    return u
