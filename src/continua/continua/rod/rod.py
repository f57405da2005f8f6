"""A clamped soft rod with tendons: the object that simulators, estimators and notebooks hold."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.linalg import eigh

from continua.actuation.threadlike import tendon_length, tendon_matrix
from continua.description import Robot
from continua.rod.arrays import coordinates
from continua.rod.discretise import discretise_rod, discretise_tendons
from continua.rod.jacobian import jacobians, mass_and_coriolis
from continua.rod.residual import make_model, residual, residual_tangent
from continua.rod.sampler import Sampler, Shape
from continua.rod.statics import StaticsResult, solve_statics

__all__ = ['Rod']


class Rod:
    """Geometric variable-strain model of a robot's soft link.

    M(q) qdd + (C(q, qd) + D) qd + K q = B(q) T + F(q)      (soft_synergies eq 9)

    with tensions T (K,) N, positive when they pull, in the order of the robot file. Vectors are of n = `dof`
    generalised coordinates: rad/m for curvatures, dimensionless for stretches. Buffers inside: one rod
    serves one thread.
    """

    def __init__(self, robot: Robot, order: Sequence[int | None] | None = None, points: int | None = None):
        """order: Legendre degrees in place of the robot file's; points: Gauss points in place of the file's.

        Raises ValueError where the order is not six degrees or None, and for robots beyond this engine.
        """
        if len(robot.links) != 1:
            raise ValueError(
                f'links: the rod engine handles one soft link, {robot.name} has {len(robot.links)}'
            )
        guided = [tendon.name for tendon in robot.tendons if tendon.guides is not None]
        if guided or robot.chambers:
            raise ValueError(
                f'robot {robot.name}: the rod engine models tendons that run inside the section; it has no '
                f'disk guides ({", ".join(guided) or "none here"}) and no chambers '
                f'({", ".join(chamber.name for chamber in robot.chambers) or "none here"}) yet'
            )
        self.robot = robot
        self.order = (
            tuple(order) if order is not None else robot.links[0].strain_basis.order.in_strain_order()
        )
        if len(self.order) != 6 or all(k is None for k in self.order):
            raise ValueError(
                'order: expected six degrees (torsion, bending_y, bending_z, elongation, shear_y, shear_z), '
                f'None for a strain that is not allowed, got {order}'
            )
        self._points = points
        rod = discretise_rod(robot, self.order, points)
        self._model = make_model(rod, discretise_tendons(robot, rod.arc_length, rod.weight))
        self._sampler = lru_cache(maxsize=16)(self._make_sampler)
        self.length = robot.links[0].length
        self.dof = rod.stiffness.shape[0]
        self.n_tendons = len(robot.tendons)
        self._zero = np.zeros(self.dof)
        self.scale = self._unit_deformation()
        self.period = self._longest_period()
        self._reference_length = self._tendon_length(self._zero)

    @property
    def model_id(self) -> str:
        """Hash of robot file and strain basis: what gives q its meaning."""
        text = f'{self.robot.hash} legendre {self.order}'
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def strain_index(self) -> np.ndarray:
        """(n,) which of the strains [kx ky kz lx ly lz] each coordinate belongs to."""
        return np.repeat(np.arange(6), [0 if k is None else k + 1 for k in self.order])

    @property
    def arc_length(self) -> np.ndarray:
        """Arc lengths (N,) m of the model's stations, base and tip included; dead loads act there."""
        return self._model.rod.arc_length.copy()

    @property
    def stiffness(self) -> np.ndarray:
        """K (n, n), eq 36d."""
        return self._model.rod.stiffness.copy()

    @property
    def damping(self) -> np.ndarray:
        """D (n, n), eq 36c."""
        return self._model.rod.damping.copy()

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """M (n, n), eq 36a."""
        return self._mass_and_coriolis(q, self._zero)[0]

    def coriolis_matrix(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """C (n, n) with C qd the velocity-dependent force, eq 36b."""
        return self._mass_and_coriolis(q, qd)[1]

    def actuation_matrix(self, q: np.ndarray) -> np.ndarray:
        """B (n, K): generalised force per newton of tension, eq 36e; friction included."""
        self.residual(q)
        model = self._model
        return tendon_matrix(model.tendons, model.rod.phi, model.routing, model.routing.decay)

    def external_force(
        self, q: np.ndarray, gravity: bool = True, load: np.ndarray | None = None
    ) -> np.ndarray:
        """F (n,): generalised force of gravity and of dead loads (N, 6) in world axes, eq 36f."""
        return self.stiffness @ q - self.residual(q, gravity=gravity, load=load)

    def residual(
        self,
        q: np.ndarray,
        qd: np.ndarray | None = None,
        qdd: np.ndarray | None = None,
        tension: np.ndarray | None = None,
        gravity: bool = True,
        load: np.ndarray | None = None,
    ) -> np.ndarray:
        """Inverse dynamics minus actuation (n,): M qdd + (C + D) qd + K q - B T - F."""
        r = np.zeros(self.dof)
        residual(
            self._model,
            self._coordinates(q, 'q'),
            self._zero if qd is None else self._coordinates(qd, 'qd'),
            self._zero if qdd is None else self._coordinates(qdd, 'qdd'),
            self._tension(tension),
            1.0 if gravity else 0.0,
            self._load(load),
            r,
        )
        return r

    def residual_derivatives(
        self,
        q: np.ndarray,
        qd: np.ndarray | None = None,
        qdd: np.ndarray | None = None,
        tension: np.ndarray | None = None,
        gravity: bool = True,
        load: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives (n, n) of `residual` with respect to q, qd and qdd; exact, recursive."""
        self.residual(q, qd, qdd, tension, gravity, load)
        out = np.zeros((3, self.dof, self.dof))
        for row, weights in enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))):
            residual_tangent(self._model, *weights, self._tension(tension), out[row])
        return out[0], out[1], out[2]

    def statics(
        self,
        tension: np.ndarray | None = None,
        q0: np.ndarray | None = None,
        gravity: bool = True,
        load: np.ndarray | None = None,
    ) -> StaticsResult:
        """Static equilibrium (eq 11) from the guess q0, the reference shape by default."""
        return solve_statics(
            self._model,
            self._zero if q0 is None else self._coordinates(q0, 'q0'),
            self._tension(tension),
            1.0 if gravity else 0.0,
            self._load(load),
            self.scale,
        )

    def natural_frequencies(
        self,
        q: np.ndarray,
        tension: np.ndarray | None = None,
        gravity: bool = True,
        load: np.ndarray | None = None,
    ) -> np.ndarray:
        """Undamped natural frequencies (n,) Hz about the equilibrium q, ascending.

        Frequencies of unstable directions come out as zero.
        """
        stiffness, _, mass = self.residual_derivatives(q, None, None, tension, gravity, load)
        factor = np.linalg.cholesky(mass)
        half = np.linalg.solve(factor, 0.5 * (stiffness + stiffness.T))
        eigenvalues = np.linalg.eigvalsh(np.linalg.solve(factor, half.T))
        return np.sqrt(np.maximum(eigenvalues, 0.0)) / (2.0 * np.pi)

    def energy(self, q: np.ndarray, qd: np.ndarray, gravity: bool = True) -> float:
        """Kinetic, elastic and (with gravity) potential energy, J; height zero is the world's origin."""
        mass = self.mass_matrix(q)
        total = 0.5 * qd @ mass @ qd + 0.5 * q @ self._model.rod.stiffness @ q
        if gravity:
            total -= self._model.rod.inertia[:, 3, 3] @ (self._model.work.p @ self._model.rod.gravity)
        return float(total)

    def tendon_displacement(self, q: np.ndarray) -> np.ndarray:
        """Tendon (K,) m that has left the body since the reference shape; sdre eqs 12, 13 with our sign."""
        return self._reference_length - self._tendon_length(q)

    def tendon_displacement_jacobian(self, q: np.ndarray) -> np.ndarray:
        """Derivative (K, n) of `tendon_displacement`; the transpose of B where there is no friction."""
        self.residual(q)
        model = self._model
        return tendon_matrix(model.tendons, model.rod.phi, model.routing, np.ones_like(model.routing.decay)).T

    def sampler(self, arc_length: np.ndarray) -> Sampler:
        """Kinematics at the given arc lengths (m,) m; the last few samplers are kept."""
        return self._sampler(np.asarray(arc_length, dtype=float).tobytes())

    def shape(self, q: np.ndarray, arc_length: np.ndarray) -> Shape:
        """Shape at the given arc lengths (m,) m."""
        return self.sampler(arc_length).shape(self._coordinates(q, 'q'))

    def _make_sampler(self, arc_length: bytes) -> Sampler:
        return Sampler(self.robot, self.order, self._points, np.frombuffer(arc_length))

    def _mass_and_coriolis(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        model, n = self._model, self.dof
        J, Jd = np.zeros((2, model.rod.arc_length.size, 6, n))
        M, C = np.zeros((2, n, n))
        jacobians(model.rod, self._coordinates(q, 'q'), self._coordinates(qd, 'qd'), model.work, J, Jd)
        mass_and_coriolis(model.rod, model.work, J, Jd, M, C)
        return M, C

    def _tendon_length(self, q: np.ndarray) -> np.ndarray:
        self.residual(q)
        return tendon_length(self._model.tendons, self._model.routing)

    def _unit_deformation(self) -> np.ndarray:
        """The amount of each coordinate that turns the tip by about 1 rad or stretches the rod by about 1."""
        units = np.array([self.length] * 3 + [1.0] * 3)
        rod = self._model.rod
        mean_square = np.einsum('j,jrc,r->c', rod.weight, rod.phi**2, units**2) / self.length
        return 1.0 / np.sqrt(mean_square)

    def _longest_period(self) -> float:
        """Period (s) of the slowest vibration of the unloaded rod."""
        largest = eigh(self.mass_matrix(self._zero), self.stiffness, eigvals_only=True)[-1]
        return 2.0 * np.pi * float(np.sqrt(largest))

    def _coordinates(self, q: np.ndarray, name: str) -> np.ndarray:
        return coordinates(q, self.dof, name)

    def _tension(self, tension: np.ndarray | None) -> np.ndarray:
        if tension is None:
            return np.zeros(self.n_tendons)
        tension = np.array(tension, dtype=float)
        if tension.shape != (self.n_tendons,):
            raise ValueError(
                f'tension: expected {self.n_tendons} values for {", ".join(self.robot.tendon_names)}, '
                f'got an array of shape {tension.shape}'
            )
        return tension

    def _load(self, load: np.ndarray | None) -> np.ndarray:
        stations = self._model.rod.arc_length.size
        if load is None:
            return np.zeros((stations, 6))
        load = np.array(load, dtype=float, order='C')
        if load.shape != (stations, 6):
            raise ValueError(
                f'load: expected a wrench for each of {stations} stations, got shape {load.shape}'
            )
        return load
