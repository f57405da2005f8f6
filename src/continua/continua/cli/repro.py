"""`continua repro`: the studies of the papers, redone."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

__all__ = ['repro']

repro = typer.Typer(
    name='repro', no_args_is_help=True, add_completion=False, help='Redo the studies of the papers.'
)


@repro.command(name='list')
def list_experiments(
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of a table.')] = False,
) -> None:
    """What can be run: ids, what the papers report and what is wanted here."""
    from continua.repro.registry import EXPERIMENTS

    columns = ('id', 'title', 'paper', 'goal', 'source')
    rows = [{name: getattr(experiment, name) for name in columns} for experiment in EXPERIMENTS]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow='fold', no_wrap=name == 'id')
    for row in rows:
        table.add_row(*row.values())
    Console().print(table)


@repro.command()
def run(
    name: Annotated[str, typer.Argument(metavar='ID', help='An id of `continua repro list`.')],
    quick: Annotated[
        bool, typer.Option('--quick', help='A smaller sample: under two minutes on two cores.')
    ] = False,
    out: Annotated[Path, typer.Option(help='Folder for ID.json and the figures.')] = Path('runs/repro'),
    as_json: Annotated[bool, typer.Option('--json', help='Print the JSON instead of a table.')] = False,
) -> None:
    """Run one experiment; write DIR/ID.json and its figures. Progress goes to stderr."""
    from continua.repro.registry import find_experiment
    from continua.repro.runner import run_experiment

    report = run_experiment(find_experiment(name), out, quick, Console(stderr=True))
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        _print(report)


def _print(report: dict[str, Any]) -> None:
    table = Table(title=f'{report["id"]}: {report["title"]}', title_justify='left', box=None)
    table.add_column('number')
    for column in ('ours', 'paper'):
        table.add_column(column, justify='right')
    for column in ('unit', 'goal', 'met'):
        table.add_column(column)
    for number in report['numbers']:
        ours, paper = ('' if number[each] is None else f'{number[each]:.4g}' for each in ('ours', 'paper'))
        met = {True: 'yes', False: 'no', None: ''}[number['met']]
        table.add_row(number['name'], ours, paper, number['unit'], number['goal'], met)
    Console().print(table)
    sample = 'a smaller sample' if report['quick'] else 'full size'
    typer.echo(f'{sample}, {report["wall_time_s"]:.1f} s on {report["machine"]}')
