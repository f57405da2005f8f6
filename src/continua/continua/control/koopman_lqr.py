"""Tracking with a Koopman model: linear-quadratic regulator on the change of the input, with preview.

The least sum over a horizon of |r - y|^2 weighted by Q and |change of u|^2 weighted by R has a first change

    change of u = -K [z, u before] - k + sum over j of F_j r_j

whose gains follow from the backward Riccati recursion once and for all. A weight on the change and not on the
input itself asks nothing for holding a goal, so the model reaches it without an offset.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from continua.control.koopman import KoopmanModel

__all__ = ['KoopmanLqr', 'KoopmanStatus']


@dataclass(frozen=True)
class KoopmanStatus:
    """How a step went.

    status: 'ok', 'predicted' (no output was measured: the model's is used), 'waiting' (for the outputs of as
    many samples as the model needs) or 'failed' (the reference or the command is no number: the input
    stays). message: one sentence.
    """

    status: str
    message: str


class KoopmanLqr:
    """Controller of one model; it keeps the outputs and inputs of the last samples.

    horizon: how many rows of reference a step takes.
    """

    def __init__(
        self,
        model: KoopmanModel,
        Q: np.ndarray,
        R: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        horizon: int = 60,
        rate: np.ndarray | float = np.inf,
        rest: np.ndarray | None = None,
    ) -> None:
        """Q (o,): weights of the outputs, >= 0; R (m,): of the change of the inputs from one sample to the
        next, > 0. low, high (m,): limits of the inputs; rate: of their change per second. rest (m,): the
        input at start, 0 where the limits allow it. Raises ValueError where these do not fit.
        """
        o, m = model.y_mean.size, model.u_mean.size
        Q, R, low, high = (np.asarray(a, dtype=float) for a in (Q, R, low, high))
        if Q.shape != (o,) or R.shape != (m,) or not (np.all(Q >= 0.0) and np.all(R > 0.0)):
            raise ValueError(
                f'Koopman LQR: expected {o} weights Q >= 0 and {m} weights R > 0, got {Q} and {R}'
            )
        if low.shape != (m,) or high.shape != (m,) or not np.all(low < high) or horizon < 1:
            raise ValueError(
                f'Koopman LQR: expected {m} limits low < high and a horizon >= 1, '
                f'got {low}, {high} and {horizon}'
            )
        self.horizon = horizon
        self._model, self._low, self._high = model, low, high
        self._change = np.asarray(rate) * model.dt
        self._rest = np.clip(np.zeros(m) if rest is None else rest, low, high)
        # Weights of the scaled outputs and inputs.
        self._gains = _gains(model, Q * model.y_scale**2, R * model.u_scale**2, horizon)
        self.reset()

    def reset(self) -> None:
        """Forget the last samples: the input is at rest."""
        self._command = self._rest
        self._outputs: deque[np.ndarray] = deque(maxlen=self._model.delays + 1)
        self._inputs: deque[np.ndarray] = deque([self._rest] * self._model.delays, maxlen=self._model.delays)

    def step(self, measurement: np.ndarray | None, reference: np.ndarray) -> tuple[np.ndarray, KoopmanStatus]:
        """The command (m,) for the sample that begins now, and how it was found.

        measurement (o,): outputs now, NaN or None where they are missing. reference (horizon, o): outputs
        wanted one sample from now, two, and so on. Raises ValueError for arrays of other shapes.
        """
        model, o = self._model, self._model.y_mean.size
        y = np.full(o, np.nan) if measurement is None else np.asarray(measurement, dtype=float)
        reference = np.asarray(reference, dtype=float)
        if y.shape != (o,) or reference.shape != (self.horizon, o):
            raise ValueError(
                f'Koopman LQR: expected a measurement ({o},) and a reference ({self.horizon}, {o}), '
                f'got {y.shape} and {reference.shape}'
            )
        is_measured = bool(np.all(np.isfinite(y)))
        if not is_measured and len(self._outputs) > model.delays:
            y = self._expected
        if np.all(np.isfinite(y)):
            self._outputs.append(y)
        else:
            self._outputs.clear()
        if len(self._outputs) <= model.delays:
            return self._hold('waiting', f'{len(self._outputs)} of {model.delays + 1} outputs so far')
        z = model.lift(np.array(self._outputs), np.array(self._inputs).reshape(-1, self._command.size))
        K, k, F = self._gains
        before = (self._command - model.u_mean) / model.u_scale
        wanted = np.einsum('jmo,jo->m', F, (reference - model.y_mean) / model.y_scale)
        command = self._command + (wanted - k - K @ np.concatenate([z, before])) * model.u_scale
        is_found = bool(np.all(np.isfinite(command)))
        if is_found:
            near = np.clip(command, self._command - self._change, self._command + self._change)
            self._command = np.clip(near, self._low, self._high)
        self._expected = model.predict(z, self._command[None])[0]
        if not is_found:
            return self._hold('failed', 'the reference or the command is not finite: the input stays')
        if not is_measured:
            return self._hold('predicted', 'no outputs were measured: the model predicts them')
        return self._hold('ok', 'the outputs were measured')

    def _hold(self, status: str, message: str) -> tuple[np.ndarray, KoopmanStatus]:
        """The command goes out and into the memory."""
        self._inputs.append(self._command)
        return self._command, KoopmanStatus(status, message)


def _gains(
    model: KoopmanModel, Q: np.ndarray, R: np.ndarray, horizon: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K (m, n + m), k (m,) and F (horizon, m, o) of the module's docstring, for scaled quantities."""
    n, m, o = len(model.A), model.u_mean.size, model.y_mean.size
    A = np.block([[model.A, model.B], [np.zeros((m, n)), np.eye(m)]])
    B = np.vstack([model.B, np.eye(m)])
    c = np.concatenate([model.c, np.zeros(m)])
    output = np.zeros((n + m, n + m))
    output[:o, :o] = np.diag(Q)
    # The cost to go is s^T P s + 2 s^T (p0 + sum of p_j r_j).
    P, p0, p = output, np.zeros(n + m), [-output[:, :o]]
    for stage in range(horizon, 0, -1):
        solve = np.linalg.solve(np.diag(R) + B.T @ P @ B, B.T)
        K = solve @ P @ A
        if stage == 1:
            break
        closed = A - B @ K
        p0 = closed.T @ (P @ c + p0)
        p = [-output[:, :o], *(closed.T @ each for each in p)]
        P = output + A.T @ P @ closed
        P = 0.5 * (P + P.T)
    return K, solve @ (P @ c + p0), np.array([-solve @ each for each in p])
