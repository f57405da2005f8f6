"""`continua reduce`: a reduced model of a robot, from simulations, a recorded run, or a file of snapshots."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from continua.cli.inputs import Gravity, Switch
from continua.cli.robot_file import RobotArgument, find_robot
from continua.description import Robot

if TYPE_CHECKING:
    from continua.reduction import Decomposition, Pool, Snapshots, Truncation
    from continua.reduction.cases import Cases
    from continua.rod import Rod

__all__ = ['reduce']

_RATE = 100.0  # Hz, of babbling
_SUBSTEPS = 4  # of a sample: with fewer the error of the integrator hides that of the modes
_HOLD = (0.5, 1.0)  # s, as in the paper's section IV-C
_TEST_CASES, _TEST_DURATION = 20, 5.0  # equilibria, or s of babbling, on which truncations are compared
_MOST_TESTED = 30  # modes
_DRAWN = 10  # modes


def reduce(
    robot: RobotArgument,
    out: Annotated[Path, typer.Option(help='File to write; NAME.rom.npz has its place beside NAME.yaml.')],
    sweep: Annotated[
        int | None, typer.Option(min=2, help='Equilibria under all combinations of so many values an input.')
    ] = None,
    babble: Annotated[float | None, typer.Option(help='Motion of so many s under random inputs.')] = None,
    from_bag: Annotated[Path | None, typer.Option(help='Recorded run: its true or estimated states.')] = None,
    snapshots: Annotated[
        Path | None, typer.Option(help='Snapshots: the file to write, or, with none of the above, to read.')
    ] = None,
    span: Annotated[
        str, typer.Option(metavar='LOW,HIGH', help='Range of every input; default: its limits.')
    ] = '',
    gravity: Gravity = Switch.on,
    metric: Annotated[str, typer.Option(help='sections, points, energy or range.')] = 'sections',
    modes: Annotated[int | None, typer.Option(min=1, help='How many; default: as recommended.')] = None,
    rule_error: Annotated[
        float | None, typer.Option(help='Error in mm at the tip that fewer quadrature points may cost.')
    ] = None,
    seed: Annotated[int, typer.Option(help='Of random inputs.')] = 0,
    ray_address: Annotated[
        str | None, typer.Option(help="Ray cluster to simulate on; 'auto': that of this machine.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help='Folder for figures.')] = None,
    as_json: Annotated[bool, typer.Option('--json', help='Print JSON instead of text.')] = False,
) -> None:
    """Make a reduced model and say what it costs and gains. Called again, an interrupted one goes on."""
    from continua.reduction import ReducedModel, cubature, decompose, truncation
    from continua.rod import Rod

    description, is_heavy = find_robot(robot), gravity is Switch.on
    rod, limits = Rod(description), _limits(description, span)
    sources = {'sweep': sweep, 'babble': babble, 'from_bag': from_bag}
    found = _snapshots(rod, sources, snapshots, _Excited(limits, is_heavy, seed), _parts(out), ray_address)
    everything, tip = decompose(rod, found.q, metric), [(None, rod.length)]
    tests = _tests(limits, found.time is None, is_heavy, seed + 1)
    tested = truncation(
        description, everything.modes, tests, tip, range(1, max(modes or 0, min(rod.dof, _MOST_TESTED)) + 1)
    )
    kept = everything.first(modes or tested.recommended)
    rules = None
    if rule_error is not None:
        rules = cubature(description, kept.modes, kept.coefficients.T, tests, tip, 1e-3 * rule_error)
    ReducedModel.of(description, kept, None if rules is None else rules.rules).save(out)
    shutil.rmtree(_parts(out), ignore_errors=True)
    if plot is not None:
        _draw(plot, rod, everything, tested)
    report = _report(description, found, kept, tested) | {
        'metric': metric,
        'quadrature_points': None if rules is None else rules.points,
        'file': str(out),
    }
    typer.echo(json.dumps(report, indent=2) if as_json else _text(report))


def _limits(robot: Robot, span: str) -> np.ndarray:
    """(2, m) least and largest inputs: `span` for each of them, or the limits of the file."""
    limits = [tendon.limits.tension for tendon in robot.tendons]
    limits += [chamber.limits.pressure for chamber in robot.chambers]
    limits += [drive.limits.effort for drive in robot.drives if drive.type == 'force']
    if not limits:
        raise ValueError(f'robot {robot.name}: no inputs to vary; make its snapshots in Python')
    if span:
        try:
            low, high = (float(word) for word in span.split(','))
        except ValueError:
            raise ValueError(f'--span {span}: expected two numbers, such as 0,5') from None
        limits = [(low, high)] * len(limits)
    return np.array(limits, dtype=float).T


def _parts(out: Path) -> Path:
    """Where finished parts of a simulation wait for the rest."""
    return out.with_name(f'{out.name}.parts')


@dataclass(frozen=True)
class _Excited:
    """How a robot is excited: limits (2, m) of its inputs, gravity, seed of what is random."""

    limits: np.ndarray
    is_heavy: bool
    seed: int


def _snapshots(
    rod: 'Rod',
    sources: dict[str, Any],
    file: Path | None,
    excited: _Excited,
    parts: Path,
    ray_address: str | None,
) -> 'Snapshots':
    """From the one source that is not None, then also written to the file, or from the file."""
    from continua.reduction import Pool, Snapshots

    given = {name: value for name, value in sources.items() if value is not None}
    if len(given) + (file is not None and not given) != 1:
        raise ValueError(
            'expected one of --sweep, --babble and --from-bag, or --snapshots of a file that is there'
        )
    if not given:
        found = Snapshots.load(file)
        if found.model_id != rod.model_id:
            raise ValueError(f'{file}: made of another {found.robot} than this robot file; simulate anew')
        return found
    if 'from_bag' in given:
        found = _recorded(rod, given['from_bag'])
    else:
        found = _simulate(rod, given, excited, Pool(None, ray_address, parts))
    if file is not None:
        found.save(file)
    return found


def _simulate(rod: 'Rod', given: dict[str, Any], excited: _Excited, pool: 'Pool') -> 'Snapshots':
    from continua.reduction import dynamic_snapshots, hold_signal, hypercube, progress_bar, static_snapshots

    robot, limits, is_heavy, seed = rod.robot, excited.limits, excited.is_heavy, excited.seed
    with progress_bar(f'{robot.name}: snapshots') as progress:
        if 'sweep' in given:
            return static_snapshots(robot, hypercube(*limits, given['sweep']), is_heavy, pool, progress)
        u = hold_signal(*limits, _HOLD, given['babble'], _RATE, np.random.default_rng(seed))
        return dynamic_snapshots(
            robot, u, _RATE, is_heavy, _SUBSTEPS, pool=pool, progress=progress, seed=seed
        )


def _recorded(rod: 'Rod', folder: Path) -> 'Snapshots':
    from continua.io.bag_states import load_states
    from continua.reduction import Snapshots

    states = load_states(folder, rod.input_names)
    if states.model_id != rod.model_id:
        raise ValueError(
            f'{folder}: its states are of the model {states.model_id}, that of the robot file is '
            f'{rod.model_id}; use the robot file of the recording, and record the full model (model:=gvs)'
        )
    return Snapshots.of(rod, states.q, states.u, states.time)


def _tests(limits: np.ndarray, is_static: bool, is_heavy: bool, seed: int) -> 'Cases':
    """Cases of the kind of the snapshots, with inputs that are none of theirs."""
    from continua.reduction import Equilibria, Excitation, hold_signal, random_inputs

    random = np.random.default_rng(seed)
    if is_static:
        return Equilibria(random_inputs(*limits, _TEST_CASES, random), is_heavy)
    u = hold_signal(*limits, _HOLD, _TEST_DURATION, _RATE, random)
    return Excitation(u, _RATE, is_heavy, _SUBSTEPS)


def _draw(folder: Path, rod: 'Rod', found: 'Decomposition', tested: 'Truncation') -> None:
    from continua.io.mode_plots import modes_figure, spectrum_figure, truncation_figure
    from continua.io.rod_plots import save
    from continua.reduction import mode_shapes

    folder.mkdir(parents=True, exist_ok=True)
    save(spectrum_figure(found.singular_values, found.relative_energy), folder / 'spectrum.png')
    save(modes_figure(mode_shapes(rod, found, min(rod.dof, _DRAWN))), folder / 'modes.png')
    errors = tested.error.mean(axis=2)
    save(truncation_figure(tested.counts, errors, tested.recommended), folder / 'errors.png')


def _report(robot: Robot, found: 'Snapshots', kept: 'Decomposition', tested: 'Truncation') -> dict[str, Any]:
    count = kept.modes.shape[1]
    at = int(np.flatnonzero(tested.counts == count)[0])
    return {
        'robot': robot.name,
        'robot_hash': robot.hash,
        'snapshots': len(found.q),
        'left_out': found.left_out,
        'modes': count,
        'full_coordinates': len(kept.modes),
        'relative_energy': float(kept.relative_energy[-1]),
        'tip_error_mm': 1e3 * float(tested.mean[at]),
        'recommended': tested.recommended,
        'status': tested.message,
    }


def _text(report: dict[str, Any]) -> str:
    lines = [
        '{robot}: {snapshots} snapshots, {left_out} cases left out',
        '{modes} of {full_coordinates} coordinates hold {relative_energy:.4%} of the energy; '
        'mean tip error {tip_error_mm:.3g} mm on other inputs',
        '{status}',
        'written to {file}',
    ]
    if report['quadrature_points'] is not None:
        lines.insert(2, '{quadrature_points} quadrature points are enough')
    return '\n'.join(lines).format(**report)
