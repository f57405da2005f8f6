"""A linkage of soft rods and rigid bodies: the object that simulators, estimators and notebooks hold."""

import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy.linalg import null_space

from continua.actuation.cables import cable_length
from continua.actuation.threadlike import tendon_length
from continua.description import Robot
from continua.jit import Held
from continua.rod.actuators import input_names, target_names
from continua.rod.arrays import Conditions, coordinates
from continua.rod.assembly import Assembly, Bases
from continua.rod.backbone import Backbone
from continua.rod.discretise import discretise, file_loads
from continua.rod.jacobian import jacobians, mass_and_coriolis
from continua.rod.residual import Parts, make_model, residual, residual_tangent
from continua.rod.sampler import Sampler, Shape
from continua.rod.scales import longest_period, unit_deformation
from continua.rod.spring_laws import Springs, spring_stiffness
from continua.rod.springs import spring_energy
from continua.rod.statics import StaticsResult, solve_statics
from continua.rod.stretches import Points

__all__ = ['Rod']

# Constraints whose share in what the others leave is smaller say nothing new.
_REPEATED = 1e-9


class Rod:
    """Geometric variable-strain model of a robot: soft and rigid links in trees, and loops that close them.

    M(q) qdd + (C(q, qd) + D) qd + K q = B(q) u + F(q) + A(q)^T reaction      (soft_synergies eq 9)
    A(q) qd = 0                                                               (its section II-C)

    with inputs u (m,) in the order of `input_names`: tensions N, positive when they pull, pressures Pa,
    efforts N m or N. Vectors are of n = `dof` generalised coordinates: joints' rad and m, curvatures' rad/m,
    stretches without unit. Methods that ask for forces take the keywords of `conditions`. Buffers inside: one
    rod serves one thread.
    """

    def __init__(
        self,
        robot: Robot,
        bases: Bases | None = None,
        points: Points = None,
        springs: Springs | None = None,
        modes: np.ndarray | None = None,
    ):
        """bases: {soft link: columns(X (m,) in m) -> (m, 6, k)}, strain bases in place of the file's.

        points: Gauss points of each division, in place of the file's, or quadrature rules, {soft link: (arc
        lengths (p,) m, weights (p,) m)}. springs: {link: force(coordinate (m,)) -> (m,) N m or N}, laws in
        place of the stiffness of the link's joint, tabulated over its limits or half a turn. modes (n, r):
        columns that make a reduced model, of coordinates z with q = modes z (soft_synergies eqs 20 to 22 and
        38). Raises ValueError where these do not fit the robot.
        """
        modes = None if modes is None else np.array(modes, dtype=float)
        assembly = Assembly(robot, bases or {}, points, modes)
        self.robot = robot
        self._given = (bases or {}, points, modes)
        parts = discretise(assembly, springs or {})
        self._held = make_model(parts)
        self._model = self._held.value
        self._dead, self._following = file_loads(assembly, parts.rod.weight)
        self._sampler = lru_cache(maxsize=16)(self._make_sampler)
        self._backbone = Backbone(robot)
        self.length = self._backbone.length
        self.dof = assembly.dof
        self.n_tendons = len(robot.tendons)
        self.n_constraints = parts.constraints.rate.size
        self.input_names = input_names(robot)
        self.target_names = target_names(robot)
        self.strain_index = _strain_index(assembly)
        self._zero = np.zeros(self.dof)
        self.scale = unit_deformation(parts.rod, self.length)
        self.period = longest_period(self.stiffness, self.mass_matrix(self._zero), self.scale, self.length)
        self._reference_length = self._tendon_length(self._zero)

    @cached_property
    def _without_friction(self) -> Held:
        """The same model with tendons and cables that slide freely."""
        parts = Parts(*self._model[: len(Parts._fields)])
        tendons, cables = parts.tendons, parts.cables
        return make_model(
            parts._replace(
                tendons=tendons._replace(friction=np.zeros_like(tendons.friction)),
                cables=cables._replace(friction=np.zeros_like(cables.friction)),
            )
        )

    @property
    def model_id(self) -> str:
        """Hash of robot file, strain bases and modes: what gives q its meaning."""
        bases, _, modes = self._given
        phi = self._model.rod.phi_1.round(12).tobytes() if bases or modes is not None else b''
        return hashlib.sha256(self.robot.hash.encode() + phi).hexdigest()[:16]

    @property
    def arc_length(self) -> np.ndarray:
        """Arc lengths (N,) m of the model's stations on their links; loads act there."""
        return self._model.rod.arc_length.copy()

    @property
    def stiffness(self) -> np.ndarray:
        """K (n, n), eq 36d, and the linear springs of joints."""
        return self._model.rod.stiffness.copy()

    def tangent_stiffness(self, q: np.ndarray) -> np.ndarray:
        """K (n, n) and the slopes at q (n,) of the joint springs that are not linear."""
        K, springs = self.stiffness, self._model.springs
        return K + spring_stiffness(springs, self._coordinates(q, 'q')) if len(springs.knots) else K

    @property
    def damping(self) -> np.ndarray:
        """D (n, n), eq 36c, and the dampers of joints."""
        return self._model.rod.damping.copy()

    def conditions(
        self,
        u: Sequence[float] | np.ndarray | None = None,
        gravity: bool = True,
        load: np.ndarray | None = None,
        following: np.ndarray | None = None,
        target: Sequence[float] | np.ndarray | None = None,
        target_rate: Sequence[float] | np.ndarray | None = None,
    ) -> Conditions:
        """What acts on the robot: inputs u (m,); dead loads (N, 6) in world axes and following ones in body
        axes, beside those of the robot file; and targets (P,) of the position drives and their rates (P,), in
        the middle of a time step. All zero by default.

        Raises ValueError for a wrong shape.
        """
        return Conditions(
            _vector(u, self.input_names, 'u'),
            1.0 if gravity else 0.0,
            self._with_load(self._dead, load, 'load'),
            self._with_load(self._following, following, 'following'),
            _vector(target, self.target_names, 'target'),
            _vector(target_rate, self.target_names, 'target_rate'),
        )

    def full_coordinates(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (n,) of the model without `modes` in the shape of q; of several, (k, dof) -> (k, n)."""
        modes = self._given[2]
        return np.array(q, dtype=float) if modes is None else np.asarray(q) @ modes.T

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """M (n, n), eq 36a."""
        return self.mass_and_coriolis(q, self._zero)[0]

    def coriolis_matrix(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """C (n, n) with C qd the velocity-dependent force, eq 36b."""
        return self.mass_and_coriolis(q, qd)[1]

    def mass_and_coriolis(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M and C (n, n), for the price of one."""
        model, n = self._model, self.dof
        J, Jd = np.zeros((2, model.rod.arc_length.size, 6, n))
        M, C = np.zeros((2, n, n))
        jacobians(model.rod, self._coordinates(q, 'q'), self._coordinates(qd, 'qd'), model.work, J, Jd)
        mass_and_coriolis(model.rod, model.work, J, Jd, M, C)
        return M, C

    def actuation_matrix(self, q: np.ndarray) -> np.ndarray:
        """B (n, m): generalised force per unit of each input, eq 36e; friction included."""
        return self._actuation_matrix(self._held, q)

    def external_force(self, q: np.ndarray, **acting: Any) -> np.ndarray:
        """F (n,): generalised force of gravity, loads, and joint springs that are not linear, eq 36f."""
        return self.stiffness @ q - self.residual(q, **acting)

    def residual(
        self, q: np.ndarray, qd: np.ndarray | None = None, qdd: np.ndarray | None = None, **acting: Any
    ) -> np.ndarray:
        """Inverse dynamics minus actuation (n,): M qdd + (C + D) qd + K q - B u - F; without reactions."""
        return self._residual(self._held, (q, qd, qdd), self.conditions(**acting))[: self.dof]

    def residual_derivatives(
        self, q: np.ndarray, qd: np.ndarray | None = None, qdd: np.ndarray | None = None, **acting: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives (n, n) of `residual` with respect to q, qd and qdd; exact, recursive."""
        conditions, size = self.conditions(**acting), self.dof + self.n_constraints
        self._residual(self._held, (q, qd, qdd), conditions)
        out = np.zeros((3, size, size))
        for row, weights in enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))):
            residual_tangent(self._held, *weights, conditions, out[row])
        return tuple(np.ascontiguousarray(each[: self.dof, : self.dof]) for each in out)

    def constraint_matrix(self, q: np.ndarray) -> np.ndarray:
        """A (k, n) of the loops and position drives: A qd = 0."""
        conditions, n = self.conditions(), self.dof
        self._residual(self._held, (q, None, None), conditions)
        out = np.zeros((n + self.n_constraints, n + self.n_constraints))
        residual_tangent(self._held, 1.0, 0.0, 0.0, conditions, out)
        return -out[:n, n:].T

    def constraint_error(self, q: np.ndarray, **acting: Any) -> np.ndarray:
        """e (k,): how far loops are open, rad and m, and coordinates are from their targets."""
        r = self._residual(self._held, (q, None, None), self.conditions(**acting))
        return r[self.dof :] / self._model.constraints.rate

    def acceleration(self, q: np.ndarray, qd: np.ndarray | None = None, **acting: Any) -> np.ndarray:
        """qdd (n,) of the unconstrained or constrained motion (constraints held at acceleration level).

        Constraints may repeat each other, as those of planar loops in space do.
        """
        r = self.residual(q, qd, None, **acting)
        M = self.mass_matrix(q)
        if self.n_constraints == 0:
            return -np.linalg.solve(M, r)
        q, rate = self._coordinates(q, 'q'), self._zero if qd is None else self._coordinates(qd, 'qd')
        # d(A qd)/dt at constant qd, by a central difference along the motion
        step = 1e-6 / max(1.0, np.abs(rate / self.scale).max())
        change = (self.constraint_matrix(q + step * rate) - self.constraint_matrix(q - step * rate)) @ rate
        A = self.constraint_matrix(q) * self.scale
        forced = self.scale * np.linalg.lstsq(A, -change / (2.0 * step), rcond=_REPEATED)[0]
        free = self.scale[:, None] * null_space(A, rcond=_REPEATED)
        return forced - free @ np.linalg.solve(free.T @ M @ free, free.T @ (r + M @ forced))

    def statics(
        self,
        u: Sequence[float] | np.ndarray | None = None,
        q0: np.ndarray | None = None,
        **acting: Any,
    ) -> StaticsResult:
        """Static equilibrium (eq 11) from the guess q0, the reference shape by default."""
        guess = self._zero if q0 is None else self._coordinates(q0, 'q0')
        return solve_statics(self._held, guess, self.conditions(u, **acting), self.scale)

    def energy(self, q: np.ndarray, qd: np.ndarray, gravity: bool = True) -> float:
        """Kinetic, elastic and (with gravity) potential energy, J; height zero is the world's origin."""
        q, qd = self._coordinates(q, 'q'), self._coordinates(qd, 'qd')
        mass, rod, work = self.mass_matrix(q), self._model.rod, self._model.work
        total = 0.5 * qd @ mass @ qd + 0.5 * q @ rod.stiffness @ q + spring_energy(self._model.springs, q)
        if gravity:
            # of each station, mass times height and the first moment that its inertia holds
            moment = np.stack([rod.inertia[:, 2, 4], rod.inertia[:, 0, 5], rod.inertia[:, 1, 3]], axis=1)
            total -= rod.inertia[:, 3, 3] @ (work.p @ rod.gravity)
            total -= np.einsum('jik,jk,i->', work.R, moment, rod.gravity)
        return float(total)

    def tendon_displacement(self, q: np.ndarray) -> np.ndarray:
        """Tendon (K,) m that has left the body since the reference shape; sdre eqs 12, 13 with our sign."""
        return self._reference_length - self._tendon_length(q)

    def tendon_displacement_jacobian(self, q: np.ndarray) -> np.ndarray:
        """Derivative (K, n) of `tendon_displacement`; the transpose of B where there is no friction."""
        return self.tendon_kinematics(q)[1]

    def tendon_kinematics(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement (K,) m of the tendons and its derivative (K, n)."""
        J = self._actuation_matrix(self._without_friction, q)[:, : self.n_tendons].T
        return self._reference_length - self._left_length(self._without_friction), J

    def sampler(self, arc_length: np.ndarray, link: str | Sequence[str] | None = None) -> Sampler:
        """Kinematics at arc lengths (m,) m of a link, each of a link of its own for m names, or for None of
        the backbone: from the base to the tip of the last link. The last few samplers are kept.
        """
        link = link if link is None or isinstance(link, str) else tuple(link)
        return self._sampler(np.asarray(arc_length, dtype=float).tobytes(), np.ndim(arc_length), link)

    def shape(self, q: np.ndarray, arc_length: np.ndarray, link: str | None = None) -> Shape:
        """Shape at the given arc lengths (m,) m of a link, or of the backbone for None."""
        return self.sampler(arc_length, link).shape(self._coordinates(q, 'q'))

    def _make_sampler(
        self, arc_length: bytes, dimensions: int, link: str | tuple[str, ...] | None
    ) -> Sampler:
        X = np.frombuffer(arc_length)
        if link is None:
            return Sampler(self.robot, *self._given, X, self._backbone.places(X, dimensions))
        links = (link,) * X.size if isinstance(link, str) else link
        if dimensions != 1 or len(links) != X.size:
            raise ValueError(f'arc_length: expected a vector of values in m, one for each link, got {X}')
        for name, x in zip(links, X, strict=True):
            length = self.robot.link(name).length
            if not 0.0 <= x <= length:
                raise ValueError(
                    f'arc_length: expected a vector of values in [0, {length}] m of {name}, got {x}'
                )
        return Sampler(self.robot, *self._given, X, list(zip(links, X.tolist(), strict=True)))

    def _residual(self, model: Held, state: tuple, conditions: Conditions) -> np.ndarray:
        q, qd, qdd = state
        r = np.zeros(self.dof + self.n_constraints)
        residual(
            model,
            self._coordinates(q, 'q'),
            self._zero if qd is None else self._coordinates(qd, 'qd'),
            self._zero if qdd is None else self._coordinates(qdd, 'qdd'),
            np.zeros(self.n_constraints),
            conditions,
            r,
        )
        return r

    def _actuation_matrix(self, model: Held, q: np.ndarray) -> np.ndarray:
        """The residual is affine in u, so its differences are exact."""
        m = len(self.input_names)
        state, free = (q, None, None), self.conditions(gravity=False)
        without = self._residual(model, state, free)[: self.dof]
        columns = [
            without - self._residual(model, state, free._replace(u=row))[: self.dof] for row in np.eye(m)
        ]
        return np.array(columns).reshape(m, self.dof).T

    def _tendon_length(self, q: np.ndarray) -> np.ndarray:
        """Lengths (K,) m of tendons in the body and through points."""
        self._residual(self._held, (q, None, None), self.conditions())
        return self._left_length(self._held)

    def _left_length(self, held: Held) -> np.ndarray:
        """The same at the point of the model's last residual."""
        m = held.value
        inside = np.bincount(m.tendons.input, tendon_length(m.tendons, m.routing), len(self.input_names))
        return (inside + cable_length(m.cables, m.spans, len(self.input_names)))[: self.n_tendons]

    def _coordinates(self, q: np.ndarray, name: str) -> np.ndarray:
        return coordinates(q, self.dof, name)

    def _with_load(self, own: np.ndarray, load: np.ndarray | None, name: str) -> np.ndarray:
        """The file's loads and these, (N, 6)."""
        if load is None:
            return own
        load = np.array(load, dtype=float, order='C')
        if load.shape != own.shape:
            raise ValueError(
                f'{name}: expected a wrench for each of {len(own)} stations, got shape {load.shape}'
            )
        return own + load


def _vector(values: Sequence[float] | np.ndarray | None, names: tuple[str, ...], what: str) -> np.ndarray:
    """One value for each name, zeros for None."""
    if values is None:
        return np.zeros(len(names))
    values = np.array(values, dtype=float)
    if values.shape != (len(names),):
        raise ValueError(
            f'{what}: expected {len(names)} values for {", ".join(names) or "nothing"}, '
            f'got an array of shape {values.shape}'
        )
    return values


def _strain_index(assembly: Assembly) -> np.ndarray:
    """(dof,) which strain [kx ky kz lx ly lz] each coordinate belongs to, -1 for joints and synergies."""
    out = np.full(assembly.dof, -1)
    if assembly.modes is not None:
        return out
    for stretches in assembly.stretches.values():
        for stretch in stretches:
            out[stretch.columns] = stretch.basis.strain
    return out
