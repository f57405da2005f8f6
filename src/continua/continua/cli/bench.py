"""`continua bench`: what the numerical core costs on this machine."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

__all__ = ['bench']

bench = typer.Typer(
    name='bench', add_completion=False, help='Measure the numerical core; one core, best of several batches.'
)


@bench.callback(invoke_without_command=True)
def _all(context: typer.Context) -> None:
    """Measure the numerical core; one core, best of several batches."""
    if context.invoked_subcommand is None:
        rod()


@bench.command()
def rod(
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of a table.')] = False,
) -> None:
    """Rod engine: evaluations, statics, motion against a fine reference, shape estimate."""
    from continua.bench.rod import measure_rod

    with Console(stderr=True).status('Measuring the rod engine (about half a minute)'):
        figures = measure_rod()
    if as_json:
        typer.echo(json.dumps([vars(figure) for figure in figures], indent=2))
        return
    table = Table(title='rod engine', title_justify='left', box=None)
    table.add_column('what')
    table.add_column('value', justify='right')
    table.add_column('unit')
    for figure in figures:
        table.add_row(figure.name, f'{figure.value:.4g}', figure.unit)
    Console().print(table)
