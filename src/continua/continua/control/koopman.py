"""A linear model of a nonlinear robot, learned from recorded outputs and inputs (Koopman operator).

The outputs y now and at some samples before, and the inputs u of those samples, stand for the state that
nobody measures (delay embedding, Hankel dynamic mode decomposition; Haggerty et al. 2023). With products of
the outputs up to a degree they make the lifted state z, whose motion is fitted by least squares,

    z[k+1] = A z[k] + B u[k] + c,     y[k] = the first entries of z[k]

where u[k] acts from sample k to k + 1. Outputs and inputs are centred and scaled by the recording's own mean
and deviation; c keeps what these leave.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

__all__ = ['KoopmanModel', 'fit_koopman']


@dataclass(frozen=True)
class KoopmanModel:
    """A (n, n), B (n, m), c (n,) of scaled quantities; y_mean, y_scale (o,) and u_mean, u_scale (m,) of the
    outputs and inputs; delays: samples before the present one that are used; degree: of the products; dt: s
    between two samples."""

    A: np.ndarray
    B: np.ndarray
    c: np.ndarray
    y_mean: np.ndarray
    y_scale: np.ndarray
    u_mean: np.ndarray
    u_scale: np.ndarray
    delays: int
    degree: int
    dt: float

    def lift(self, outputs: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Lifted state (..., n) of outputs (..., delays + 1, o) and inputs (..., delays, m), oldest first."""
        y = ((outputs - self.y_mean) / self.y_scale)[..., ::-1, :]
        u = (inputs - self.u_mean) / self.u_scale
        y = y.reshape(*y.shape[:-2], -1)
        products = [y[..., list(term)].prod(axis=-1) for term in _products(y.shape[-1], self.degree)]
        parts = [y, u.reshape(*u.shape[:-2], -1)]
        return np.concatenate([*parts, np.stack(products, axis=-1)] if products else parts, axis=-1)

    def predict(self, z: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Outputs (k, o) after each of the inputs u (k, m), from the lifted state z (n,)."""
        y = []
        for each in (u - self.u_mean) / self.u_scale:
            z = self.A @ z + self.B @ each + self.c
            y.append(z[: self.y_mean.size])
        return np.array(y) * self.y_scale + self.y_mean


def fit_koopman(
    recordings: Sequence[tuple[np.ndarray, np.ndarray]],
    dt: float,
    delays: int = 2,
    degree: int = 1,
    ridge: float = 0.0,
) -> KoopmanModel:
    """The model of recordings, each with outputs (k, o) and inputs (k, m) at samples dt (s) apart.

    ridge: variance of the scaled quantities below which nothing is learned; above 0 it keeps the model small
    where the lifted state has directions that the recordings do not excite. Raises ValueError where the
    recordings do not fit together, hold numbers that are not finite, or are shorter than what is fitted.
    """
    recordings = [
        (np.asarray(y, dtype=float), np.asarray(u, dtype=float)) for y, u in recordings if len(y) > delays + 1
    ]
    _check(recordings, delays, degree)
    ys, us = (np.concatenate(arrays) for arrays in zip(*recordings, strict=True))
    scaling = [ys.mean(axis=0), _scale(ys), us.mean(axis=0), _scale(us)]
    empty = np.zeros((0, 0))
    model = KoopmanModel(empty, empty, np.zeros(0), *scaling, delays, degree, dt)
    before, inputs, after = [], [], []
    for y, u in recordings:
        z = model.lift(_windows(y, delays + 1), _windows(u, delays)[: len(y) - delays])
        before.append(z[:-1])
        after.append(z[1:])
        inputs.append((u[delays:-1] - model.u_mean) / model.u_scale)
    z, v, z_next = (np.concatenate(parts) for parts in (before, inputs, after))
    known = np.hstack([z, v, np.ones((len(z), 1))])
    if len(known) < known.shape[1]:
        raise ValueError(
            f'Koopman: expected {known.shape[1]} samples or more for {delays} delays and degree {degree}, '
            f'got {len(known)}; record for longer'
        )
    damping = np.sqrt(ridge * len(known)) * np.eye(known.shape[1])[:-1]
    wanted = np.vstack([z_next, np.zeros((len(damping), z.shape[1]))])
    solution = np.linalg.lstsq(np.vstack([known, damping]), wanted, rcond=None)[0]
    A, B, c = np.split(solution.T, [z.shape[1], known.shape[1] - 1], axis=1)
    return KoopmanModel(A, B, c[:, 0], *scaling, delays, degree, dt)


def _products(count: int, degree: int) -> list[tuple[int, ...]]:
    """Which entries are multiplied with each other, of so many, from degree 2 on."""
    return [t for d in range(2, degree + 1) for t in combinations_with_replacement(range(count), d)]


def _windows(values: np.ndarray, length: int) -> np.ndarray:
    """(k - length + 1, length, n) of values (k, n): each sample with those that follow."""
    return (
        np.lib.stride_tricks.sliding_window_view(values, length, axis=0).swapaxes(1, 2)
        if length
        else (np.empty((len(values) + 1, 0, values.shape[1])))
    )


def _scale(values: np.ndarray) -> np.ndarray:
    """Standard deviations (n,), 1 for what is constant."""
    deviation = values.std(axis=0)
    return np.where(deviation > 1e-12 * (1.0 + np.abs(values).max(axis=0)), deviation, 1.0)


def _check(recordings: list[tuple[np.ndarray, np.ndarray]], delays: int, degree: int) -> None:
    if delays < 0 or degree < 1:
        raise ValueError(f'Koopman: expected delays >= 0 and degree >= 1, got {delays} and {degree}')
    if not recordings:
        raise ValueError(f'Koopman: expected a recording of more than {delays + 1} samples, got none')
    for y, u in recordings:
        shapes = y.ndim == u.ndim == 2 and len(y) == len(u)
        same = shapes and (y.shape[1], u.shape[1]) == (recordings[0][0].shape[1], recordings[0][1].shape[1])
        if not same:
            raise ValueError(
                f'Koopman: expected outputs (k, o) and inputs (k, m) of equal length, the same o and m in '
                f'all recordings, got {y.shape} and {u.shape}'
            )
        if not (np.all(np.isfinite(y)) and np.all(np.isfinite(u))):
            raise ValueError('Koopman: a recording holds numbers that are not finite; cut it there in two')
