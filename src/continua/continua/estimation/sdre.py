"""Shape and velocity from tendon readings: observer with a state-dependent Riccati equation (SDRE).

The equation of motion in state-dependent coefficients, x = [q, qd] (sdre eqs 14, 15):

    xd = A(x) x + B(x) u,   A = [0, I; -M^-1 K, -M^-1 (C + D)],   y = C(x) x + z(x),   C = dy/dx = [B^T, 0]

with y the displacements of the tendons, and in u also gravity and external forces. The observer (eq 16)

    xd = A(x) x + B(x) u + K (y - C(x) x - z(x)),   K = P C^T R^-1                                    (eq 17)
    0 = (A + alpha I) P + P (A + alpha I)^T - P C^T R^-1 C P + Q                                      (eq 18)

is stepped in two parts. The rod's own integrator advances the motion; then, with K and C frozen, the flow of
the innovation over the step is exact: x changes by P C^T (C P C^T)^-1 (I - exp(-dt C K)) times the
innovation, which no gain and no step, however large, makes unstable. A missing reading has no second part.

Loops and position drives leave f free motions; A and C are of these, on the null space of the constraints at
x, and a correction closes the loops again. All equations are solved in units of deformation.

P is the variance of x where Q and R are the intensities of white noise in xd and y and alpha is 0; a positive
alpha makes it larger. The differential form, Pd = the right side of eq 18, takes backward Euler steps:
(P - P_before) / dt = the right side at P is eq 18 again, with A - I / (2 dt) and Q + P_before / dt.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_continuous_lyapunov
from scipy.linalg.lapack import dposv, dpotrf

from continua.estimation.free_motions import FreeMotions
from continua.estimation.sdre_observability import Observability, observability
from continua.estimation.sdre_riccati import direct_riccati, newton_kleinman
from continua.rod import Integrator, Rod

__all__ = ['SdreBelief', 'SdreInfo', 'SdreObserver']

# P is not let beyond this multiple of what the model alone knows.
_LARGEST = 1e8
# One reading changes no coordinate by more than this, in units of deformation.
_LONGEST_CORRECTION = 0.5


@dataclass(frozen=True)
class SdreBelief:
    """Coordinates q (n,), rates qd (n,) 1/s, and the variance P (2n, 2n) of both."""

    q: np.ndarray
    qd: np.ndarray
    P: np.ndarray


@dataclass(frozen=True)
class SdreInfo:
    """What a step did.

    status: 'corrected', 'predicted' (no tendon could be used), or 'failed' (the motion could not be
    integrated: readings correct the state of before). used (K,) bool: tendons whose reading was; missing and
    rejected: how many had none, and one that cannot be. innovation (K,) m: reading minus prediction, NaN
    where there is no reading. iterations: of the Riccati equation, 0 where it was solved without a guess.
    message: one sentence.
    """

    status: str
    used: np.ndarray
    missing: int
    rejected: int
    innovation: np.ndarray
    iterations: int
    message: str


class SdreObserver:
    """Observer of a robot driven by tendons among other inputs.

    Tendons through disks with friction are those of the robot file: friction acts on the motion (eqs 23 to
    26), not on the displacements. Buffers inside: one observer serves one thread; beliefs are values.
    """

    def __init__(
        self,
        rod: Rod,
        Q: float | np.ndarray = 10.0,
        R: float | np.ndarray = 0.1,
        alpha: float = 1.0,
        differential: bool = False,
        reach: float | None = None,
    ):
        """Q: of the state, scalar, diagonal (2n,) or matrix (2n, 2n); R: of the tendons, m^2 s, scalar or
        diagonal (K,); both positive definite. alpha: 1/s >= 0, decay rate asked of the error. differential:
        integrate P instead of solving for it. reach: m, readings farther from the prediction are rejected;
        the robot's length by default. Defaults are the paper's.

        Raises ValueError where these do not fit, and for a robot without tendons or free motions.
        """
        if not rod.n_tendons:
            raise ValueError(f'robot {rod.robot.name}: expected tendons to read, got none')
        self.rod = rod
        self._Q = _definite(Q, 2 * rod.dof, 'Q')
        self._noise = np.sqrt(np.diag(_definite(R, rod.n_tendons, 'R')))[:, None]
        self._alpha = _not_negative(alpha, 'alpha')
        self._differential = differential
        self._reach = rod.length if reach is None else _not_negative(reach, 'reach')
        self._damping = rod.damping
        self._motion = Integrator(rod)
        self._free = FreeMotions(rod)
        if not self._free.count:
            raise ValueError(
                f'robot {rod.robot.name}: its loops and position drives leave nothing to estimate'
            )
        # what is known a period after the last reading
        A, _, _, (_, inward) = self._system(np.zeros(rod.dof), np.zeros(rod.dof))
        slow = A - np.eye(len(A)) / rod.period
        self._unread = solve_continuous_lyapunov(slow, -inward @ self._Q @ inward.T)
        self._bound = _LARGEST * np.trace(self._unread)

    def begin(self, q: np.ndarray | None = None, qd: np.ndarray | None = None) -> SdreBelief:
        """A belief from coordinates q (n,) and rates qd (n,), the reference shape at rest by default."""
        n = self.rod.dof
        q, qd = (np.zeros(n) if each is None else np.array(each, dtype=float) for each in (q, qd))
        A, C, _, (outward, inward) = self._system(q, qd)
        P = direct_riccati(A + self._alpha * np.eye(len(A)), C / self._noise, inward @ self._Q @ inward.T)
        P = self._unread if P is None or np.trace(P) > self._bound else P
        return SdreBelief(q, qd, _embedded(P, outward))

    def step(
        self,
        belief: SdreBelief,
        measurement: np.ndarray | None,
        u: np.ndarray,
        dt: float,
        **acting: Any,
    ) -> tuple[SdreBelief, SdreInfo]:
        """The belief dt (s) later, with the readings of that moment.

        measurement: displacements (K,) m, NaN where a tendon has none, or None. u (m,): inputs during the
        step; acting: `Rod.conditions`. Raises ValueError for another shape, or inputs or dt that are no
        numbers.
        """
        reading = self._reading(measurement)
        if not (np.isfinite(dt) and dt > 0.0 and np.all(np.isfinite(u))):
            raise ValueError(f'expected a time step dt > 0 s and finite inputs u, got {dt} and {u}')
        motion, missing = self._motion, np.isnan(reading)
        motion.reset(belief.q, belief.qd)
        moved = motion.step(dt, u, **acting)
        q, qd = (motion.q, motion.qd) if moved else (belief.q, belief.qd)
        A, C, predicted, (outward, inward) = self._system(q, qd)
        innovation = reading - predicted
        used = np.abs(innovation) <= self._reach
        rejected = int(np.sum(~missing & ~used))
        Q, before = inward @ self._Q @ inward.T, inward @ belief.P @ inward.T
        P, iterations, message = self._variance(A, C / self._noise if used.any() else C[:0], Q, before, dt)
        if used.any():
            noise = self._noise[used]
            change = outward @ _correction(C[used] / noise, P, innovation[used] / noise[:, 0], dt)
            q, qd = self._free.closed(q + change[: q.size], qd + change[q.size :])
        if rejected:
            message = f'{rejected} of {used.size} readings are more than {self._reach:g} m off; {message}'
        if not moved:
            message = f'the motion over {dt:g} s could not be integrated; {message}'
        status = 'failed' if not moved else 'corrected' if used.any() else 'predicted'
        return SdreBelief(q, qd, _embedded(P, outward)), SdreInfo(
            status, used, int(missing.sum()), rejected, innovation, iterations, message
        )

    def coefficients(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A (2n, 2n), C (K, 2n) and displacements C x + z (K,) m of eq 15 at q (n,), qd (n,)."""
        A, C, displacement, (outward, inward) = self._system(q, qd)
        return outward @ A @ inward, C @ inward, displacement

    def observability(self, q: np.ndarray, qd: np.ndarray) -> Observability:
        """Test of eq 21 at q (n,), qd (n,)."""
        A, C, _, _ = self._system(q, qd)
        return observability(A, C / self.rod.length, self._alpha)

    def _system(
        self, q: np.ndarray, qd: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """A (2f, 2f) and C (K, 2f) of the free motions, displacements (K,) m, and the frame of these."""
        frame, time = self._free.frame(q), self._free.time
        n, f = (size // 2 for size in frame[0].shape)
        N = frame[0][:n, :f]
        mass, coriolis = self.rod.mass_and_coriolis(q, qd)
        displacement, rows = self.rod.tendon_kinematics(q)
        A, C = np.zeros((2 * f, 2 * f)), np.zeros((len(rows), 2 * f))
        A[f:, :f] = time * (N.T @ self.rod.tangent_stiffness(q) @ N)
        A[f:, f:] = N.T @ (coriolis + self._damping) @ N
        A[f:] = -dposv(N.T @ mass @ N, A[f:])[1]
        A[:f, f:].flat[:: f + 1] = 1.0 / time
        C[:, :f] = rows @ N
        return A, C, displacement, frame

    def _reading(self, measurement: np.ndarray | None) -> np.ndarray:
        K = self.rod.n_tendons
        reading = np.full(K, np.nan) if measurement is None else np.asarray(measurement, dtype=float)
        if reading.shape != (K,):
            raise ValueError(f'measurement: expected the displacements ({K},) m, got shape {reading.shape}')
        return reading

    def _variance(
        self, A: np.ndarray, C: np.ndarray, Q: np.ndarray, P: np.ndarray, dt: float
    ) -> tuple[np.ndarray, int, str]:
        """P of the next belief, iterations, and a sentence. C in units of the noise; (0, 2f): no reading."""
        step = 1.0 / dt
        if not len(C):
            tries = ((0.0, step, 'no reading: P grows as the model says'),)
        else:
            first = (self._alpha, step if self._differential else 0.0, 'the Riccati equation is solved')
            tries = (first, (0.0, step, f'no bounded solution with alpha = {self._alpha:g} 1/s: without it'))
        for alpha, rate, message in tries:
            found, iterations = self._solve(A, C, Q, alpha, rate, P)
            if found is not None:
                return found, iterations, message
        return P, 0, 'P has no bounded solution and stays as it was'

    def _solve(
        self, A: np.ndarray, C: np.ndarray, Q: np.ndarray, alpha: float, rate: float, P: np.ndarray
    ) -> tuple[np.ndarray | None, int]:
        """Bounded, positive definite P of eq 18; rate: 1 / dt of a step from the last P, or 0: stationary."""
        equation = A + (alpha - 0.5 * rate) * np.eye(len(A)), C, Q + rate * P
        found, iterations = newton_kleinman(*equation, P)
        if found is None and len(C):
            found, iterations = direct_riccati(*equation), 0
        valid = found is not None and np.trace(found) <= self._bound and dpotrf(found)[1] == 0
        return (found if valid else None), iterations


def _correction(C: np.ndarray, P: np.ndarray, innovation: np.ndarray, dt: float) -> np.ndarray:
    """Change (2f,) of the state by the flow of the innovation over dt, both in units of the noise."""
    PC = P @ C.T
    rate, axes = np.linalg.eigh(C @ PC)
    decay = dt * np.maximum(rate, 1e-300)
    change = PC @ (axes @ (-dt * np.expm1(-decay) / decay * (innovation @ axes)))
    return change * min(1.0, _LONGEST_CORRECTION / max(np.abs(change).max(), 1e-300))


def _embedded(P: np.ndarray, outward: np.ndarray) -> np.ndarray:
    """Variance (2n, 2n) of x for that of the free motions, exactly symmetric."""
    P = outward @ P @ outward.T
    return 0.5 * (P + P.T)


def _definite(value: float | np.ndarray, size: int, name: str) -> np.ndarray:
    """A positive definite matrix from a scalar, a diagonal or a matrix."""
    matrix = np.asarray(value, dtype=float)
    if matrix.ndim < 2 and matrix.size in (1, size):
        matrix = np.diag(np.broadcast_to(matrix, size))
    symmetric = matrix.shape == (size, size) and np.allclose(matrix, matrix.T)
    if not symmetric or np.linalg.eigvalsh(matrix)[0] <= 0.0:
        raise ValueError(
            f'{name}: expected a positive number, {size} of them, or a positive definite matrix '
            f'({size}, {size}), got {value}'
        )
    return matrix


def _not_negative(value: float, name: str) -> float:
    if not (np.isfinite(value) and value >= 0.0):
        raise ValueError(f'{name}: expected a number of at least 0, got {value}')
    return float(value)
