"""Training of the one-step network on motions of the collocation rod.

The error is that of the states after 1, then 4, then 10 steps of the network on its own. Its unit, of each
state, is the standard deviation over the motions, or a tenth of what turns the tip by a radian (the rod's
`scale`) where that is more: the small twists and shears of a thick rod weigh little.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import torch

from continua.arrays import Arrays
from continua.cosserat import CollocationRod
from continua.surrogate.fingerprint import fingerprint
from continua.surrogate.motions import SEGMENT, Motions
from continua.surrogate.one_step import OneStepNetwork, increment
from continua.surrogate.symmetry import bending_direction, is_symmetric, mirror_signs, turned
from continua.surrogate.training import Epoch, cosine

__all__ = ['Student', 'StudentSettings']

_HORIZONS = (1, 4, 10)  # steps, a third of the epochs each
_LEAST_UNIT = 0.1  # of the rod's scale
_LEAST_SCALE = 1e-3  # of a unit
_SAMPLED = 8  # segments, of which one gives means and scales
_MIRRORED_WRENCH = (-1.0, 1.0, 1.0)


@dataclass(frozen=True)
class StudentSettings:
    """hidden: widths of the hidden layers. batch: pieces of motions in one. rate: initial, of learning.
    held_out: share of the segments that the validation is on."""

    hidden: tuple[int, ...] = (192,)
    epochs: int = 9
    batch: int = 128
    rate: float = 2e-3
    held_out: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        counts = (*self.hidden, self.epochs, self.batch)
        if not self.hidden or min(counts) < 1 or not self.rate > 0.0 or not 0.0 < self.held_out < 1.0:
            raise ValueError(f'student: expected positive widths, epochs, batch and rate, got {self}')


class _Step(torch.nn.Module):
    """A step of the states x (B, n) under wrenches (B, 3), in SI units, with layers for normalised inputs."""

    def __init__(
        self,
        hidden: tuple[int, ...],
        samples: tuple[torch.Tensor, torch.Tensor],
        unit: torch.Tensor,
        symmetric: bool,
    ) -> None:
        """samples: turned inputs (S, n + 4) and increments (S, n), which give means, scales and the linear
        model that the last layer starts at; unit (n,): of the states. Drawn from the global generator."""
        super().__init__()
        self.symmetric = symmetric
        z, change = samples
        # What never moves in the samples has a scale as well.
        mean, least = z.mean(0), _LEAST_SCALE * torch.cat([unit, z[:, len(unit) :].abs().mean(0)])
        scale, change_scale = z.std(0).maximum(least), change.std(0).maximum(_LEAST_SCALE * unit)
        for name, value in (('mean', mean), ('scale', scale), ('change_scale', change_scale)):
            self.register_buffer(name, value)
        widths, inputs, outputs = [], z.shape[1], change.shape[1]
        for width in hidden:
            widths.append((widths[-1][1] // 2 if widths else inputs, 2 * width))
        widths.append((inputs + hidden[-1], outputs))
        matrices = [torch.randn(*shape) / shape[0] ** 0.5 for shape in widths]
        matrices[-1][inputs:] *= 1e-2
        matrices[-1][:inputs] = _linear((z - mean) / scale, change / change_scale)
        self.matrices = torch.nn.ParameterList(matrices)
        self.offsets = torch.nn.ParameterList([torch.zeros(shape[1]) for shape in widths])

    def forward(self, x: torch.Tensor, wrench: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        layers = list(zip(self.matrices, self.offsets, strict=True))
        vectors, direction = _turned(x, wrench, self.symmetric)
        z = (torch.cat([vectors, c], dim=1) - self.mean) / self.scale
        change = increment(layers, z, torch) * self.change_scale
        return x + (turned(change, direction, torch, back=True) if self.symmetric else change)


class Student:
    """The problem for `fit`."""

    def __init__(
        self,
        rod: CollocationRod,
        motions: Motions,
        settings: StudentSettings,
        device: torch.device | str = 'cpu',
    ) -> None:
        """Raises ValueError where there is nothing to learn from."""
        count = len(motions.x)
        if count < 2:
            raise ValueError(f'student: expected segments to train and to validate on, got {count}')
        self._given, self._dt, self._wrench = (
            settings,
            motions.dt,
            rod.properties.pressure_wrench[[3, 4, 2]].T,
        )
        x, wrench = torch.from_numpy(motions.x), torch.from_numpy(motions.u @ self._wrench.astype(np.float32))
        c = torch.from_numpy(motions.c)[:, None]
        order = torch.from_numpy(np.random.default_rng(settings.seed).permutation(count))
        kept = max(1, round(settings.held_out * count))
        self._held, self._seen = (
            [each[chosen].to(device) for each in (x, wrench, c)] for chosen in (order[:kept], order[kept:])
        )
        symmetric = is_symmetric(rod)
        self._unit = torch.from_numpy(_units(rod, motions.x)).to(device)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(np.random.default_rng(settings.seed).integers(2**31)))
            self.network = _Step(settings.hidden, self._samples(symmetric), self._unit, symmetric).to(device)
        signs = torch.from_numpy(mirror_signs(rod.n)).to(device, torch.float32)
        self._mirror = signs, torch.tensor(_MIRRORED_WRENCH, device=device)
        self.settings = asdict(settings) | {
            'hidden': list(settings.hidden),
            'segments': count,
            'model': fingerprint(rod),
        }

    def losses(self, epoch: int) -> Iterator[torch.Tensor]:
        """Mean square along all pieces of the horizon's length; every other batch mirrored."""
        horizon = _HORIZONS[min(3 * epoch // self._given.epochs, 2)]
        generator = torch.Generator().manual_seed(1_000_003 * self._given.seed + epoch)
        x, wrench, c = self._seen
        starts = torch.cartesian_prod(torch.arange(len(x)), torch.arange(0, SEGMENT, horizon))
        starts = starts[torch.randperm(len(starts), generator=generator)]
        for i, chosen in enumerate(starts.split(self._given.batch)):
            segment, at = chosen[:, :1], chosen[:, 1:] + torch.arange(horizon + 1)
            states, wrenches = x[segment, at], wrench[segment, at[:, :-1]]
            if self.network.symmetric and i % 2:
                states, wrenches = states * self._mirror[0], wrenches * self._mirror[1]
            yield self._error(states, wrenches, c[chosen[:, 0]])

    def validation(self) -> float:
        """Root mean square over the segments that are held out, each from its start."""
        with torch.inference_mode():
            return self._error(*self._held).sqrt().item()

    def rate(self, history: list[Epoch]) -> float:
        return cosine(self._given.rate, len(history), self._given.epochs)

    def model(self, card: dict) -> OneStepNetwork:
        """The network in SI units, for NumPy."""
        own = self.network
        matrices, offsets = (
            [each.detach().cpu().double().numpy() for each in group] for group in (own.matrices, own.offsets)
        )
        mean, scale, change = (
            each.cpu().double().numpy() for each in (own.mean, own.scale, own.change_scale)
        )
        inputs = mean.size
        # z enters the first layer, and the straight part of the last one, whose results are in units as well.
        straight = matrices[-1][:inputs] / scale[:, None]
        offsets[-1] = (offsets[-1] - mean @ straight) * change
        matrices[-1] = np.concatenate([straight, matrices[-1][inputs:]]) * change
        matrices[0] = matrices[0] / scale[:, None]
        offsets[0] = offsets[0] - mean @ matrices[0]
        arrays = Arrays('numpy', 'float32')
        layers = zip(map(arrays.put, matrices), map(arrays.put, offsets), strict=True)
        known = {'dt': self._dt, 'symmetric': own.symmetric}
        return OneStepNetwork(tuple(layers), arrays.put(self._wrench), card | known, arrays)

    def _error(self, x: torch.Tensor, wrench: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        """Mean square along pieces x (B, h + 1, n) under wrenches (B, h, 3) from their first states."""
        at, total = x[:, 0], 0.0
        for k in range(wrench.shape[1]):
            at = self.network(at, wrench[:, k], c)
            total = total + ((at - x[:, k + 1]) / self._unit).square().mean()
        return total / wrench.shape[1]

    def _samples(self, symmetric: bool) -> tuple[torch.Tensor, torch.Tensor]:
        """Turned inputs and increments of some of the steps, and of their mirror images."""
        x, wrench, c = (each[::_SAMPLED] for each in self._seen)
        before, after, wrench = x[:, :-1].flatten(0, 1), x[:, 1:].flatten(0, 1), wrench.flatten(0, 1)
        c = c.repeat_interleave(x.shape[1] - 1, dim=0)
        vectors, direction = _turned(before, wrench, symmetric)
        z, change = torch.cat([vectors, c], dim=1), after - before
        if not symmetric:
            return z, change
        change = turned(change, direction, torch)
        signs = torch.from_numpy(mirror_signs(change.shape[1])).to(z)
        z_signs = torch.cat([signs, torch.tensor([*_MIRRORED_WRENCH, 1.0]).to(z)])
        return torch.cat([z, z * z_signs]), torch.cat([change, change * signs])


def _turned(
    x: torch.Tensor, wrench: torch.Tensor, symmetric: bool
) -> tuple[torch.Tensor, torch.Tensor | None]:
    vectors = torch.cat([x, wrench], dim=1)
    if not symmetric:
        return vectors, None
    direction = bending_direction(x, torch)
    return turned(vectors, direction, torch), direction


def _units(rod: CollocationRod, x: np.ndarray) -> np.ndarray:
    """Of the errors of the states (n,); those across the rod have one in both directions."""
    deviation = x.std(axis=(0, 1)).reshape(-1, 3)
    deviation[:, :2] = np.sqrt(np.mean(deviation[:, :2] ** 2, axis=1, keepdims=True))
    return np.maximum(deviation.ravel(), _LEAST_UNIT * rod.scale).astype(np.float32)


def _linear(z: torch.Tensor, change: torch.Tensor) -> torch.Tensor:
    """Least-squares matrix (i, n) from z (S, i) to change (S, n)."""
    square = (z.T @ z).double() + 1e-6 * len(z) * torch.eye(z.shape[1], dtype=torch.float64, device=z.device)
    return torch.linalg.solve(square, (z.T @ change).double()).to(z.dtype)
