"""What an experiment is, and what it gives."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

__all__ = ['Experiment', 'Number', 'Setting', 'at_least', 'at_most']


@dataclass(frozen=True)
class Number:
    """One number of a study.

    paper: what the paper reports, None where it does not. goal: in words, empty where there is none. met:
    whether ours meets it, None where there is none.
    """

    name: str
    ours: float
    unit: str = ''
    paper: float | None = None
    goal: str = ''
    met: bool | None = None


def at_most(name: str, ours: float, limit: float, unit: str = '', paper: float | None = None) -> Number:
    """A number that shall not exceed a limit in the same unit."""
    return Number(name, float(ours), unit, paper, f'at most {limit:.4g}', bool(ours <= limit))


def at_least(name: str, ours: float, limit: float, unit: str = '', paper: float | None = None) -> Number:
    """A number that shall reach a limit in the same unit."""
    return Number(name, float(ours), unit, paper, f'at least {limit:.4g}', bool(ours >= limit))


@dataclass(frozen=True)
class Setting:
    """How an experiment runs: `quick` on a smaller sample; figures into the folder `out`; `say` takes one
    line on the progress."""

    quick: bool
    out: Path
    say: Callable[[str], None]

    def save(self, figure: Figure, name: str) -> None:
        """Write a figure to `out`/`name`.png."""
        figure.savefig(self.out / f'{name}.png', dpi=110, metadata={'Software': None})


@dataclass(frozen=True)
class Experiment:
    """A study of a paper: what it is, what the paper reports and what we want, in words; `run` yields its
    numbers. seed: of all random numbers of the study, None where there are none."""

    id: str
    title: str
    source: str
    paper: str
    goal: str
    run: Callable[[Setting], Iterator[Number]]
    seed: int | None = None
