"""`continua launch FILE [name:=value ...]`. Light imports only: every `continua` command loads this."""

from typing import Annotated

import typer


def launch(
    file: Annotated[
        str, typer.Argument(help='A launch file, or the name of an installed one (NAME or package/NAME).')
    ],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar='[NAME:=VALUE]...', help='Arguments of the launch file.')
    ] = None,
    show_args: Annotated[
        bool, typer.Option('--show-args', help='Show the arguments and start nothing.')
    ] = False,
    print_processes: Annotated[
        bool, typer.Option('--print-processes', help='Print, as JSON, what would start, and start nothing.')
    ] = False,
) -> None:
    """Run a ROS 2 XML launch file, as `ros2 launch` would."""
    from .errors import LaunchError

    try:
        code = _launch(file, arguments or [], show_args, print_processes)
    except LaunchError as error:
        typer.echo(f'continua launch: {error}', err=True)
        code = 2
    raise typer.Exit(code)


def _launch(file: str, arguments: list[str], show_args: bool, print_processes: bool) -> int:
    from .expansion import expand
    from .find import launch_file

    path, values = launch_file(file), _values(arguments)
    if show_args:
        _print_arguments(path, values)
        return 0
    description = expand(path, values)
    if print_processes:
        import json

        typer.echo(json.dumps(description.as_json(), indent=2))
        return 0
    from .service import LaunchService

    return LaunchService(description).run()


def _values(arguments: list[str]) -> dict[str, str]:
    """`name:=value` words as a mapping; of several for one name the last counts, as in ROS 2."""
    from .errors import LaunchError

    values = {}
    for word in arguments:
        name, separator, value = word.partition(':=')
        if not name or not separator:
            raise LaunchError(f'expected NAME:=VALUE, got {word!r}')
        values[name] = value
    return values


def _print_arguments(path: str, values: dict[str, str]) -> None:
    from .errors import listed
    from .expansion import declared_arguments

    arguments, error = declared_arguments(path, values)
    typer.echo('Arguments (give them as NAME:=VALUE):')
    for argument in arguments:
        typer.echo(
            f'\n  {argument.name}' + ('' if argument.default is None else f' (default: {argument.default!r})')
        )
        for text in (argument.description, argument.choices and f'choices: {listed(argument.choices)}'):
            if text:
                typer.echo(f'      {text}')
    if error:
        typer.echo(f'\nThere may be more in files included after this error: {error}')
