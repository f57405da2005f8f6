"""`continua train`: networks that stand in for the collocation rod."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from continua.cli.robot_file import RobotArgument, find_robot

if TYPE_CHECKING:
    from continua.surrogate.train import Run

__all__ = ['train']

_RATE = 70.0  # Hz, of the paper

Out = Annotated[Path, typer.Option(help='Folder of the run: data, checkpoint, log.csv, and the network.')]
Resume = Annotated[bool, typer.Option('--resume', help='Go on with the run in the folder.')]
AsJson = Annotated[bool, typer.Option('--json', help='Print JSON instead of text.')]
Seed = Annotated[int, typer.Option(help='Of all random numbers.')]
Rate = Annotated[float, typer.Option(min=1.0, help='Control steps in Hz: the network predicts one.')]
Nodes = Annotated[int, typer.Option(min=2, help='Of the collocation rod; 12 states each.')]
Hidden = Annotated[str, typer.Option(metavar='N,N...', help='Widths of the hidden layers.')]
Device = Annotated[str, typer.Option(help='cpu or cuda.')]

train = typer.Typer(help='Train networks that stand in for the collocation rod.', no_args_is_help=True)


@train.command()
def student(
    robot: RobotArgument,
    out: Out,
    motions: Annotated[int, typer.Option(min=1, help='Lots of 32 motions of 120 steps to learn from.')] = 400,
    epochs: Annotated[int, typer.Option(min=1, help='Over all of them.')] = 30,
    hidden: Hidden = '192',
    teacher: Annotated[Path | None, typer.Option(help='DD-PINN to learn from in place of the rod.')] = None,
    nodes: Nodes = 6,
    rate: Rate = _RATE,
    seed: Seed = 0,
    device: Device = 'cpu',
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Train a one-step network on motions that are simulated first. Run again with --resume, it goes on."""
    _need_torch()
    from continua.surrogate.student import StudentSettings
    from continua.surrogate.train import train_student

    settings = StudentSettings(hidden=_widths(hidden), epochs=epochs, seed=seed)
    with _run(out, resume, device) as run:
        card = train_student(find_robot(robot), settings, motions, 1.0 / rate, run, nodes, teacher)
    _print(card, out / 'student.safetensors', as_json)


@train.command()
def ddpinn(
    robot: RobotArgument,
    out: Out,
    epochs: Annotated[int, typer.Option(min=1)] = 3000,
    points: Annotated[int, typer.Option(min=1, help='Random points of an epoch.')] = 1_000_000,
    hidden: Hidden = '281',
    oscillations: Annotated[int, typer.Option(min=1, help='Damped sines of each state.')] = 23,
    states: Annotated[
        str, typer.Option(help='normal (the paper), or motions: those of simulated ones.')
    ] = 'normal',
    metric: Annotated[str, typer.Option(help='plain (eq 37), or step: of an implicit Euler step.')] = 'plain',
    learning_rate: Annotated[float, typer.Option(help='Initial.')] = 0.000688,
    nodes: Nodes = 6,
    rate: Rate = _RATE,
    seed: Seed = 0,
    device: Device = 'cpu',
    resume: Resume = False,
    search: Annotated[
        int, typer.Option(min=0, help='Networks of a search (ASHA) for size and learning rate; 0: none.')
    ] = 0,
    grace: Annotated[int, typer.Option(min=1, help='Epochs that each network of a search gets.')] = 300,
    ray_address: Annotated[
        str, typer.Option(help="Ray cluster of the search; 'local': this machine.")
    ] = 'local',
    as_json: AsJson = False,
) -> None:
    """Train a DD-PINN by the equations of the rod; the defaults are the paper's."""
    _need_torch()
    from continua.surrogate.ddpinn import DdPinnSettings
    from continua.surrogate.train import train_ddpinn

    settings = DdPinnSettings(
        hidden=_widths(hidden),
        oscillations=oscillations,
        epochs=epochs,
        points=points,
        rate=learning_rate,
        states=states,
        metric=metric,
        seed=seed,
    )
    description, dt = find_robot(robot), 1.0 / rate
    if search:
        from continua.surrogate.search import search_ddpinn

        found = search_ddpinn(description, settings, dt, out, search, grace, nodes, ray_address, device)
        typer.echo(json.dumps(found, indent=2) if as_json else _table(found))
        return
    with _run(out, resume, device) as run:
        card = train_ddpinn(description, settings, dt, run, nodes)
    _print(card, out / 'ddpinn.safetensors', as_json)


def _need_torch() -> None:
    try:
        import torch  # noqa: F401, its presence is the question
    except ImportError:
        command = 'pip install -r requirements/learning.txt -c requirements/constraints.txt'
        raise ValueError(f'training needs PyTorch; install it with: {command}') from None


@contextmanager
def _run(out: Path, resume: bool, device: str) -> Iterator['Run']:
    """With bars where a person watches, and a line for each epoch."""
    from rich.console import Console
    from rich.progress import Progress

    from continua.arrays import Arrays
    from continua.surrogate.train import Run

    Arrays(device)  # says what is missing
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bars:

        def show(title: str) -> Any:
            task = bars.add_task(title, total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield Run(out, resume, device, show, lambda epoch: console.print(_line(epoch), highlight=False))


def _line(epoch: Any) -> str:
    return f'loss {epoch.loss:.4g}, validation {epoch.validation:.4g}, {epoch.seconds:.0f} s'


def _widths(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(','))
    except ValueError:
        raise ValueError(f'--hidden {text}: expected widths such as 192 or 128,128') from None


def _print(card: dict[str, Any], path: Path, as_json: bool) -> None:
    card = card | {'file': str(path)}
    if as_json:
        typer.echo(json.dumps(card, indent=2))
        return
    typer.echo('{network} of {robot}: {epochs} epochs in {training_s:.0f} s'.format(**card))
    for name, value in card['tip_error_mm'].items():
        typer.echo(f'tip error, {name.replace("_", " ")}: {value:.3g} mm')
    typer.echo(f'written to {path}')


def _table(found: dict[str, Any]) -> str:
    rows = [f'{"validation":>12} {"epochs":>7} {"neurons":>8} {"layers":>7} {"sines":>6} {"rate":>10}']
    rows += [
        f'{each["validation"]:12.5g} {each["epochs"]:7d} {each["neurons"]:8d} {each["layers"]:7d} '
        f'{each["oscillations"]:6d} {each["rate"]:10.3g}'
        for each in found['trials']
    ]
    return '\n'.join([*rows, f'{found["failed"]} failed'])
