"""`continua identify-pressure`: the lag of each chamber's pressure from a recorded run of steps."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

__all__ = ['identify_pressure']


def identify_pressure(
    bag: Annotated[Path, typer.Argument(metavar='RUN', help='Recorded steps of pressures.')],
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of text.')] = False,
) -> None:
    """Find gain and time constant of each chamber's pressure, with 95 % intervals."""
    from continua.identification.pressure_lag import identify_pressure_lag
    from continua.io.run import load_run

    chambers = load_run(bag).chambers
    if chambers is None or chambers.command is None:
        raise ValueError(
            f'{bag} holds no pressure/state with setpoints; record a run with a simulated robot or with the '
            'controller on the board (pid:=board)'
        )
    fits = {}
    is_new = [True, *(chambers.stamp[1:] > chambers.stamp[:-1])]
    for i, name in enumerate(chambers.names):
        columns = (chambers.stamp, chambers.command[:, i], chambers.pressure[:, i])
        try:
            fits[name] = identify_pressure_lag(*(column[is_new] for column in columns))
        except ValueError as error:
            typer.echo(f'{name}: {error}', err=True)
    if as_json:
        typer.echo(json.dumps({name: asdict(fit) for name, fit in fits.items()}))
    else:
        for name, fit in fits.items():
            typer.echo(
                f'{name}: time_constant {fit.time_constant:.4f} +- {fit.time_constant_interval:.4f} s, '
                f'gain {fit.gain:.4f} +- {fit.gain_interval:.4f}, left over {1e-3 * fit.rms:.2f} kPa'
            )
    raise typer.Exit(0 if fits else 1)
