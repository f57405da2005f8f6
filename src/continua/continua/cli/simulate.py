"""`continua simulate`: the motion of a robot under inputs that are known in advance."""

import enum
import json
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from continua.cli.inputs import Gravity, Load, Switch, with_loads
from continua.cli.robot_file import RobotArgument, find_robot

__all__ = ['simulate']


class Start(enum.Enum):
    """Where a motion begins, at rest."""

    equilibrium = 'equilibrium'
    reference = 'reference'


def simulate(
    robot: RobotArgument,
    inputs: Annotated[
        str,
        typer.Option(
            '--input',
            metavar='FILE.csv|EXPRESSIONS',
            help='Columns time and one an input, position drives last; or "5*sin(2*pi*t); 0", one each.',
        ),
    ],
    t_end: Annotated[float, typer.Option('--t-end', help='Duration in s.')],
    out: Annotated[Path, typer.Option(help='Run file to write, .npz.')],
    dt: Annotated[float, typer.Option(help='Step in s.')] = 5e-3,
    load: Load = None,
    gravity: Gravity = Switch.on,
    start: Annotated[
        Start, typer.Option(help='Begin at rest in the equilibrium without inputs, or the reference shape.')
    ] = Start.equilibrium,
    plot: Annotated[Path | None, typer.Option(help='Draw the way of the tip to this file.')] = None,
    animate: Annotated[Path | None, typer.Option(help='Write an animation, .gif or .mp4.')] = None,
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of text.')] = False,
) -> None:
    """Integrate a robot's motion. Exit status 1 if it could not be integrated to the end."""
    from continua.control.expression_reference import ExpressionReference
    from continua.control.reference_csv import CsvReference
    from continua.io.run_file import save_run
    from continua.rod import Rod
    from continua.simulation.rollout import rollout

    description = with_loads(find_robot(robot), load)
    rod = Rod(description)
    names = [*rod.input_names, *rod.target_names]
    is_file = inputs.endswith('.csv')
    reference = CsvReference(inputs, names) if is_file else ExpressionReference(inputs, names)
    is_heavy = gravity is Switch.on
    q0 = np.zeros(rod.dof)
    if start is Start.equilibrium:
        rest = rod.statics(gravity=is_heavy)
        if not rest.converged:
            raise ValueError(f'{description.name}: {rest.message}; or begin with --start reference')
        q0 = rest.q
    with _progress() as bar:
        task = bar.add_task(description.name, total=t_end)
        motion = rollout(rod, reference, t_end, dt, is_heavy, q0, lambda t: bar.update(task, completed=t))
    information = {
        'robot': description.name,
        'robot_hash': description.hash,
        'inputs': names,
        'input': inputs,
        'gravity': is_heavy,
        'complete': motion.complete,
        'status': motion.message,
        'wall_time_s': motion.wall_time,
        'real_time_factor': motion.real_time_factor,
    }
    save_run(out, motion, information)
    if plot is not None:
        from continua.io.rod_plots import save, tip_figure

        save(tip_figure(motion.time, motion.tip_position), plot)
    if animate is not None:
        from continua.io.animation import animate_run
        from continua.rod.drawing import skeleton

        with _progress() as bar:
            task = bar.add_task(str(animate), total=1.0)
            show = partial(bar.update, task)
            animate_run(motion, partial(skeleton, rod), animate, progress=lambda share: show(completed=share))
    if as_json:
        tip = motion.tip_position[-1].tolist()
        typer.echo(json.dumps({**information, 'file': str(out), 'tip_position_m': tip}, indent=2))
    else:
        typer.echo(
            f'{description.name}: {motion.message}, '
            f'{motion.real_time_factor:.1f} times faster than real time; written to {out}'
        )
    if not motion.complete:
        raise typer.Exit(1)


def _progress() -> Progress:
    columns = TextColumn('{task.description}'), BarColumn(), TextColumn('{task.percentage:.0f} %')
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
