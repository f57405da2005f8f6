"""`continua check`: are these robot files sound?"""

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from continua.description import Problem, Robot, RobotFileError, load_robot


def check(
    paths: Annotated[list[Path], typer.Argument(help='Robot files, or folders of them.', metavar='PATH...')],
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of a table.')] = False,
) -> None:
    """Check robot files: keys, units, geometry. Exit status 1 if any file has errors."""
    results = [_checked(file) for path in paths for file in _files(path)]
    is_ok = all(not problems for _, _, problems in results)
    if as_json:
        report = {'ok': is_ok, 'files': [_as_data(*result) for result in results]}
        typer.echo(json.dumps(report, indent=2))
    else:
        _print(results)
    if not is_ok:
        raise typer.Exit(1)


Result = tuple[Path, Robot | None, tuple[Problem, ...]]


def _files(path: Path) -> list[Path]:
    """The YAML files of a folder; any other path as it is, and an empty folder too, to be refused."""
    return sorted(path.glob('*.yaml')) or [path] if path.is_dir() else [path]


def _checked(file: Path) -> Result:
    try:
        return file, load_robot(file), ()
    except RobotFileError as error:
        return file, None, error.problems


def _as_data(file: Path, robot: Robot | None, problems: tuple[Problem, ...]) -> dict[str, Any]:
    found = None
    if robot is not None:
        found = {
            'name': robot.name,
            'hash': robot.hash,
            'dof': _dof(robot),
            'tendons': list(robot.tendon_names),
            'chambers': [chamber.name for chamber in robot.chambers],
            'markers': list(robot.marker_names),
        }
    return {
        'file': str(file),
        'ok': not problems,
        'robot': found,
        'problems': [dataclasses.asdict(problem) for problem in problems],
    }


def _print(results: list[Result]) -> None:
    """The table on standard output, the problems on standard error."""
    table = Table('file', box=None, pad_edge=False)
    for column in ('dof', 'tendons', 'chambers', 'markers', 'problems'):
        table.add_column(column, justify='right')
    for file, robot, problems in results:
        counts = ('-', '-', '-', '-')
        if robot is not None:
            parts = (robot.tendons, robot.chambers, robot.markers)
            counts = (str(_dof(robot)), *(str(len(part)) for part in parts))
        # Text, because a file's name is not rich markup.
        table.add_row(Text(str(file)), *counts, str(len(problems)))
    Console().print(table)
    for _, _, problems in results:
        for problem in problems:
            typer.echo(str(problem), err=True)


def _dof(robot: Robot) -> int:
    return robot.dof
