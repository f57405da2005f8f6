"""Poses and motions out of recorded runs.

A pose is a time in which the applied tensions did not change: its second half, where the robot rests. Tension
is what the load cells measured. A motion begins where the commanded tensions fall most at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.identification.observations import Motion, Poses
from continua.io.run import Run, load_run

__all__ = ['Recording', 'poses_of', 'release_of']

_SAME = 1e-3  # N, changes of a command that do not count
_SHORTEST = 1.0  # s, of a plateau
_LONGEST = 4.0  # s, of a motion
# Markers at rest scatter as much from sample to sample as over the whole time, but for chance.
_MOVING = 1.5


@dataclass(frozen=True)
class Recording:
    """A bag's readings: time (s,) s of markers (s, M, 3) m, NaN where not seen; stamp (N,) s of the tensions
    (N, m) N measured and commanded."""

    label: str
    time: np.ndarray
    marker: np.ndarray
    stamp: np.ndarray
    tension: np.ndarray
    command: np.ndarray

    @classmethod
    def load(cls, folder: Path, inputs: Sequence[str], markers: Sequence[str]) -> 'Recording':
        """Inputs and markers by name, in this order. Raises ValueError where the bag lacks what it needs."""
        run = load_run(folder)
        unknown = set(inputs) - set(run.tendons.names if run.tendons else ())
        if unknown:
            raise ValueError(
                f'{folder} holds no tension of {", ".join(sorted(unknown))}: record tendon/state'
            )
        if not set(markers) & set(run.markers):
            raise ValueError(f'{folder} holds no marker of {", ".join(markers)}: record markers')
        index = [run.tendons.names.index(name) for name in inputs]
        tension, command = (
            np.nan_to_num(each[:, index]) for each in (run.tendons.tension, run.tendons.command)
        )
        return cls(Path(folder).name, *_markers(run, markers), run.tendons.stamp, tension, command)

    def tensions(self, begin: float, end: float) -> np.ndarray:
        """(k, m) N, those measured between two times."""
        return self.tension[(self.stamp >= begin) & (self.stamp <= end)]

    def plateaus(self) -> list[tuple[float, float]]:
        """Begin and end (s) of the times without a change of command, of a second and more."""
        changes = np.flatnonzero(np.abs(np.diff(self.command, axis=0)).max(axis=1, initial=0.0) > _SAME)
        begins, ends = np.r_[0, changes + 1], np.r_[changes, self.stamp.size - 1]
        spans = zip(self.stamp[begins], self.stamp[ends], strict=True)
        return [(float(begin), float(end)) for begin, end in spans if end - begin >= _SHORTEST]


def poses_of(recordings: Sequence[tuple[Recording, float]]) -> tuple[Poses | None, tuple[str, ...]]:
    """Poses of recordings, each with the weight (kg) that hung from the robot, and a sentence for each that
    was left out; None where no pose is left."""
    rows, sentences = [], []
    for recording, weight in recordings:
        found = list(_rests(recording))
        rows += [(tension, weight, marker, label) for tension, marker, label, moves in found if not moves]
        moving = [label for _, _, label, moves in found if moves]
        if moving:
            sentences.append(
                f'{len(moving)} of {len(found)} poses of {recording.label} left out: the markers still moved '
                f'in {", ".join(moving)}; hold each tension longer'
            )
    if not rows:
        return None, tuple(sentences)
    tension, weight, marker, label = zip(*rows, strict=True)
    return Poses(np.array(tension), np.array(weight, dtype=float), np.array(marker), label), tuple(sentences)


def release_of(recording: Recording) -> Motion:
    """The motion after the largest fall of tension. Raises ValueError where none is recorded."""
    plateaus = recording.plateaus()
    at = np.searchsorted(recording.stamp, [end for _, end in plateaus])
    after = np.minimum(at + 1, recording.stamp.size - 1)
    falls = np.sum(recording.command[at] - recording.command[after], axis=1)
    if not falls.size or falls.max() <= _SAME:
        raise ValueError(
            f'{recording.label}: no tension falls after a hold of {_SHORTEST:g} s or more; record a release'
        )
    begin, release = plateaus[int(np.argmax(falls))]
    until = min([end for _, end in plateaus if end > release] or [np.inf])
    # the sample before belongs to the rest that the motion starts from
    first = max(int(np.searchsorted(recording.time, release, side='right')) - 1, 0)
    time = recording.time[first:]
    count = int(np.searchsorted(time, min(until, time[0] + _LONGEST), side='right'))
    time, marker = time[:count], recording.marker[first : first + count]
    tension = np.array([np.interp(time, recording.stamp, column) for column in recording.tension.T]).T
    before = recording.tensions(0.5 * (begin + release), release)
    tension[0] = before.mean(axis=0)
    _quieten(tension, before.std(axis=0))
    return Motion(time, tension, marker, recording.label)


def _quieten(tension: np.ndarray, noise: np.ndarray) -> None:
    """Replace, in place, the end of each tension (s, m) by its mean, from twice the time on after which it
    stays within the scatter (m,) that it has at rest: noise in an input would excite the model, and nothing
    excites the robot."""
    for column, own in zip(tension.T, noise, strict=True):
        loud = np.abs(column - column[column.size // 2 :].mean()) > 5.0 * own + _SAME
        quiet = 2 * int(np.flatnonzero(loud).max(initial=0)) + 1
        if quiet < column.size:
            column[quiet:] = column[quiet:].mean()


def _rests(recording: Recording) -> Iterator[tuple[np.ndarray, np.ndarray, str, bool]]:
    """Tension (m,), markers (M, 3), a label, and whether it still moved, of each plateau."""
    for begin, end in recording.plateaus():
        middle = 0.5 * (begin + end)
        during = (recording.time >= middle) & (recording.time <= end)
        markers = recording.marker[during]
        seen = np.any(np.isfinite(markers), axis=(0, 2))
        if not np.any(seen):
            continue
        mean = np.full(markers.shape[1:], np.nan)
        mean[seen] = np.nanmean(markers[:, seen], axis=0)
        label = f'{recording.label} {begin:.1f}-{end:.1f} s'
        yield recording.tensions(middle, end).mean(axis=0), mean, label, _moves(markers)


def _moves(markers: np.ndarray) -> bool:
    """Whether markers (s, M, 3) wander more than they jump from one sample to the next."""
    tracks = [track[np.isfinite(track[:, 0])] for track in markers.transpose(1, 0, 2)]
    jumps = np.concatenate([np.diff(track, axis=0) for track in tracks])
    wander = np.concatenate([track - track.mean(axis=0) for track in tracks if len(track)])
    return bool(np.sum(wander**2) > _MOVING**2 * max(np.sum(jumps**2) / 2.0, 1e-12))


def _markers(run: Run, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Times (s,) at which any marker was seen, and the markers (s, M, 3) then."""
    seen = [run.markers.get(name) for name in names]
    time = np.unique(np.concatenate([each.stamp for each in seen if each is not None]))
    marker = np.full((time.size, len(names), 3), np.nan)
    for i, each in enumerate(seen):
        if each is not None:
            marker[np.searchsorted(time, each.stamp), i] = each.position
    return time, marker
