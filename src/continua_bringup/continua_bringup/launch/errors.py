"""What is wrong with a launch file, and where."""

import difflib
from collections.abc import Iterable


class LaunchError(ValueError):
    """A launch file, or what it asks for, is wrong; raised before any process starts."""

    def __init__(self, message: str, file: str = '', line: int = 0):
        super().__init__(message)
        self.message, self.file, self.line = message, file, line

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: {self.message}' if self.file else self.message

    def at(self, file: str, line: int) -> 'LaunchError':
        """The same error with a place, unless it has one already (the innermost place is the useful one)."""
        return self if self.file else LaunchError(self.message, file, line)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'a' or 'b'?)` for a message, or nothing where no known word is near."""
    near = difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f' (did you mean {" or ".join(repr(match) for match in near)}?)' if near else ''


def listed(words: Iterable[str]) -> str:
    """Words for a message, in order: `a, b, c`, or `none`."""
    return ', '.join(words) or 'none'
