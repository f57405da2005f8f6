"""Shape and velocity from tendon readings, markers and other sensors, each at its own moments.

The outlook of the paper on the SDRE observer: complementary sensors, in the observer's own equations of
motion. Between measurements the rod's integrator moves the state x = [q, qd], and its covariance follows
the state-dependent coefficients (sdre eqs 14, 15) in discrete time,

    P <- F P F^T + W,    F, W of xd = A(x) x + w over the step,

which is the differential Riccati equation without readings. A measurement y = h(x) + noise corrects both:

    x <- x + K (y - h(x)),   K = P C^T (C P C^T + R)^-1,   P <- (1 - K C) P (1 - K C)^T + K R K^T.

Unlike the weights of the observer, the noises are physical. R: what each sensor's readings scatter. w: forces
of unknown loads, as white noise that puts the energy `disturbance` into each mode within a radian of the
slowest. A reading too far from what is expected is refused: the square of its innovation, in units of the
covariance C P C^T + R, is chi-square distributed, and exceeds the gate with probability `false_alarm`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import chdtri

from continua.estimation.discretisation import discretise
from continua.estimation.sdre import SdreBelief
from continua.rod import Integrator, Rod
from continua.sensing import MarkerModel

__all__ = ['FusedObserver', 'FusionInfo', 'Sensor', 'marker_sensor', 'tendon_sensor']

# One measurement changes no coordinate by more than this, in units of deformation.
_LONGEST_CORRECTION = 0.5
# Total variance in squared units of deformation beyond which it says nothing.
_LARGEST = 1e8


@dataclass(frozen=True)
class Sensor:
    """Readings (g, d) of g points with d components each, whose noise has this standard deviation.

    predict: coordinates q (n,) -> readings (g, d) and their derivatives (g, d, n).
    """

    noise: float
    predict: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


def tendon_sensor(rod: Rod, noise: float) -> Sensor:
    """Displacements (K, 1) of the robot's tendons; noise: m."""

    def predict(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        displacement, rows = rod.tendon_kinematics(q)
        return displacement[:, None], rows[:, None]

    return Sensor(noise, predict)


def marker_sensor(model: MarkerModel, noise: float) -> Sensor:
    """Positions (m, 3) of markers; noise: m, of each coordinate."""
    return Sensor(noise, model.jacobian)


@dataclass(frozen=True)
class FusionInfo:
    """What a step did.

    status: 'corrected', 'predicted' (no reading could be used) or 'failed' (the motion could not be
    integrated: readings correct the state of before). used (g,) bool: readings that were; missing and
    rejected: how many had none, and one beyond the gate. distance (g,): squared innovation in units of its
    covariance, NaN where there is no reading. message: one sentence.
    """

    status: str
    used: np.ndarray
    missing: int
    rejected: int
    distance: np.ndarray
    message: str


class FusedObserver:
    """Observer of a robot of soft and rigid links in trees, by sensors of several kinds.

    Buffers inside: one observer serves one thread; beliefs are values.
    """

    def __init__(
        self,
        rod: Rod,
        sensors: Mapping[str, Sensor],
        disturbance: float = 1e-5,
        false_alarm: float = 1e-6,
    ):
        """sensors: by the name that measurements of theirs have. disturbance: J. false_alarm: probability.

        Raises ValueError where these are not positive, and for a robot with loops or position drives.
        """
        if rod.n_constraints:
            raise ValueError(
                f'robot {rod.robot.name}: the observer needs independent coordinates; it has loops or '
                'position drives; use ShapeLeastSquares'
            )
        positive = {f'noise of {name}': sensor.noise for name, sensor in sensors.items()}
        for name, value in (positive | {'disturbance': disturbance, 'false_alarm': false_alarm}).items():
            if not (np.isfinite(value) and value > 0.0):
                raise ValueError(f'{name}: expected a positive number, got {value}')
        self.rod = rod
        self._sensors = dict(sensors)
        self._false_alarm = false_alarm
        self._shapes = {name: sensor.predict(np.zeros(rod.dof))[0].shape for name, sensor in sensors.items()}
        self._motion = Integrator(rod)
        time = rod.period / (2.0 * np.pi)
        self._unit = np.concatenate([rod.scale, rod.scale / time])
        self._disturbance = disturbance
        self._shaking = 2.0 * disturbance * time * rod.stiffness
        self._forces = np.block(
            [[np.zeros((rod.dof, rod.dof)), np.eye(rod.dof)], [-rod.stiffness, -rod.damping]]
        )

    def begin(self, q: np.ndarray | None = None, qd: np.ndarray | None = None) -> SdreBelief:
        """A belief from coordinates q (n,) and rates qd (n,), the reference shape at rest by default.

        Its covariance gives each mode the energy by which q is bent, and `disturbance` beside: the guess may
        be wrong altogether.
        """
        n = self.rod.dof
        q, qd = (np.zeros(n) if each is None else np.array(each, dtype=float) for each in (q, qd))
        energy = self._disturbance + 0.5 * q @ self.rod.stiffness @ q
        P = np.zeros((2 * n, 2 * n))
        P[:n, :n] = energy * np.linalg.inv(self.rod.stiffness)
        P[n:, n:] = energy * np.linalg.inv(self.rod.mass_matrix(q))
        return SdreBelief(q, qd, 0.5 * (P + P.T))

    def step(
        self,
        belief: SdreBelief,
        measurement: tuple[str, np.ndarray] | None,
        u: np.ndarray,
        dt: float,
        **acting: Any,
    ) -> tuple[SdreBelief, FusionInfo]:
        """The belief dt (s) later, with a measurement of that moment.

        measurement: name of a sensor and its readings (g, d), NaN where one is missing; or None. u (m,):
        inputs during the step, which may take no time; acting: `Rod.conditions`. Raises ValueError for
        another name or shape, and inputs or dt that are no numbers.
        """
        if not (np.isfinite(dt) and dt >= 0.0 and np.all(np.isfinite(u))):
            raise ValueError(f'expected a time step dt >= 0 s and finite inputs u, got {dt} and {u}')
        if measurement is not None:
            self._check(*measurement)
        moved = True
        if dt > 0.0:
            belief, moved = self._predict(belief, u, dt, acting)
        if measurement is None:
            nothing = np.zeros(0)
            info = FusionInfo('predicted', nothing.astype(bool), 0, 0, nothing, 'no readings')
        else:
            belief, info = self._correct(belief, self._sensors[measurement[0]], np.asarray(measurement[1]))
        if not moved:
            message = f'the motion over {dt:g} s could not be integrated; {info.message}'
            info = replace(info, status='failed', message=message)
        return belief, info

    def _check(self, name: str, reading: np.ndarray) -> None:
        if name not in self._sensors:
            raise ValueError(f'measurement: expected one of {", ".join(self._sensors)}, got {name}')
        expected = self._shapes[name]
        if np.shape(reading) != expected:
            raise ValueError(f'{name}: expected readings {expected}, got shape {np.shape(reading)}')

    def _predict(self, belief: SdreBelief, u: np.ndarray, dt: float, acting: dict) -> tuple[SdreBelief, bool]:
        """The belief dt later, and whether the motion could be integrated."""
        n, unit, motion = self.rod.dof, self._unit, self._motion
        mass, coriolis = self.rod.mass_and_coriolis(belief.q, belief.qd)
        A, Q = self._forces.copy(), np.zeros((2 * n, 2 * n))
        A[n:, n:] -= coriolis
        inverse = np.linalg.inv(mass)
        A[n:] = inverse @ A[n:]
        Q[n:, n:] = inverse @ self._shaking @ inverse.T
        with np.errstate(over='ignore', invalid='ignore'):
            F, W = discretise(A * unit / unit[:, None], Q / np.outer(unit, unit), dt)
            P = F @ (belief.P / np.outer(unit, unit)) @ F.T + W
        # where the coefficients of a state that is far off are not stable, what was known stays
        P = 0.5 * (P + P.T) * np.outer(unit, unit) if np.trace(P) <= _LARGEST else belief.P
        motion.reset(belief.q, belief.qd)
        moved = motion.step(dt, u, **acting)
        q, qd = (motion.q, motion.qd) if moved else (belief.q, belief.qd)
        return SdreBelief(q, qd, P), moved

    def _correct(
        self, belief: SdreBelief, sensor: Sensor, reading: np.ndarray
    ) -> tuple[SdreBelief, FusionInfo]:
        """The belief after the readings (g, d) of a sensor."""
        (g, d), n, P = reading.shape, self.rod.dof, belief.P
        predicted, rows = sensor.predict(belief.q)
        innovation = reading - predicted
        seen = ~np.isnan(innovation).any(axis=1)
        rows = rows.reshape(g * d, n)
        PC = P[:, :n] @ rows.T
        S = rows @ PC[:n] + sensor.noise**2 * np.eye(g * d)
        distance = np.full(g, np.nan)
        for i in np.flatnonzero(seen):
            own = slice(i * d, (i + 1) * d)
            with np.errstate(over='ignore', invalid='ignore'):
                distance[i] = innovation[i] @ np.linalg.solve(S[own, own], innovation[i])
        used = distance <= chdtri(d, self._false_alarm)
        each = np.repeat(used, d)
        K = np.linalg.solve(S[np.ix_(each, each)], PC[:, each].T).T
        change = K @ innovation[used].ravel()
        share = min(1.0, _LONGEST_CORRECTION / max(np.abs(change / self._unit).max(), 1e-300))
        K, change = share * K, share * change
        left = np.eye(2 * n)
        left[:, :n] -= K @ rows[each]
        P = left @ P @ left.T + sensor.noise**2 * K @ K.T
        missing, rejected = int(np.sum(~seen)), int(np.sum(seen & ~used))
        message = f'{used.sum()} of {g} readings used, {rejected} refused'
        status = 'corrected' if used.any() else 'predicted'
        found = SdreBelief(belief.q + change[:n], belief.qd + change[n:], 0.5 * (P + P.T))
        return found, FusionInfo(status, used, missing, rejected, distance, message)
