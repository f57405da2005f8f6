"""The collocation rod as the object that simulators, estimators and controllers hold."""

import ctypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from continua.cosserat.compiled import compiled
from continua.cosserat.elements import generated_source
from continua.cosserat.properties import MODEL_AXES, PARAMETERS, properties_of, wrench_at
from continua.description import Robot
from continua.description.errors import did_you_mean

__all__ = ['CollocationRod', 'Shape']

# Of a step is tried as the first internal one: pressures jump, and the stress follows within milliseconds.
_PARTS = 8
_AT_REST = 1e-9  # error of equilibria, in units of scale


@cache
def _library() -> ctypes.CDLL:
    folder = Path(__file__).parent
    written = ((folder / name).read_text() for name in ('collocation.c', 'integration.c'))
    return compiled('\n'.join([generated_source(), *written]))


def _argument(value: object) -> object:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_double(value) if isinstance(value, float) else value


@dataclass(frozen=True)
class Shape:
    """Sections of the soft link, from its base to its tip: arc_length (..., K) m, position (..., K, 3) m and
    R (..., K, 3, 3) in the world; the columns of R are the house's axes, x along the tangent."""

    arc_length: np.ndarray
    position: np.ndarray
    R: np.ndarray


class CollocationRod:
    """Cosserat rod between rigid bodies, discretised at N nodes (adaptive_nempc_ddpinn, section III).

        c_eq(x, xd, u, theta) = 0   (eq 19),      xd = f(x, u, theta)   (eq 20)

    x (n,), n = 12 N, is in the paper's convention, linear first with z along the rod, node by node: `groups`
    says what is where. u (m,): gauge pressures Pa in the order of `input_names`. theta (5,): values of
    `parameter_names`; None stands for `theta`, those of the robot file. All three may have a batch dimension
    B in front. Poses, positions and wrenches are the house's.
    """

    parameter_names = PARAMETERS

    def __init__(self, robot: Robot, nodes: int = 6, subintervals: int = 4, tolerance: float = 3e-3):
        """nodes: N; 6 are the paper's 72 states. subintervals: of gravity's grid, between two nodes.
        tolerance: error of each internal step of `step`, in units of `scale`: about a radian at the tip.
        Raises ValueError for a robot that the model cannot represent.
        """
        if nodes < 2 or subintervals < 1:
            raise ValueError(f'expected nodes >= 2 and subintervals >= 1, got {nodes} and {subintervals}')
        if not tolerance > 0.0:
            raise ValueError(f'tolerance: expected a positive number, got {tolerance}')
        self.robot, self.nodes, self.subintervals = robot, int(nodes), int(subintervals)
        self.n, self.tolerance = 12 * self.nodes, float(tolerance)
        self.input_names = tuple(chamber.name for chamber in robot.chambers)
        self.properties = properties_of(robot)
        self.theta = self.properties.theta
        self.groups = _groups(self.nodes)
        self.scale = self._scale()
        self._library = _library()

    def with_theta(self, **values: float) -> np.ndarray:
        """theta (5,) of the robot file with values replaced by name; ValueError for an unknown name."""
        unknown = values.keys() - set(PARAMETERS)
        if unknown:
            name = min(unknown)
            raise ValueError(f'theta: no parameter {name!r}; {did_you_mean(name, PARAMETERS)}')
        return np.array([values.get(name, own) for name, own in zip(PARAMETERS, self.theta, strict=True)])

    def residual(
        self, x: np.ndarray, xd: np.ndarray, u: np.ndarray, theta: np.ndarray | None = None
    ) -> np.ndarray:
        """c_eq (n,) or (B, n), eq 19."""
        x, p, w = self._prepared(x, u, theta)
        xd = np.array(np.broadcast_to(xd, x.shape), dtype=float, order='C')
        out = np.empty_like(x)
        self._call('rod_residual', p, w, x, xd, out)
        return out

    def matrices(
        self, x: np.ndarray, xd: np.ndarray, u: np.ndarray, theta: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives (n, n) or (B, n, n) of c_eq with respect to x, and to xd: the matrix of eq 21."""
        x, p, w = self._prepared(x, u, theta)
        xd, out = (
            np.array(np.broadcast_to(xd, x.shape), dtype=float, order='C'),
            np.empty((2, *x.shape, self.n)),
        )
        self._call('rod_matrix', p, w, x, xd, 1.0, 0.0, out[0])
        self._call('rod_matrix', p, w, x, xd, 0.0, 1.0, out[1])
        return out[0], out[1]

    def derivative(self, x: np.ndarray, u: np.ndarray, theta: np.ndarray | None = None) -> np.ndarray:
        """xd (n,) or (B, n) = f(x, u, theta), eq 22."""
        still = self.residual(x, 0.0, u, theta)
        return -np.linalg.solve(self.matrices(x, 0.0, u, theta)[1], still[..., None])[..., 0]

    def jacobian(
        self, x: np.ndarray, u: np.ndarray, theta: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of f at one state with respect to x (n, n), eq 23, and to u (n, m)."""
        xd = self.derivative(x, u, theta)
        by_x, by_rate = self.matrices(x, xd, u, theta)
        # c_eq is linear in the pressures.
        units = np.vstack([np.eye(len(self.input_names)), np.zeros(len(self.input_names))])
        answer = self.residual(x, xd, units, theta)
        found = -np.linalg.solve(by_rate, np.hstack([by_x, (answer[:-1] - answer[-1]).T]))
        return found[:, : self.n], found[:, self.n :]

    def step(self, x: np.ndarray, u: np.ndarray, dt: float, theta: np.ndarray | None = None) -> np.ndarray:
        """State (n,) or (B, n) after dt (s) under constant pressures; NaN where no step, however small, could
        be solved."""
        return self._advanced('rod_step', x, u, theta, float(dt), dt / _PARTS, self.scale, self.tolerance)

    def statics(
        self, u: np.ndarray, x0: np.ndarray | None = None, theta: np.ndarray | None = None
    ) -> np.ndarray:
        """Equilibrium (n,) or (B, n) under u, searched from x0, by default the straight rod without stress;
        NaN where none was found."""
        x0 = np.zeros(self.n) if x0 is None else x0
        return self._advanced('rod_settle', x0, u, theta, self.scale, _AT_REST)

    def shape(self, x: np.ndarray, theta: np.ndarray | None = None) -> Shape:
        """The sections of gravity's grid (algorithm 1)."""
        x, p, _ = self._prepared(x, None, theta)
        R, position, _ = self._sections(x, p, tip_rate=False)
        base_R, base_p = self.properties.base
        s = np.linspace(0.0, 1.0, R.shape[-3]) * p[..., :1]
        return Shape(s, base_p + position @ base_R.T, base_R @ R @ MODEL_AXES)

    def pose(self, x: np.ndarray, theta: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """R (..., 3, 3) and position (..., 3) m of the robot's tip in the world: T_EE of eq 29."""
        x, p, _ = self._prepared(x, None, theta)
        R, position, _ = self._sections(x, p, tip_rate=False)
        R, position = R[..., -1, :, :], position[..., -1, :]
        (base_R, base_p), (tip_R, tip_p) = self.properties.base, self.properties.tip
        return base_R @ R @ tip_R, base_p + (position + R @ tip_p) @ base_R.T

    def output(self, x: np.ndarray, theta: np.ndarray | None = None) -> np.ndarray:
        """Position (3,) or (B, 3) m of the robot's tip in the world, y_pos of eq 30."""
        return self.pose(x, theta)[1]

    def output_jacobian(self, x: np.ndarray, theta: np.ndarray | None = None) -> np.ndarray:
        """Derivative (6, n) or (B, 6, n) of the tip's pose: rotation in the world's axes, and position."""
        x, p, _ = self._prepared(x, None, theta)
        R, _, rate = self._sections(x, p, tip_rate=True)
        turn = self.properties.base[0] @ R[..., -1, :, :]
        lever = np.cross(np.eye(3), self.properties.tip[1])
        linear, angular = rate[..., :3, :], rate[..., 3:, :]
        return np.concatenate([turn @ angular, turn @ (linear - lever @ angular)], axis=-2)

    def base_wrench(self, x: np.ndarray) -> np.ndarray:
        """Moment N m and force N (6,) or (B, 6) that the robot exerts on its base, in the base's frame. It is
        x2- at the base (eq 17), so it lags by the damping's time constants; what the links before the soft
        one weigh is not in it."""
        return wrench_at(self.properties.sensor, np.asarray(x)[..., :6])

    def _sections(
        self, x: np.ndarray, p: np.ndarray, tip_rate: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """R (..., K, 3, 3), position (..., K, 3) in the first section; the tip's body twist (..., 6, n)."""
        sections = self.subintervals * (self.nodes - 1) + 1
        R, position = np.empty((*x.shape[:-1], sections, 3, 3)), np.empty((*x.shape[:-1], sections, 3))
        rate = np.empty((*x.shape[:-1], 6, self.n)) if tip_rate else None
        self._call('rod_poses', p, x, R, position, rate)
        return R, position, rate

    def _advanced(self, name: str, x, u, theta, *settings) -> np.ndarray:
        x, p, w = self._prepared(x, u, theta)
        found = np.zeros(x.shape[:-1], dtype=np.int32)
        self._call(name, p, w, *settings, x, found)
        x[found == 0] = np.nan
        return x

    def _call(self, name: str, p: np.ndarray, *values: object) -> None:
        count = p.size // p.shape[-1]
        arguments = (self.nodes, self.subintervals, p.shape[-1], count, p, *values)
        getattr(self._library, name)(*map(_argument, arguments))

    def _prepared(
        self, x: np.ndarray, u: np.ndarray | None, theta: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Copies: states (..., n), parameters (..., 58) and pressure wrenches (..., 6), of one batch."""
        m = len(self.input_names)
        x, u = np.asarray(x, dtype=float), np.zeros(m) if u is None else np.asarray(u, dtype=float)
        theta = self.theta if theta is None else np.asarray(theta, dtype=float)
        for what, array, size in (('x', x, self.n), ('u', u, m), ('theta', theta, len(PARAMETERS))):
            if array.ndim == 0 or array.shape[-1] != size:
                raise ValueError(f'{what}: expected {size} values (..., {size}), got shape {array.shape}')
        batch = np.broadcast_shapes(x.shape[:-1], u.shape[:-1], theta.shape[:-1])
        p = self.properties.vector(np.broadcast_to(theta, (*batch, theta.shape[-1])))
        # A sum and no product of matrices, so that a row of a batch is what it is alone, to the last bit.
        w = np.sum(u[..., None, :] * self.properties.pressure_wrench, axis=-1)
        w = np.array(np.broadcast_to(w, (*batch, 6)), order='C')
        return np.array(np.broadcast_to(x, (*batch, self.n)), order='C'), p, w

    def _scale(self) -> np.ndarray:
        """One unit of error of each state (n,): what turns the tip by a radian or moves it by its length,
        and rates that do so within a radian of the slowest vibration, of a beam with its mass at the tip."""
        length, mass, bending = self.theta[:3]
        period = np.sqrt((mass + 0.25 * self.properties.inertia[0] * length) * length**3 * bending / 3.0)
        velocity = np.array([length, length, length, 1.0, 1.0, 1.0]) / period
        wrench = 1.0 / (self.properties.compliance * np.array([1.0, 1.0, 1.0, length, length, length]))
        return np.concatenate([wrench, wrench, *[velocity, wrench] * (self.nodes - 1)])


def _groups(nodes: int) -> dict[str, np.ndarray]:
    """Indices in x of the groups of tables VI and VII; force is across the rod, force_z along it."""
    node = np.arange(12 * nodes).reshape(nodes, 12)
    wrench = np.concatenate([node[0].reshape(2, 6), node[1:, 6:]])
    return {
        'velocity': node[1:, :3].ravel(),
        'angular_velocity': node[1:, 3:6].ravel(),
        'force': wrench[:, :2].ravel(),
        'force_z': wrench[:, 2],
        'torque': wrench[:, 3:].ravel(),
    }
