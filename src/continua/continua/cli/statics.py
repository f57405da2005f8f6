"""`continua statics`: the shape in which a robot rests."""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

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

__all__ = ['statics']

STATIONS = 21


def statics(
    robot: RobotArgument,
    tension: Tension = '',
    pressure: Pressure = '',
    effort: Effort = '',
    position: Position = '',
    load: Load = None,
    gravity: Gravity = Switch.on,
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of text.')] = False,
    plot: Annotated[Path | None, typer.Option(help='Draw the shape and its strains to this file.')] = None,
) -> None:
    """Static equilibrium under constant inputs. Exit status 1 if none was found."""
    from continua.rod import Rod

    description = with_loads(find_robot(robot), load)
    acting = conditions(description, tension, pressure, effort, position, gravity)
    rod = Rod(description)
    rod.statics(**acting)  # the kernels are loaded before the clock runs
    start = time.perf_counter()
    result = rod.statics(**acting)
    wall = time.perf_counter() - start
    shape = rod.shape(result.q, np.linspace(0.0, rod.length, STATIONS))
    report = {
        'robot': description.name,
        'converged': result.converged,
        'stable': result.stable,
        'status': result.message,
        'iterations': result.iterations,
        'wall_time_s': wall,
        'tip_position_m': shape.position[-1].tolist(),
        'tip_quaternion_xyzw': shape.orientation_xyzw[-1].tolist(),
        'q': result.q.tolist(),
        'backbone': {
            'arc_length_m': shape.arc_length.tolist(),
            'position_m': shape.position.tolist(),
            'orientation_xyzw': shape.orientation_xyzw.tolist(),
        },
    }
    typer.echo(json.dumps(report, indent=2) if as_json else _text(report))
    if plot is not None:
        from continua.io.rod_plots import save, static_figure
        from continua.rod.drawing import draw

        X = np.linspace(0.0, rod.length, 401)
        shape, reference = rod.shape(result.q, X), rod.shape(np.zeros(rod.dof), X)
        drawing = draw(rod, result.q)
        meshes = [*drawing.soft.values(), *drawing.rigid.values()]
        save(static_figure(shape, reference, drawing.tendons, meshes), plot)
    if not result.converged:
        raise typer.Exit(1)


def _text(report: dict[str, Any]) -> str:
    place = ', '.join(f'{value:.2f}' for value in _rounded(1e3 * np.array(report['tip_position_m']), 2))
    quaternion = ', '.join(f'{value:.4f}' for value in _rounded(report['tip_quaternion_xyzw'], 4))
    return (
        f'{report["robot"]}: {report["status"]} ({1e3 * report["wall_time_s"]:.1f} ms)\n'
        f'tip at ({place}) mm, orientation xyzw ({quaternion})\n'
        f'{len(report["q"])} coordinates; {"stable" if report["stable"] else "not stable"}'
    )


def _rounded(values: np.ndarray, digits: int) -> np.ndarray:
    """Rounded, and without a minus at zero."""
    return np.round(values, digits) + 0.0
