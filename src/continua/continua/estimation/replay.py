"""Measurements that come late, twice or after gaps: beliefs are kept for a while, and made again if needed.

    replay = Replay(observer.step, lambda u: observer.begin(rod.statics(u).q), window=0.2)
    arrival = replay.add('tendons', stamp, now, reading, u)
    replay.belief, replay.stamp                       # after the newest measurement

A late measurement takes its place in time, and the beliefs from there on are made again. The result depends
on what has arrived, not on the order in which it did. Inputs are known at the stamps of the measurements that
bring them; between two of these they change linearly, after the last they stay.
"""

import bisect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ['Arrival', 'Replay']


@dataclass(frozen=True)
class Arrival:
    """What became of a measurement.

    status: 'newest', 'late' (it had its place among others), 'started' (the first one, or the first after a
    gap, gave only the inputs), 'restarted' (readings could not be used for a whole window). Not taken:
    'future', 'stale', 'repeated', 'no_input'. info: of the observer's step, where there was one. steps: how
    often the observer stepped. message: one sentence.
    """

    status: str
    message: str
    info: Any = None
    steps: int = 0

    @property
    def is_taken(self) -> bool:
        return self.status in ('newest', 'late', 'started', 'restarted')


@dataclass
class _Event:
    """A measurement and the belief after it. u: inputs at its stamp, measured where it brings_input."""

    stamp: float
    kind: str
    measurement: Any
    u: np.ndarray
    brings_input: bool
    belief: Any = None
    info: Any = None

    @property
    def place(self) -> tuple[float, bool, str]:
        """Of several with one stamp, those that bring inputs come first: the others wait for them."""
        return self.stamp, not self.brings_input, self.kind


class Replay:
    """Gives an observer its measurements in the order of their stamps.

    belief, stamp: after the newest measurement, None before the first.
    """

    def __init__(
        self,
        step: Callable[[Any, Any, np.ndarray, float], tuple[Any, Any]],
        begin: Callable[[np.ndarray], Any],
        window: float = 0.2,
        lead: float = 0.01,
        longest_step: float = 0.05,
    ):
        """step: (belief, measurement or None, u, dt) -> belief, info, which has `status` and `rejected` as
        `SdreInfo`. begin: u -> belief to start from. window: s, older measurements are refused, and a longer
        gap is a new start. lead: s, stamps farther ahead of the clock are refused. longest_step: s, longer
        ones are divided. Raises ValueError where one of these times is not positive.
        """
        for name, value in {'window': window, 'lead': lead, 'longest_step': longest_step}.items():
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(f'{name}: expected a time above 0 s, got {value}')
        self._step, self._begin = step, begin
        self._window, self._lead, self._longest_step = window, lead, longest_step
        # In order; the first is the oldest belief that can be returned to.
        self._events: list[_Event] = []

    @property
    def belief(self) -> Any:
        return self._events[-1].belief if self._events else None

    @property
    def stamp(self) -> float | None:
        return self._events[-1].stamp if self._events else None

    def restart(self) -> None:
        """Forget everything; the next measurement with inputs is the first."""
        self._events.clear()

    def add(
        self, kind: str, stamp: float, now: float, measurement: Any, u: np.ndarray | None = None
    ) -> Arrival:
        """Take a measurement of `stamp` s at the time `now` s.

        kind: what measures; each kind has one measurement at a stamp. u (m,): inputs that acted at the
        stamp, where the measurement tells them.
        """
        refused = self._refusal(kind, stamp, now, u)
        if refused:
            return refused
        if not self._events or stamp - self._events[-1].stamp > self._window:
            return self._start(kind, stamp, u)
        event = _Event(stamp, kind, measurement, u, u is not None)
        place = bisect.bisect(self._events, event.place, key=lambda each: each.place)
        is_newest = place == len(self._events)
        self._events.insert(place, event)
        steps = self._run(self._first_changed(place) if event.brings_input else place)
        if self._is_lost():
            self._events = [self._started(kind, self._events[-1].stamp, self._events[-1].u)]
            sentence = f'no reading could be used for {self._window:g} s; started again'
            return Arrival('restarted', sentence, event.info, steps)
        self._trim()
        return Arrival('newest' if is_newest else 'late', event.info.message, event.info, steps)

    def _refusal(self, kind: str, stamp: float, now: float, u: np.ndarray | None) -> Arrival | None:
        if self._events and self._events[-1].stamp > now + self._lead:
            self.restart()  # the clock went back
        if not stamp <= now + self._lead:
            return Arrival('future', f'the stamp is {stamp - now:.3f} s ahead of the clock')
        if any((each.stamp, each.kind) == (stamp, kind) for each in self._events):
            return Arrival('repeated', f'there are {kind} of this stamp already')
        if now - stamp > self._window or (self._events and stamp <= self._events[0].stamp):
            return Arrival(
                'stale', f'{now - stamp:.3f} s old; beliefs go back {self._window:g} s, and to the start'
            )
        if u is None and not any(each.brings_input for each in self._events):
            return Arrival('no_input', f'no inputs are known for {kind} yet')
        return None

    def _start(self, kind: str, stamp: float, u: np.ndarray | None) -> Arrival:
        if u is None:
            return Arrival('no_input', f'no inputs for {self._window:g} s before these {kind}')
        self._events = [self._started(kind, stamp, u)]
        return Arrival('started', 'started', steps=0)

    def _started(self, kind: str, stamp: float, u: np.ndarray) -> _Event:
        return _Event(stamp, kind, None, u, True, self._begin(u))

    def _first_changed(self, place: int) -> int:
        """The first event that new inputs at `place` change: the one behind the last inputs before."""
        last = next((i for i in range(place - 1, 0, -1) if self._events[i].brings_input), 0)
        return bisect.bisect(self._events, self._events[last].stamp, last, key=lambda each: each.stamp)

    def _run(self, first: int) -> int:
        """Make the beliefs from event `first` on; how many steps that took."""
        steps = 0
        for i in range(first, len(self._events)):
            last, event = self._events[i - 1], self._events[i]
            duration = event.stamp - last.stamp
            if not event.brings_input:
                event.u = self._interpolated(i)
            count = max(1, math.ceil(duration / self._longest_step - 1e-9))
            belief = last.belief
            for k in range(count):
                share = (k + 0.5) / count
                u = (1.0 - share) * last.u + share * event.u
                measurement = event.measurement if k == count - 1 else None
                belief, event.info = self._step(belief, measurement, u, duration / count)
            event.belief = belief
            steps += count
        return steps

    def _interpolated(self, i: int) -> np.ndarray:
        """Inputs (m,) at event i, which brings none."""
        last, event = self._events[i - 1], self._events[i]
        after = next((each for each in self._events[i + 1 :] if each.brings_input), None)
        if after is None:
            return last.u
        return last.u + (after.u - last.u) * ((event.stamp - last.stamp) / (after.stamp - last.stamp))

    def _is_lost(self) -> bool:
        """Whether readings came for a whole window and none could be used."""
        infos = [each.info for each in self._events if each.info is not None]
        return (
            self._events[-1].stamp - self._events[0].stamp >= self._window
            and not any(info.status == 'corrected' for info in infos)
            and any(info.status == 'failed' or info.rejected for info in infos)
        )

    def _trim(self) -> None:
        """Keep the window, and the event before it."""
        oldest = self._events[-1].stamp - self._window
        keep = bisect.bisect_right(self._events, oldest, key=lambda each: each.stamp) - 1
        del self._events[: max(keep, 0)]
