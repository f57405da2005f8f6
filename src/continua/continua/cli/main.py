"""The `continua` command: the library's own commands, and those that installed ROS packages add.

A package adds commands by an entry point of the group ``continua.commands`` whose object is a
function with typer annotations; its name is the command's name.
"""

import sys
from importlib.metadata import entry_points

import typer

from continua.cli.bag import bag
from continua.cli.check import check
from continua.cli.compile import compile_kernels
from continua.cli.doctor import doctor

app = typer.Typer(
    name='continua',
    help='Soft continuum robots: model, simulate, estimate, record.',
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)


@app.callback()
def _continua() -> None:
    """Keep `continua NAME` a sub-command even while there is only one."""


app.command('check')(check)
app.command('compile')(compile_kernels)
app.command('doctor')(doctor)
app.add_typer(bag)


def main() -> None:
    """Collect the commands of all installed packages and run the one that was asked for.

    A ValueError, that is, wrong input, is printed as its one sentence; the exit status is then 2.
    """
    for entry in sorted(entry_points(group='continua.commands'), key=lambda e: e.name):
        try:
            app.command(entry.name)(entry.load())
        except ImportError as error:
            # The others must still run, `continua doctor` above all.
            typer.echo(f'continua: no command {entry.name!r}: {error}; see `continua doctor`', err=True)
    try:
        app()
    except ValueError as error:
        typer.echo(f'continua: {error}', err=True)
        sys.exit(2)
