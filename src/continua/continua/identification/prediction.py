"""Where a robot's markers would be in the poses and motions that were observed.

A rod is built for each set of parameters, about 10 ms; its equilibria start from those of the last set. So
any number of a robot file can be varied, lengths and offsets too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from continua.description import PointLoad, Robot
from continua.identification.observations import Motion, Poses
from continua.rod import Integrator, Rod
from continua.sensing import MarkerModel

__all__ = ['LARGEST', 'Misreading', 'Predictor', 'Unsolved']

_STEP, _SUBSTEPS = 5e-3, 2  # s, between the shapes that markers are interpolated in; of the integrator
_STAGES = 1e-9  # of the integrator, for differences of motions


@dataclass(frozen=True)
class Misreading:
    """What clocks and load cells get wrong of a release: the delay (s) of markers after inputs, and by what
    share the inputs' fall was larger than it was read.

    A fall is short beside a vibration, so its area and its time are all that the motion sees of it.
    """

    delay: float = 0.0
    fall: float = 0.0


LARGEST = Misreading(0.02, 0.2)
"""Either way."""


class Unsolved(Exception):
    """A robot has no such equilibrium, or its motion could not be solved."""


class Predictor:
    """Marker positions of robots that differ in numbers only.

    hook: link and arc length (m) on it where the weights of poses hang, in line with gravity.
    """

    def __init__(
        self,
        robot: Robot,
        poses: Poses | None,
        motions: Sequence[Motion],
        hook: tuple[str, float] | None = None,
    ):
        """hook None: the tip of the last link. Raises ValueError where the data do not fit the robot."""
        self._poses, self._motions = poses, tuple(motions)
        rod = Rod(robot)
        for each in filter(None, (poses, *motions)):
            _check(each, rod)
        self._hook = None
        if poses is not None and np.any(poses.weight):
            link, X = hook or (robot.links[-1].name, robot.links[-1].length)
            self._hook = PointLoad(name='weight', type='point', link=link, arc_length=X, frame='world')
            self._station = self._find_station(robot)
        k = 0 if poses is None else len(poses.label)
        self._guess: list[np.ndarray | None] = [None] * (k + len(self._motions))

    def __call__(self, robot: Robot, misread: Sequence[Misreading] = ()) -> list[np.ndarray]:
        """Positions (k, M, 3) m of the poses' markers, where there are poses, then (s, M, 3) of each
        motion's, each misread in its way, by default not at all. Raises Unsolved."""
        rod = self._rod(robot)
        markers = MarkerModel(rod)
        out = [] if self._poses is None else [self._at_rest(rod, markers)]
        for i, motion in enumerate(self._motions):
            wrong = misread[i] if misread else Misreading()
            spline = self._moving(rod, markers, motion, wrong.fall, i - len(self._motions))
            out.append(spline(np.maximum(motion.time - wrong.delay, motion.time[0])))
        return out

    def _at_rest(self, rod: Rod, markers: MarkerModel) -> np.ndarray:
        poses, out = self._poses, []
        for i, (u, mass) in enumerate(zip(poses.inputs, poses.weight, strict=True)):
            load = None
            if mass:
                load = np.zeros((rod.arc_length.size, 6))
                load[self._station, 3:] = mass * np.array(rod.robot.gravity)
            out.append(markers.predict(self._equilibrium(rod, i, u, load)))
        return np.array(out)

    def _moving(self, rod: Rod, markers: MarkerModel, motion: Motion, fall: float, index: int) -> CubicSpline:
        end = motion.time[-1] + LARGEST.delay
        steps = int(np.ceil((end - motion.time[0]) / _STEP))
        grid = np.linspace(motion.time[0], end, steps + 1)
        u = np.array([np.interp(grid, motion.time, column) for column in motion.inputs.T]).T
        u += fall * (u - u[-1])
        integrator = Integrator(rod, tolerance=_STAGES)
        integrator.reset(self._equilibrium(rod, index, motion.inputs[0], None))
        start = integrator.q.copy()
        q, _ = integrator.run((grid[1] - grid[0]) / _SUBSTEPS, 0.5 * (u[1:] + u[:-1]), _SUBSTEPS)
        if len(q) < steps:
            raise Unsolved(f'{motion.label}: not solved beyond {grid[len(q)]:g} s')
        positions = np.array([markers.predict(each) for each in (start, *q)])
        return CubicSpline(grid, positions)

    def _equilibrium(self, rod: Rod, index: int, u: np.ndarray, load: np.ndarray | None) -> np.ndarray:
        guess = self._guess[index]
        if guess is None and index > 0:
            guess = self._guess[index - 1]
        found = rod.statics(u, q0=guess, load=load)
        if not found.converged:
            raise Unsolved(found.message)
        self._guess[index] = found.q
        return found.q

    def _rod(self, robot: Robot) -> Rod:
        if self._hook is None:
            return Rod(robot)
        return Rod(robot.model_copy(update={'loads': (*robot.loads, self._hook)}))

    def _find_station(self, robot: Robot) -> int:
        """The station where the hook's load acts."""
        without = self._rod(robot).conditions().dead
        pulled = self._hook.model_copy(update={'force': (1.0, 0.0, 0.0)})
        with_pull = Rod(robot.model_copy(update={'loads': (*robot.loads, pulled)})).conditions().dead
        return int(np.flatnonzero(np.any(with_pull != without, axis=1))[0])


def _check(data: Poses | Motion, rod: Rod) -> None:
    m, M = data.inputs.shape[1], data.marker.shape[1]
    if m != len(rod.input_names) or len(rod.robot.markers) != M:
        raise ValueError(
            f'{data.label}: expected {len(rod.input_names)} inputs and {len(rod.robot.markers)} markers, as '
            f'{rod.robot.name} has, got {m} and {M}'
        )
