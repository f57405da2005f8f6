"""The `continua` command: the library's own commands, and those that installed ROS packages add.

A command is an entry point of the group ``continua.commands``: a function with typer annotations, or a
`typer.Typer` with several. Its module is imported only when the command is asked for, so `continua launch`
does not wait for the imports of the others.
"""

import sys
from importlib.metadata import EntryPoint, entry_points

import typer
from typer.core import TyperGroup

__all__ = ['app', 'main']


class _Commands(TyperGroup):
    """All commands by name, loaded on demand."""

    def list_commands(self, ctx) -> list[str]:
        return sorted(_entries())

    def get_command(self, ctx, cmd_name: str):
        entry = _entries().get(cmd_name)
        if entry is None:
            return None
        try:
            command = entry.load()
        except ImportError as error:
            # The others must still run, `continua doctor` above all.
            typer.echo(f'continua: no command {cmd_name!r}: {error}; see `continua doctor`', err=True)
            return None
        if not isinstance(command, typer.Typer):
            function, command = (
                command,
                typer.Typer(add_completion=False, pretty_exceptions_show_locals=False),
            )
            command.command(cmd_name)(function)
        return typer.main.get_command(command)


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group='continua.commands')}


app = typer.Typer(
    name='continua',
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)


@app.callback()
def _continua() -> None:
    """Soft continuum robots: model, simulate, estimate, record."""


def main() -> None:
    """Run the command that was asked for.

    A ValueError, that is, wrong input, is printed as its one sentence; the exit status is then 2.
    """
    try:
        app()
    except ValueError as error:
        typer.echo(f'continua: {error}', err=True)
        sys.exit(2)
