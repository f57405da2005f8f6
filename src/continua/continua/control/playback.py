"""Playing a reference: waiting for the robot, pausing, ending, and a robot at rest when it does not play."""

import math
from enum import Enum

import numpy as np

from continua.control.references import Reference

__all__ = ['Playback', 'State']


class State(Enum):
    """State of a Playback; the value is a sentence for people."""

    WAITING = 'waiting for the robot'
    PLAYING = 'playing'
    PAUSED = 'paused; call enable'
    FINISHED = 'finished; enable plays it again'


class Playback:
    """A reference that advances only while it is enabled and the robot is ready.

    state: one of State. elapsed: time of the reference [s], negative during the delay.
    """

    def __init__(self, reference: Reference, duration: float, delay: float, is_enabled: bool) -> None:
        """duration: s after which it ends at the latest. delay: s from ready to start."""
        self._reference = reference
        self._duration = min(duration, reference.duration)
        self._delay = delay
        self._last = -math.inf
        self._is_pulling = False
        self.elapsed = -delay
        self.state = State.WAITING if is_enabled else State.PAUSED

    def enable(self) -> None:
        """Go on, or begin again where it has finished."""
        if self.state is State.FINISHED:
            self.elapsed = -self._delay
        if self.state is not State.PLAYING:
            self.state = State.WAITING

    def pause(self) -> None:
        """Stop where it is."""
        if self.state is not State.FINISHED:
            self.state = State.PAUSED

    def step(self, now: float, is_ready: bool) -> np.ndarray | None:
        """Values (n,) to command at `now` s: the reference while it plays, 0 once afterwards, else None.

        The single 0 makes tendons slack and vents chambers at once; after it the commands are free for
        somebody else.
        """
        was_playing = self.state is State.PLAYING
        if self.state in (State.WAITING, State.PLAYING):
            self.state = State.PLAYING if is_ready else State.WAITING
        if self.state is State.PLAYING and was_playing:
            self.elapsed += max(now - self._last, 0.0)
            if self.elapsed >= self._duration:
                self.state = State.FINISHED
        self._last = now

        was_pulling = self._is_pulling
        self._is_pulling = self.state is State.PLAYING and self.elapsed >= 0.0
        if self._is_pulling:
            return self._reference(self.elapsed)
        return np.zeros_like(self._reference.low) if was_pulling else None
