"""`continua doctor`: what is there, what is missing, what to do about it."""

import dataclasses
import json
from importlib.metadata import entry_points
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from continua.doctor import machine
from continua.doctor.checkout import checkout
from continua.doctor.extras import EXTRAS
from continua.doctor.finding import Check, Finding, Row, fail, run_checks, warn

__all__ = ['all_checks', 'doctor']

COLOURS = {'ok': 'green', 'warn': 'yellow', 'fail': 'red'}


def doctor(
    as_json: Annotated[bool, typer.Option('--json', help='Print the rows as JSON.')] = False,
) -> None:
    """Check Python, build tools, ROS 2, messages, discovery and ports; exit status 1 if one fails."""
    rows = run_checks(all_checks())
    if as_json:
        typer.echo(json.dumps([dataclasses.asdict(row) for row in rows], indent=2))
    else:
        _print_table(rows)
    if any(row.status == 'fail' for row in rows):
        raise typer.Exit(1)


def all_checks() -> list[Check]:
    """Return the library's checks and those that installed ROS packages add.

    A package adds checks by an entry point of the group ``continua.checks``: a sequence of `Check`.
    """
    return [
        Check('Python', machine.python),
        Check('build tools', machine.build_tools),
        Check('disk', machine.disk),
        Check('kernel cache', machine.kernel_cache),
        *_ros_checks(),
        Check('serial ports', machine.serial),
        *EXTRAS,
    ]


def _ros_checks() -> list[Check]:
    entries = sorted(entry_points(group='continua.checks'), key=lambda entry: entry.name)
    return [check for entry in entries for check in entry.load()] or [Check('ROS 2', _no_workspace)]


def _no_workspace() -> Finding:
    """What to say where no ROS package of ours is on the path."""
    root = checkout()
    if root is None:
        return warn('only the library is installed; it needs no ROS', 'for nodes: a checkout, `make setup`')
    remedy = f'cd {root} && make setup && source env.sh'
    return fail('the ROS packages are not built, or their environment is not sourced', remedy)


def _print_table(rows: list[Row]) -> None:
    table = Table('check', 'status')
    table.add_column('found', overflow='fold')
    table.add_column('what to do', overflow='fold')
    for row in rows:
        table.add_row(row.check, f'[{COLOURS[row.status]}]{row.status}[/]', row.found, row.remedy)
    Console().print(table)
