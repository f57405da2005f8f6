"""`continua modal`: natural frequencies of a robot about its static shape."""

import json
import math
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from continua.cli.inputs import (
    Effort,
    Gravity,
    Load,
    Position,
    Pressure,
    Switch,
    Tension,
    conditions,
    with_loads,
)
from continua.cli.robot_file import RobotArgument, find_robot

__all__ = ['modal']


def modal(
    robot: RobotArgument,
    tension: Tension = '',
    pressure: Pressure = '',
    effort: Effort = '',
    position: Position = '',
    load: Load = None,
    gravity: Gravity = Switch.on,
    count: Annotated[int, typer.Option(min=1, help='How many modes, the slowest first.')] = 10,
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of a table.')] = False,
) -> None:
    """Natural vibrations about the equilibrium under constant inputs. Exit status 1 if there is none."""
    from continua.rod import Rod
    from continua.rod.modal import vibration_modes

    description = with_loads(find_robot(robot), load)
    acting = conditions(description, tension, pressure, effort, position, gravity)
    rod = Rod(description)
    equilibrium = rod.statics(**acting)
    if not equilibrium.converged:
        typer.echo(f'continua modal: {description.name}: {equilibrium.message}', err=True)
        raise typer.Exit(1)
    modes = vibration_modes(rod, equilibrium.q, **acting)[:count]
    if as_json:
        rows = [
            {
                'name': mode.name,
                'frequency_hz': mode.frequency,
                'damping_ratio': mode.damping_ratio if math.isfinite(mode.damping_ratio) else None,
                'share': mode.share,
            }
            for mode in modes
        ]
        report = {'robot': description.name, 'status': equilibrium.message, 'modes': rows}
        typer.echo(json.dumps(report, indent=2))
        return
    table = Table('mode', 'frequency [Hz]', 'damping ratio', 'share of its energy', box=None, pad_edge=False)
    for mode in modes:
        table.add_row(
            mode.name, f'{mode.frequency:.3f}', f'{mode.damping_ratio:.3f}', f'{mode.share[mode.name]:.0%}'
        )
    Console().print(f'{description.name}: {equilibrium.message}')
    Console().print(table)
