"""From recorded runs to a new robot file and a report on it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from continua.description import Robot, SoftLink, load_robot
from continua.identification.fit import Identified, Progress, Swarm, identify
from continua.identification.observations import Motion, Poses
from continua.identification.parameters import ParameterSet, parameter
from continua.identification.recordings import Recording, poses_of, release_of
from continua.identification.report import numbers, page_of, provenance
from continua.identification.robot_text import with_values
from continua.io.provenance import software_version

__all__ = ['Bags', 'Outcome', 'identify_from_bags', 'usual_parameters']


@dataclass(frozen=True)
class Bags:
    """Recorded runs: at_rest, with the weight (kg) that hung in each beside what the robot file describes;
    releases. hook: link and arc length (m) where weights hang; None: the tip of the last link."""

    at_rest: tuple[tuple[Path, float], ...]
    releases: tuple[Path, ...] = ()
    hook: tuple[str, float] | None = None

    def __str__(self) -> str:
        notes = [(Path(folder).name, f' ({kg:g} kg)' if kg else '') for folder, kg in self.at_rest]
        notes += [(Path(folder).name, ' (release)') for folder in self.releases]
        return ', '.join(name + note for name, note in notes)


@dataclass(frozen=True)
class Outcome:
    """What was found, from what, and the sentences that a reader must not miss."""

    robot_file: Path
    found: Identified
    groups: tuple[Poses | Motion, ...]
    sentences: tuple[str, ...]
    source: str

    def report(self) -> dict:
        """The numbers, for JSON."""
        return numbers(self.found) | {'source': self.source, 'sentences': list(self.sentences)}

    def write(self, file: Path) -> bool:
        """Write the new robot file, and beside it the report and its numbers (.html, .json). Where the data
        do not excite a parameter there is only the report; returns whether there is a robot file.

        Raises ValueError where a file cannot be written, or the robot file cannot say the new values.
        """
        complete, text = self.found.excitation.is_complete and self.found.converged, None
        if complete:
            old = self.robot_file.read_text(encoding='utf-8')
            parameters = ParameterSet(load_robot(self.robot_file), self.found.parameters)
            header = provenance(self.found, self.source) + '\n\n'
            text = with_values(old, parameters.changes(self.found.value), header)
        page = page_of(self.found, self.groups, self.source, self.sentences)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                file.write_text(text, encoding='utf-8')
            file.with_suffix('.html').write_text(page, encoding='utf-8')
            file.with_suffix('.json').write_text(json.dumps(self.report(), indent=2) + '\n', encoding='utf-8')
        except OSError as error:
            raise ValueError(f'{file}: cannot be written: {error.strerror}') from None
        return complete


def usual_parameters(robot: Robot, has_motions: bool) -> list[str]:
    """Density and Young's modulus of each soft link, its damping where there are motions, and one friction of
    all tendons that have any."""
    keys = ['density', 'youngs_modulus', *(['damping'] if has_motions else [])]
    links = [link.name for link in robot.links if isinstance(link, SoftLink)]
    paths = [f'links.{link}.material.{key}' for link in links for key in keys]
    rubs = any(tendon.friction > 0.0 for tendon in robot.tendons)
    return [*paths, *(['tendons.*.friction'] if rubs else [])]


def identify_from_bags(
    robot_file: Path,
    bags: Bags,
    parameters: Sequence[str] = (),
    swarm: Swarm | None = None,
    progress: Progress = lambda share, sentence: None,
) -> Outcome:
    """Identify parameters, PATH or PATH=LOW,HIGH, the usual ones where none are given.

    Raises ValueError where a bag or the robot file cannot be used.
    """
    robot = load_robot(robot_file)
    progress(0.0, 'reading the bags')
    inputs, markers = _inputs(robot), robot.marker_names
    if not markers:
        raise ValueError(f'{robot_file}: the robot has no markers; add them to its robot file')
    read = [(Recording.load(folder, inputs, markers), kg) for folder, kg in bags.at_rest]
    poses, sentences = poses_of(read)
    motions = [release_of(Recording.load(folder, inputs, markers)) for folder in bags.releases]
    texts = parameters or usual_parameters(robot, bool(motions))
    asked = [parameter(robot, text) for text in texts]
    found = identify(robot, asked, poses, motions, bags.hook, swarm, progress)
    groups = tuple(each for each in (poses, *motions) if each is not None)
    source = f'on {date.today().isoformat()} by {software_version()} from {bags}'
    return Outcome(Path(robot_file), found, groups, (*sentences, *found.sentences), source)


def _inputs(robot: Robot) -> tuple[str, ...]:
    others = [each.name for each in robot.chambers]
    others += [drive.name for drive in robot.drives if drive.type == 'force']
    if others:
        raise ValueError(
            f'robot {robot.name}: only tensions are read from bags, not what drives {", ".join(others)}; '
            'use continua.identification.identify'
        )
    return robot.tendon_names
