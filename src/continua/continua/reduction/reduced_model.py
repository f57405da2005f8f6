"""The reduced model of a robot, and its file beside the robot's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from continua.description import Robot
from continua.reduction.arrays_file import read_arrays, write_arrays
from continua.reduction.decomposition import Decomposition
from continua.rod import Rod
from continua.rod.integrands import Rules

__all__ = ['ReducedModel', 'reduced_file']

_FORMAT = 'continua reduced model 1'
_UNITS = {
    'modes': 'd q / d z; q in rad/m, -, rad and m, z in the unit of the metric',
    'projection': 'z = projection q',
    'singular_values': 'unit of z',
    'bounds': 'least and largest z of the snapshots, unit of z',
    'arc_length': 'quadrature: m on the link',
    'weight': 'quadrature: m',
    'link': 'quadrature: name of the link',
}


@dataclass(frozen=True)
class ReducedModel:
    """What makes a robot's model a reduced one, of r coordinates z with q = modes z (soft_synergies eq 35).

    robot, robot_hash: what it was made of. modes: (n, r). projection: (r, n). singular_values: (r,). bounds:
    (r, 2) of z, from Sigma V^T. rules: quadrature of soft links by name, arc lengths and weights in m; empty
    for the robot file's.
    """

    robot: str
    robot_hash: str
    modes: np.ndarray
    projection: np.ndarray
    singular_values: np.ndarray
    bounds: np.ndarray
    rules: Rules = field(default_factory=dict)

    @classmethod
    def of(cls, robot: Robot, decomposition: Decomposition, rules: Mapping | None = None) -> 'ReducedModel':
        """The model with all modes of a decomposition; `Decomposition.first` gives fewer."""
        return cls(
            robot.name,
            robot.hash,
            decomposition.modes,
            decomposition.projection,
            decomposition.singular_values,
            decomposition.bounds,
            dict(rules or {}),
        )

    def rod(self, robot: Robot) -> Rod:
        """The model, to use like the full one. Raises ValueError where the robot has changed."""
        if robot.hash != self.robot_hash:
            raise ValueError(
                f'robot {robot.name}: its file has changed since the reduced model was made of '
                f'{self.robot} (hash {self.robot_hash}, now {robot.hash}); make it anew'
            )
        return Rod(robot, points=self.rules or None, modes=self.modes)

    def save(self, path: Path) -> None:
        """Write the file. Raises ValueError where it cannot be written."""
        lengths = [len(X) for X, _ in self.rules.values()]
        columns = [np.concatenate([[], *column]) for column in zip(*self.rules.values(), strict=True)]
        arrays = {
            'modes': self.modes,
            'projection': self.projection,
            'singular_values': self.singular_values,
            'bounds': self.bounds,
            'link': np.repeat(np.array(list(self.rules), dtype=str), lengths),
            'arc_length': columns[0] if columns else np.zeros(0),
            'weight': columns[1] if columns else np.zeros(0),
        }
        metadata = {'format': _FORMAT, 'robot': self.robot, 'robot_hash': self.robot_hash, 'units': _UNITS}
        write_arrays(path, arrays, metadata)

    @classmethod
    def load(cls, path: Path) -> 'ReducedModel':
        """Read a file of `save`. Raises ValueError where it is none."""
        arrays, metadata = read_arrays(path, _FORMAT)
        link, X, weight = (arrays.pop(name) for name in ('link', 'arc_length', 'weight'))
        rules = {str(name): (X[link == name], weight[link == name]) for name in np.unique(link)}
        return cls(metadata['robot'], metadata['robot_hash'], **arrays, rules=rules)


def reduced_file(robot_file: Path) -> Path:
    """Where the reduced model of a robot file lies: arm.rom.npz beside arm.yaml."""
    return Path(robot_file).with_suffix('.rom.npz')
