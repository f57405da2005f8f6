"""What is wrong with a robot file, said so that the reader can put it right."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

SHOWN = 20
"""Problems that one error message lists; the rest is counted."""

Location = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where it is, what it is, what was expected and found, and how to mend it."""

    file: str
    line: int | None
    key: str
    what: str
    expected: str = ''
    got: str = ''
    fix: str = ''

    def __str__(self) -> str:
        place = self.file if self.line is None else f'{self.file}:{self.line}'
        subject = f'{self.key}: {self.what}' if self.key else self.what
        contrast = [f'expected {self.expected}'] if self.expected else []
        contrast += [f'got {self.got}'] if self.got else []
        clauses = [subject, ', '.join(contrast), self.fix]
        return f'{place}: ' + '; '.join(clause for clause in clauses if clause)


class RobotFileError(ValueError):
    """A robot file that cannot be used; `problems` holds every reason found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f'... and {len(self.problems) - SHOWN} more')
        super().__init__('\n'.join(lines))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The known names near to `name` as a question, or all of them when none is near."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    if near:
        return 'did you mean ' + ' or '.join(repr(each) for each in near) + '?'
    return 'known: ' + ', '.join(known) if known else 'there are none'


def refusal(what: str, expected: str, got: str, fix: str) -> PydanticCustomError:
    """The error that a validator raises; the loader turns it into a `Problem`."""
    details = {'what': what, 'expected': expected, 'got': got, 'fix': fix}
    return PydanticCustomError('refusal', '{what}; expected {expected}, got {got}; {fix}', details)


class Refusals:
    """Collects the refusals of a check that concerns several keys, to raise them together."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._details: list[InitErrorDetails] = []

    def __len__(self) -> int:
        return len(self._details)

    def add(self, where: Location, value: Any, what: str, expected: str, got: str, fix: str) -> None:
        """Refuse the `value` found at `where`, a location relative to the model that is checked."""
        error = refusal(what, expected, got, fix)
        self._details.append(InitErrorDetails(type=error, loc=where, input=value))

    def raise_any(self) -> None:
        """Raise pydantic's ValidationError if anything was refused."""
        if self._details:
            raise ValidationError.from_exception_data(self.title, self._details)
