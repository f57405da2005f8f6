"""Snapshots of a robot's deformations, and their file (soft_synergies section III-D)."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.reduction.arrays_file import read_arrays, write_arrays
from continua.rod import Rod
from continua.rod.strain_points import StrainPoints, computational_points

__all__ = ['Snapshots']

_FORMAT = 'continua snapshots 1'
_UNITS = {
    'q': 'generalised coordinates; joints rad and m, curvatures rad/m, stretches -',
    'u': 'inputs: N for tendons, Pa for chambers, N m or N for force drives',
    'link': 'name of the link of each point of strain',
    'time': 's since the beginning of the run; absent for equilibria',
    'arc_length': 'm on the link, NaN for its joint',
    'basis': 'd strain / d q; strain or joint twist = reference + basis q, [angular, linear]',
    'reference': 'rad/m and -; 0 for joints',
}


@dataclass(frozen=True)
class Snapshots:
    """s snapshots of a robot: coordinates q (s, n) under inputs u (s, m), by `input_names`.

    robot, robot_hash, model_id: what q belongs to. points: where the strains are that q stands for. time:
    (s,) s, None for equilibria. seed: of what was random, None where nothing was. left_out: how many cases
    have no solution.
    """

    robot: str
    robot_hash: str
    model_id: str
    input_names: tuple[str, ...]
    points: StrainPoints
    q: np.ndarray
    u: np.ndarray
    time: np.ndarray | None = None
    seed: int | None = None
    left_out: int = 0

    @classmethod
    def of(
        cls,
        rod: Rod,
        q: np.ndarray,
        u: np.ndarray,
        time: np.ndarray | None = None,
        seed: int | None = None,
        left_out: int = 0,
    ) -> 'Snapshots':
        """Snapshots of the full model `rod`. Raises ValueError where the arrays do not fit it or each other,
        or hold nothing."""
        robot, names = rod.robot, rod.input_names
        q, u = np.asarray(q, dtype=float), np.asarray(u, dtype=float)
        expected = (len(q), rod.dof), (len(q), len(names)), (len(q),)
        got = q.shape, u.shape, expected[2] if time is None else np.shape(time)
        if got != expected:
            raise ValueError(f'snapshots: expected q, u, time of shapes {expected}, got {got}')
        if q.size == 0 or not np.all(np.isfinite(q)):
            raise ValueError(
                f'robot {robot.name}: no snapshot to decompose, {left_out} cases without a solution; check '
                'the range of the inputs, material and gravity in the robot file'
            )
        identity = robot.name, robot.hash, rod.model_id
        return cls(*identity, names, computational_points(rod), q, u, time, seed, left_out)

    def save(self, path: Path) -> None:
        """Write the file that docs/reduction.md describes. Raises ValueError where it cannot be written."""
        arrays = {
            'q': self.q,
            'u': self.u,
            'link': self.points.link,
            'arc_length': self.points.arc_length,
            'basis': self.points.basis,
            'reference': self.points.reference,
        }
        if self.time is not None:
            arrays['time'] = self.time
        metadata = {
            'format': _FORMAT,
            'robot': self.robot,
            'robot_hash': self.robot_hash,
            'model_id': self.model_id,
            'inputs': self.input_names,
            'seed': self.seed,
            'left_out': self.left_out,
            'units': _UNITS,
        }
        write_arrays(path, arrays, metadata)

    @classmethod
    def load(cls, path: Path) -> 'Snapshots':
        """Read a file of `save`. Raises ValueError where it is none."""
        arrays, metadata = read_arrays(path, _FORMAT)
        points = StrainPoints(*(arrays[name] for name in ('link', 'arc_length', 'basis', 'reference')))
        return cls(
            *(metadata[name] for name in ('robot', 'robot_hash', 'model_id')),
            tuple(metadata['inputs']),
            points,
            arrays['q'],
            arrays['u'],
            arrays.get('time'),
            metadata['seed'],
            metadata['left_out'],
        )
