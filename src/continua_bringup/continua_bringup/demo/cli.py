"""`continua demo`. Light imports only: every `continua` command loads this."""

import enum
from pathlib import Path
from typing import Annotated

import typer


class Robot(enum.Enum):
    """What stands below the graph: a simulated arm, or the real driver on an emulated board."""

    sim = 'sim'
    emulated = 'emulated'


def demo(
    headless: Annotated[bool, typer.Option('--headless', help='Do not open a browser.')] = False,
    duration: Annotated[float, typer.Option(min=2.0, help='Seconds of motion.')] = 20.0,
    out: Annotated[Path, typer.Option(help='A new folder TIME is made in this one.')] = Path('runs'),
    robot: Annotated[Robot, typer.Option(help='What is below the graph.')] = Robot.sim,
    as_json: Annotated[
        bool, typer.Option('--json', help='Print the summary as JSON, and nothing else on standard output.')
    ] = False,
) -> None:
    """Estimate the shape of a simulated arm while its tendons babble; record, summarise, report."""
    from continua_bringup.demo.experiment import Experiment, new_run_folder
    from continua_bringup.demo.results import show_results
    from continua_bringup.launch.errors import LaunchError

    try:
        folder = new_run_folder(out)
        outcome = Experiment(folder, robot.value, duration, opens_browser=not headless).run()
    except LaunchError as error:
        typer.echo(f'continua demo: {error}', err=True)
        raise typer.Exit(2) from None
    raise typer.Exit(show_results(folder, outcome, as_json))
