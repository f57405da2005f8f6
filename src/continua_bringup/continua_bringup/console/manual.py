"""Who commands the tendons: the reference player, or the operator's sliders. Decisions only, no ROS."""

from __future__ import annotations

from enum import Enum

__all__ = ['ManualControl', 'State']


class State(Enum):
    """Off: the console commands nothing. Asked: the player was asked to pause. On: the sliders command."""

    OFF = 'off'
    ASKED = 'asked'
    ON = 'on'


class ManualControl:
    """Manual control: it begins when the player has paused and lasts only while somebody looks at the page.

    release_after: [s] without anybody looking after which it ends.
    """

    def __init__(self, release_after: float) -> None:
        self._release_after = release_after
        self.state = State.OFF
        self.has_paused_player = False

    def ask(self) -> None:
        """The operator wants manual control, and the player is being asked to pause."""
        self.state = State.ASKED

    def begin(self, has_paused_player: bool) -> None:
        """The player is out of the way, paused by us or absent. Without effect when no longer asked."""
        self.has_paused_player |= has_paused_player
        if self.state is State.ASKED:
            self.state = State.ON

    def end(self) -> None:
        """Command nothing from now on; the player stays as it is."""
        self.state = State.OFF

    def resume_player(self) -> bool:
        """Whether the player is paused by us and has to be resumed; forgets it."""
        paused, self.has_paused_player = self.has_paused_player, False
        return paused

    def watch(self, absence: float) -> bool:
        """End manual control and return True when nobody has looked for too long (`absence` s)."""
        if self.state is State.OFF or absence <= self._release_after:
            return False
        self.state = State.OFF
        return True
