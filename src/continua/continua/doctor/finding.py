"""A check and what it finds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = ['Check', 'Finding', 'Row', 'fail', 'ok', 'run_checks', 'warn']

Status = Literal['ok', 'warn', 'fail']


@dataclass(frozen=True)
class Finding:
    """What a check found; `fail` means that the experiments cannot run before `remedy` is done."""

    status: Status
    found: str
    remedy: str = ''


@dataclass(frozen=True)
class Check:
    """A name and the function that looks."""

    name: str
    look: Callable[[], Finding]


@dataclass(frozen=True)
class Row:
    """One line of the doctor's table."""

    check: str
    status: Status
    found: str
    remedy: str


def ok(found: str, remedy: str = '') -> Finding:
    """All is well; `remedy` may tell how to have more."""
    return Finding('ok', found, remedy)


def warn(found: str, remedy: str) -> Finding:
    """Something works less well, or not at all though not everyone needs it."""
    return Finding('warn', found, remedy)


def fail(found: str, remedy: str) -> Finding:
    """Experiments cannot run."""
    return Finding('fail', found, remedy)


def run_checks(checks: Iterable[Check]) -> list[Row]:
    """Run each check; one that raises has failed, and the others still run."""
    rows = []
    for check in checks:
        try:
            finding = check.look()
        except Exception as error:
            finding = fail(f'the check broke: {type(error).__name__}: {error}', 'report this as a bug')
        rows.append(Row(check.name, finding.status, finding.found, finding.remedy))
    return rows
