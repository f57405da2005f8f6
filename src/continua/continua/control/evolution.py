"""Candidates for the inputs over a horizon, and how they evolve (nempc V-B, after Hyatt and Killpack 2020).

A candidate is piecewise linear: its knots, spread evenly over the horizon, are what evolves. The best
candidates of a generation are the parents of the next one; strangers are drawn around the input of before;
the rest are children, who take each input's whole trajectory from one of two parents; some of them mutate.
"""

from dataclasses import dataclass

import numpy as np

__all__ = ['Evolution', 'NempcSettings']

# Standard deviation of a stranger's knots in parts of the range, which is also the widest of a mutation.
_STRANGER = 0.3
_NARROWEST = 1e-3


@dataclass(frozen=True)
class NempcSettings:
    """Hyper-parameters; the defaults are the paper's, found in simulation (table VII).

    particles: candidates. horizon: steps. segments: linear pieces of a candidate. parents, strangers: parts
    of the particles. mutation: probability that a child mutates. noise: standard deviation of a mutation in
    parts of the input's range, for a control error (the root of the cost of the present state) of 1.
    generations: per control step. first_knot_fixed: candidates begin at the input of before.
    """

    particles: int = 1000
    horizon: int = 8
    segments: int = 1
    parents: float = 0.39
    strangers: float = 0.10
    mutation: float = 0.145
    noise: float = 0.0366
    generations: int = 1
    first_knot_fixed: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError where these do not fit together."""
        counts = self.horizon > self.segments >= 1 and self.generations >= 1 and self.particles >= 4
        quotas = self.parents > 0.0 <= self.strangers and self.parents + self.strangers <= 1.0
        if not (counts and quotas and 0.0 <= self.mutation <= 1.0 and self.noise >= 0.0):
            raise ValueError(
                'NEMPC: expected 1 <= segments < horizon, 4 particles or more, a generation or more, '
                f'parents > 0, strangers >= 0, both at most 1, 0 <= mutation <= 1 and noise >= 0, got {self}'
            )


class Evolution:
    """Knots (N, segments + 1, m) of all candidates between the limits of the inputs."""

    def __init__(self, settings: NempcSettings, low: np.ndarray, high: np.ndarray, seed: int) -> None:
        """low, high (m,): limits of the inputs."""
        self._settings, self._low, self._high = settings, low, high
        self._random = np.random.default_rng(seed)
        self._parents = max(1, round(settings.parents * settings.particles))
        self._strangers = min(
            round(settings.strangers * settings.particles), settings.particles - self._parents
        )
        self._knots = np.linspace(0.0, settings.horizon - 1.0, settings.segments + 1)
        self._interpolation = self._weights(np.arange(settings.horizon))

    def first(self, previous: np.ndarray) -> np.ndarray:
        """A generation of strangers, and one candidate that keeps the previous input (m,)."""
        knots = self._draw(self._settings.particles, previous)
        knots[0] = previous
        return knots

    def next(self, ranked: np.ndarray, previous: np.ndarray, error: float, steps: int) -> np.ndarray:
        """The next generation of one that is ranked, the best first, for a horizon that begins `steps` later.

        previous (m,): the input of before. error: control error, to which the mutations are proportional.
        """
        settings, m = self._settings, len(self._low)
        shift = self._weights(np.minimum(self._knots + steps, self._knots[-1]))
        parents = np.tensordot(ranked[: self._parents], shift, (1, 1)).swapaxes(1, 2)
        strangers = self._draw(self._strangers, previous)
        count = settings.particles - len(parents) - len(strangers)
        pair = self._random.integers(0, len(parents), (2, count))
        mask = self._random.random((count, 1, m)) < 0.5
        children = np.where(mask, parents[pair[0]], parents[pair[1]])
        spread = np.clip(settings.noise * error, _NARROWEST, _STRANGER) * (self._high - self._low)
        mutates = self._random.random((count, 1, 1)) < settings.mutation
        children = children + mutates * spread * self._random.standard_normal(children.shape)
        return self._limited(np.concatenate([parents, children, strangers]), previous)

    def trajectories(self, knots: np.ndarray) -> np.ndarray:
        """Inputs (horizon, N, m) of candidates."""
        return np.tensordot(self._interpolation, knots, (1, 1))

    def _draw(self, count: int, previous: np.ndarray) -> np.ndarray:
        shape = (count, len(self._knots), len(self._low))
        spread = _STRANGER * (self._high - self._low)
        return self._limited(previous + spread * self._random.standard_normal(shape), previous)

    def _limited(self, knots: np.ndarray, previous: np.ndarray) -> np.ndarray:
        knots = np.clip(knots, self._low, self._high)
        if self._settings.first_knot_fixed:
            knots[:, 0] = previous
        return knots

    def _weights(self, times: np.ndarray) -> np.ndarray:
        """Rows (t, knots) that interpolate between the knots at times (t,) in steps."""
        return np.stack([np.interp(times, self._knots, row) for row in np.eye(len(self._knots))], axis=1)
