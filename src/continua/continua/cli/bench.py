"""`continua bench`: what the numerical core costs on this machine."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from continua.bench.figure import Figure

__all__ = ['bench']

bench = typer.Typer(
    name='bench', add_completion=False, help='Measure the numerical core; one core, best of several batches.'
)
_Json = Annotated[bool, typer.Option('--json', help='Print JSON instead of a table.')]


@bench.callback(invoke_without_command=True)
def _all(context: typer.Context) -> None:
    """Measure the numerical core; one core, best of several batches."""
    if context.invoked_subcommand is None:
        rod()


@bench.command()
def rod(
    quick: Annotated[
        bool, typer.Option('--quick', help='No peers, and fewer time steps: under a minute.')
    ] = False,
    as_json: _Json = False,
) -> None:
    """Rod engine: evaluations against the floor, statics, motion against a fine reference, other codes."""
    from continua.bench.peers import HOW_TO_INSTALL, missing_peers
    from continua.bench.rod import measure_rod

    missing = missing_peers()
    if missing and not quick:
        typer.echo(f'Not compared with {" and ".join(missing)}; to be: {HOW_TO_INSTALL}', err=True)
    _report('rod engine', measure_rod(quick), as_json)


@bench.command(name='compile')
def compile_kernels(as_json: _Json = False) -> None:
    """The kernels' compilation in an empty cache, and their loading from it."""
    from continua.bench.compilation import measure_compilation

    _report('kernels', measure_compilation(), as_json)


def _report(title: str, measured: Iterator['Figure'], as_json: bool) -> None:
    figures = []
    with Console(stderr=True).status(f'Measuring: {title}') as status:
        for figure in measured:
            figures.append(figure)
            status.update(f'Measuring: {title}, last: {figure.name.strip()}')
    if as_json:
        typer.echo(json.dumps([vars(figure) for figure in figures], indent=2))
        return
    table = Table(title=title, title_justify='left', box=None)
    table.add_column('what')
    table.add_column('value', justify='right')
    table.add_column('unit')
    for figure in figures:
        table.add_row(figure.name, f'{figure.value:.4g}', figure.unit)
    Console().print(table)
