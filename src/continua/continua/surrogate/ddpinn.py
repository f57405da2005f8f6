"""Training of the DD-PINN by the equations alone (adaptive_nempc IV-B): no motion is learned from.

The loss of eq 37 is the mean square of the implicit form c_eq of the collocation rod at random states,
pressures, compliances and times. Its rows are wrenches and twists of different size and stiffness;
`metric='step'` takes the squares of what one implicit Euler step would make of c_eq at the straight rod,
(dc/dxd + dt dc/dx)^-1 c_eq dt, in units of the states' ranges, or of a tenth of the rod's `scale` where that
is more.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import torch
from scipy.stats import qmc

from continua.arrays import Arrays
from continua.cosserat import CollocationRod
from continua.surrogate.ansatz import DdPinnNetwork, ansatz, ansatz_parameters, ansatz_rate
from continua.surrogate.collocation_residual import CollocationResidual
from continua.surrogate.fingerprint import fingerprint
from continua.surrogate.motions import COMPLIANCE_RANGE, Motions
from continua.surrogate.training import Epoch, plateau

__all__ = ['DdPinn', 'DdPinnSettings', 'Ranges']

_DEVIATION = 0.5  # of the states that are sampled, in units of half their range
_LEAST_UNIT = 0.1  # of the rod's scale
_VALIDATION = 1_000_000  # seed of the points that are not trained on


@dataclass(frozen=True)
class DdPinnSettings:
    """The paper's, by default. hidden: widths. oscillations: n_a of each state. rate: initial, of learning,
    halved where no epoch of `patience` improves. points: of an epoch, in batches of `batch`. states: 'normal'
    as in the paper, each state independent of the others, or 'motions', those of simulated motions. metric:
    'plain', eq 37, or 'step'."""

    hidden: tuple[int, ...] = (281,)
    oscillations: int = 23
    epochs: int = 3000
    points: int = 1_000_000
    batch: int = 1000
    rate: float = 0.000688
    patience: int = 75
    states: str = 'normal'
    metric: str = 'plain'
    seed: int = 0

    def __post_init__(self) -> None:
        counts = (*self.hidden, self.oscillations, self.epochs, self.points, self.batch, self.patience)
        if not self.hidden or min(counts) < 1 or not self.rate > 0.0:
            raise ValueError(f'DD-PINN: expected positive widths, counts and rate, got {self}')
        for name, known in (('states', ('normal', 'motions')), ('metric', ('plain', 'step'))):
            if getattr(self, name) not in known:
                expected = ' or '.join(known)
                raise ValueError(f'DD-PINN: {name}: expected {expected}, got {getattr(self, name)!r}')


@dataclass(frozen=True)
class Ranges:
    """Least and largest (n + m + 1,) states, pressures Pa and bending compliance."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, rod: CollocationRod, motions: Motions) -> 'Ranges':
        """States as in the motions, pressures up to their limits."""
        states = motions.x.reshape(-1, rod.n)
        limits = np.array([chamber.limits.pressure for chamber in rod.robot.chambers])
        compliance = rod.theta[2] * np.array(COMPLIANCE_RANGE)
        low = np.concatenate([states.min(axis=0), limits[:, 0], compliance[:1]])
        high = np.concatenate([states.max(axis=0), limits[:, 1], compliance[1:]])
        # A state that never moves has a range as well.
        return cls(low, np.maximum(high, low + 1e-3 * np.append(rod.scale, 0.0 * low[rod.n :])))


class _Network(torch.nn.Module):
    """alpha of eq 35; frequencies begin between 0 and 10 and decays between 0 and 5, a step being 1."""

    def __init__(self, inputs: int, states: int, settings: DdPinnSettings) -> None:
        super().__init__()
        self._states, count = states, settings.oscillations
        sizes = [inputs, *settings.hidden, 4 * states * count]
        shapes = list(zip(sizes[:-1], sizes[1:], strict=True))
        matrices = [torch.randn(*shape) / shape[0] ** 0.5 for shape in shapes]
        offsets = [torch.zeros(shape[1]) for shape in shapes]
        start = offsets[-1].view(4, states, count)
        start[1].uniform_(0.0, 10.0)
        start[3].uniform_(0.0, 5.0)
        matrices[-1].view(-1, 4, states, count)[:, 0] *= 0.1 / count**0.5
        self.matrices = torch.nn.ParameterList(matrices)
        self.offsets = torch.nn.ParameterList(offsets)

    def forward(self, z: torch.Tensor) -> torch.Tensor:
        layers = list(zip(self.matrices, self.offsets, strict=True))
        return ansatz_parameters(layers, z, self._states, torch)


class DdPinn:
    """The problem for `fit`."""

    def __init__(
        self,
        rod: CollocationRod,
        motions: Motions,
        settings: DdPinnSettings,
        device: torch.device | str = 'cpu',
    ) -> None:
        """motions: those that give the ranges, and the states where the settings say so."""
        self._given, self._rod, self._dt, self._device = settings, rod, motions.dt, device
        ranges = Ranges.of(rod, motions)
        self._middle, self._half = 0.5 * (ranges.high + ranges.low), 0.5 * (ranges.high - ranges.low)
        self._known = motions.x.reshape(-1, rod.n)
        self._residual = CollocationResidual(rod, device=device)
        self._rows = torch.as_tensor(self._metric(), dtype=torch.float32, device=device)
        self._z_middle, self._z_half = (
            torch.as_tensor(each, dtype=torch.float32, device=device) for each in (self._middle, self._half)
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            self.network = _Network(self._middle.size, rod.n, settings).to(device)
        self.settings = asdict(settings) | {
            'hidden': list(settings.hidden),
            'model': fingerprint(rod),
        }
        self._held = self._points(settings.batch, _VALIDATION)

    def losses(self, epoch: int) -> Iterator[torch.Tensor]:
        """Of fresh points in each epoch."""
        z, t = self._points(self._given.points, epoch)
        for each, at in zip(z.split(self._given.batch), t.split(self._given.batch), strict=True):
            yield self.loss(each, at)

    def validation(self) -> float:
        with torch.inference_mode():
            return self.loss(*self._held).item()

    def rate(self, history: list[Epoch]) -> float:
        return plateau(self._given.rate, history, self._given.patience)

    def loss(self, z: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
        """Eq 37, as a mean over points: inputs z (B, n + m + 1) in -1 to 1, times t (B, 1, 1) in steps."""
        n, given = self._rod.n, self._z_middle + self._z_half * z
        alpha, half = self.network(z), self._z_half[:n]
        x = given[:, :n] + half * ansatz(alpha, t, torch)
        xd = half / self._dt * ansatz_rate(alpha, t, torch)
        return self.residual(x, xd, given[:, n:-1], given[:, -1:]).square().mean()

    def residual(self, x: torch.Tensor, xd: torch.Tensor, u: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        """c_eq (B, n) in the metric of the settings, with bending compliance c (B, 1)."""
        theta = self._residual.theta.expand(len(x), -1)
        theta = torch.cat([theta[:, :2], c, theta[:, 3:]], dim=1)
        return self._residual(x, xd, u, theta) @ self._rows

    def model(self, card: dict) -> DdPinnNetwork:
        """The network for NumPy."""
        arrays = Arrays('numpy', 'float32')
        own = (self.network.matrices, self.network.offsets)
        matrices, offsets = ([arrays.put(each.detach().cpu().numpy()) for each in group] for group in own)
        middle, half = arrays.put(self._middle), arrays.put(self._half)
        layers = tuple(zip(matrices, offsets, strict=True))
        return DdPinnNetwork(layers, middle, half, card | {'dt': self._dt}, arrays)

    def _metric(self) -> np.ndarray:
        """(n, n) by which rows of c_eq are multiplied from the right."""
        rod = self._rod
        if self._given.metric == 'plain':
            return np.eye(rod.n)
        by_x, by_rate = rod.matrices(np.zeros(rod.n), np.zeros(rod.n), np.zeros(len(rod.input_names)))
        unit = np.maximum(self._half[: rod.n], _LEAST_UNIT * rod.scale)
        return np.linalg.inv(by_rate + self._dt * by_x).T * self._dt / unit

    def _points(self, count: int, number: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Inputs (count, n + m + 1) and times (count, 1, 1): states at random, others by Latin hypercube."""
        random, n = np.random.default_rng((self._given.seed, number)), self._rod.n
        rest = qmc.LatinHypercube(self._middle.size - n + 1, rng=random).random(count)
        if self._given.states == 'normal':
            states = random.normal(0.0, _DEVIATION, (count, n))
        else:
            chosen = random.integers(len(self._known), size=count)
            states = (self._known[chosen] - self._middle[:n]) / self._half[:n]
        z = np.hstack([states, 2.0 * rest[:, :-1] - 1.0])
        put = [torch.as_tensor(each, dtype=torch.float32) for each in (z, rest[:, -1:, None])]
        return put[0].to(self._device), put[1].to(self._device)
