"""`continua bench`: what the numerical core costs on this machine."""

import json
from collections.abc import Iterator
from pathlib import Path
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


@bench.command()
def control(
    quick: Annotated[bool, typer.Option('--quick', help='One size of everything.')] = False,
    as_json: _Json = False,
) -> None:
    """Predictions, filter and predictive control of the pneumatic arm, on CPU and GPU, beside the paper's."""
    from continua.bench.control import available, measure_control

    for reason in filter(None, available().values()):
        typer.echo(f'Not measured: {reason}', err=True)
    _report('prediction and control', measure_control(quick), as_json)


@bench.command(name='compile')
def compile_kernels(as_json: _Json = False) -> None:
    """The kernels' compilation in an empty cache, and their loading from it."""
    from continua.bench.compilation import measure_compilation

    _report('kernels', measure_compilation(), as_json)


@bench.command()
def convergence(
    out: Annotated[Path, typer.Option(help='Folder of the figures.')] = Path('docs/figures'),
    as_json: _Json = False,
) -> None:
    """Errors against theory by basis functions, quadrature points and time step, as tables and figures."""
    from continua.bench.convergence import by_basis, by_points, by_step, draw

    out.mkdir(parents=True, exist_ok=True)
    figures = {
        'basis functions': by_basis(),
        'quadrature points': by_points(),
        'time step, ms': by_step(),
    }
    for axis, curves in figures.items():
        draw(curves, axis, out / f'error_by_{axis.split(",")[0].replace(" ", "_")}.svg')
    if as_json:
        typer.echo(
            json.dumps({axis: [vars(c) for c in curves] for axis, curves in figures.items()}, indent=2)
        )
        return
    for axis, curves in figures.items():
        table = Table(title=axis, title_justify='left', box=None)
        table.add_column('error of')
        for x in curves[0].x:
            table.add_column(f'{x:g}', justify='right')
        for curve in curves:
            missing = [''] * (len(curves[0].x) - len(curve.x))
            table.add_row(curve.name, *missing, *(f'{error:.1e}' for error in curve.error))
        Console().print(table)


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
