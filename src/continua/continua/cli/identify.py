"""`continua identify`: parameters of a robot from recorded runs."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from continua.cli.robot_file import RobotArgument, find_robot_file

__all__ = ['identify']


def identify(
    robot: RobotArgument,
    bag: Annotated[
        list[str] | None,
        typer.Option(metavar='RUN[:KG]', help='Run with rests, and the weight that hung there; repeatable.'),
    ] = None,
    release: Annotated[
        list[Path] | None, typer.Option(metavar='RUN', help='Run with a release of tension; repeatable.')
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            metavar='PATH[=LOW,HIGH]',
            help='Number of the robot file, such as links.arm.material.density; repeatable. Default: '
            'density, modulus, friction, and with a release damping.',
        ),
    ] = None,
    hook: Annotated[
        str, typer.Option(metavar='LINK:X', help='Where weights hang, X in m; default: the tip.')
    ] = '',
    particles: Annotated[
        int, typer.Option(min=0, help='Of the swarm that searches between the bounds; 0: none.')
    ] = 12,
    seed: Annotated[int, typer.Option(help='Of the swarm.')] = 0,
    out: Annotated[
        Path | None, typer.Option(help='Robot file to write; the report goes beside it (.html, .json).')
    ] = None,
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of text.')] = False,
) -> None:
    """Find parameters of a robot and write a new robot file. Exit status 1 where data do not tell them."""
    from continua.identification import Bags, Swarm, identify_from_bags
    from continua.reduction import progress_bar

    bags = Bags(tuple(_with_weight(text) for text in bag or ()), tuple(release or ()), _hook(hook))
    if not bags.at_rest and not bags.releases:
        raise ValueError('expected runs to identify from: --bag RUN[:KG], --release RUN, or both')
    swarm = Swarm(particles, seed=seed) if particles else None
    with progress_bar('identification') as show:
        outcome = identify_from_bags(
            find_robot_file(robot),
            bags,
            parameter or (),
            swarm,
            lambda share, _: show(round(1e3 * share), 1000),
        )
    is_written = outcome.write(out) if out is not None else outcome.found.excitation.is_complete
    report = outcome.report() | {'file': str(out) if out is not None and is_written else None}
    typer.echo(json.dumps(report, indent=2) if as_json else _text(report))
    if not is_written:
        raise typer.Exit(1)


def _with_weight(text: str) -> tuple[Path, float]:
    path, colon, weight = text.rpartition(':')
    if not colon:
        return Path(text), 0.0
    try:
        return Path(path), float(weight)
    except ValueError:
        raise ValueError(f'--bag {text}: expected RUN or RUN:KG, such as runs/weight:0.02') from None


def _hook(text: str) -> tuple[str, float] | None:
    if not text:
        return None
    link, _, X = text.partition(':')
    try:
        return link, float(X)
    except ValueError:
        raise ValueError(f'--hook {text}: expected LINK:X with X in m, such as arm:0.25') from None


def _text(report: dict[str, Any]) -> str:
    lines = [f'{report["robot"]}: {report["message"]}']
    width = max(map(len, report['parameters']))
    for path, each in report['parameters'].items():
        low, high = each['interval_95']
        lines.append(f'{path:{width}}  {each["given"]:.5g} -> {each["value"]:.5g}  [{low:.5g}, {high:.5g}]')
    lines += [f'{label}: {1e3 * rms:.3g} mm rms' for label, rms in report['residual_rms_m'].items()]
    lines += [f'note: {sentence}' for sentence in report['sentences']]
    if report['file']:
        lines.append(f'written to {report["file"]}')
    return '\n'.join(lines)
