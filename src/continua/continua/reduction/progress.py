"""A progress bar on standard error, where a person watches."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Bar

from continua.reduction.pool import Progress

__all__ = ['progress_bar']


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """Gives the callback that moves the bar; nothing is drawn where standard error is no terminal."""
    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
