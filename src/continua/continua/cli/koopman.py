"""`continua koopman`: a linear model of a pneumatic robot from recorded runs, for the node koopman_lqr."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from continua.cli.robot_file import RobotArgument, find_robot_file

__all__ = ['koopman']

# The end of each run shows how well the model predicts what it has not seen.
_HELD_OUT = 0.2


def koopman(
    robot: RobotArgument,
    runs: Annotated[list[Path], typer.Argument(metavar='RUN...', help='Runs with random steps of pressure.')],
    out: Annotated[Path, typer.Option(help='File of the model (.npz).')],
    rate: Annotated[float, typer.Option(min=1.0, help="Samples a second; the controller's rate.")] = 60.0,
    delays: Annotated[int, typer.Option(min=0, help='Samples before the present one that are used.')] = 2,
    degree: Annotated[int, typer.Option(min=1, help='Of the products of outputs.')] = 1,
    ridge: Annotated[
        float, typer.Option(min=0.0, help='Scaled variance below which nothing is learned.')
    ] = 1e-6,
) -> None:
    """Learn a Koopman model of the tip under pressures, and say how well it predicts the end of each run."""
    from continua.control.koopman import fit_koopman
    from continua.description import load_robot
    from continua.io.chamber_runs import load_tip_and_pressures
    from continua.reduction.arrays_file import write_arrays

    loaded = load_robot(find_robot_file(robot))
    names = tuple(chamber.name for chamber in loaded.chambers)
    marker = loaded.markers[-1].name if loaded.markers else ''
    recordings = [load_tip_and_pressures(run, names, marker, rate) for run in runs]
    splits = [int((1.0 - _HELD_OUT) * len(y)) for y, _ in recordings]
    known = [(y[:k], u[:k]) for (y, u), k in zip(recordings, splits, strict=True)]
    model = fit_koopman(known, 1.0 / rate, delays, degree, ridge)
    arrays = {name: value for name, value in vars(model).items() if isinstance(value, np.ndarray)}
    settings = {name: value for name, value in vars(model).items() if name not in arrays}
    write_arrays(out, arrays, {'format': 'Koopman model', **settings})
    ends = [(y[k:], u[k:]) for (y, u), k in zip(recordings, splits, strict=True)]
    typer.echo(f'{out}: {len(model.A)} lifted states from {sum(len(y) for y, _ in known)} samples')
    for seconds in (1.0 / rate, 0.5):
        error = _error(model, ends, round(seconds * rate))
        typer.echo(f'mean error of the tip {1e3 * seconds:.0f} ms ahead, unseen data: {1e3 * error:.2f} mm')


def _error(model, ends: list[tuple[np.ndarray, np.ndarray]], steps: int) -> float:
    """Mean distance in m of predictions so many samples ahead."""
    errors = []
    for y, u in ends:
        for k in range(model.delays, len(y) - steps):
            z = model.lift(y[k - model.delays : k + 1], u[k - model.delays : k])
            errors.append(np.linalg.norm(model.predict(z, u[k : k + steps])[-1] - y[k + steps]))
    return float(np.mean(errors)) if errors else float('nan')
