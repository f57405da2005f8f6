"""The DD-PINN: states some time ahead are the present ones plus damped oscillations (adaptive_nempc 33-36).

    x(t) = x0 + a(alpha(x0, u0, c_b), t),
    a(alpha, t) = sum_i alpha_1i (sin(alpha_2i t + alpha_3i) exp(-alpha_4i t) - sin(alpha_3i))

so that x(0) = x0 whatever the network says, and dx/dt is known without automatic differentiation. The network
works on states, pressures and compliance in ranges of -1 to 1, and on time in steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from continua.arrays import Arrays
from continua.cosserat import CollocationRod
from continua.surrogate.fingerprint import check_card
from continua.surrogate.weights_file import load_weights, save_weights

__all__ = ['DdPinnNetwork', 'ansatz', 'ansatz_parameters', 'ansatz_rate']

_KIND = 'DD-PINN'


def ansatz_parameters(layers: Sequence[tuple[Any, Any]], z: Any, states: int, functions: Any) -> Any:
    """alpha (B, 4, n, a) of eq 35 from inputs z (B, i): tanh in the hidden layers; layers: (W, b) each.

    functions: NumPy or PyTorch.
    """
    for W, b in layers[:-1]:
        z = functions.tanh(z @ W + b)
    W, b = layers[-1]
    return (z @ W + b).reshape(len(z), 4, states, -1)


def ansatz(alpha: Any, t: Any, functions: Any) -> Any:
    """a(alpha, t) (B, n) of eq 34; t: (B, 1, 1) or one for all, in the unit of 1 / alpha_2."""
    size, frequency, phase, decay = alpha[:, 0], alpha[:, 1], alpha[:, 2], alpha[:, 3]
    swing = functions.sin(frequency * t + phase) * functions.exp(-decay * t)
    return (size * (swing - functions.sin(phase))).sum(-1)


def ansatz_rate(alpha: Any, t: Any, functions: Any) -> Any:
    """d a / d t (B, n)."""
    size, frequency, phase, decay = alpha[:, 0], alpha[:, 1], alpha[:, 2], alpha[:, 3]
    angle = frequency * t + phase
    swing = frequency * functions.cos(angle) - decay * functions.sin(angle)
    return (size * functions.exp(-decay * t) * swing).sum(-1)


@dataclass(frozen=True)
class DdPinnNetwork:
    """A transition model: transition(x (B, n), u (B, m), parameters (B, 1), dt) -> (B, n), dt up to that of
    the training.

    layers: as of `ansatz_parameters`. middle, half (n + m + 1,): of the ranges of states, pressures and
    compliance. card: what is known of it. arrays: where it computes.
    """

    layers: tuple[tuple[Any, Any], ...]
    middle: Any
    half: Any
    card: dict[str, Any]
    arrays: Arrays

    @classmethod
    def load(cls, path: Path, arrays: Arrays | None = None) -> 'DdPinnNetwork':
        """From a file of `save`; arrays: by default NumPy's, in single precision. Raises ValueError where the
        file is none."""
        arrays = arrays or Arrays('numpy', 'float32')
        found, card = load_weights(path, _KIND)
        tensors = {name: arrays.put(values) for name, values in found.items()}
        layers = tuple((tensors[f'W{i}'], tensors[f'b{i}']) for i in range(len(tensors) // 2 - 1))
        return cls(layers, tensors['middle'], tensors['half'], card, arrays)

    def save(self, path: Path) -> None:
        """Write weights with their card (.safetensors). Raises ValueError where it cannot."""
        tensors = {'middle': self.middle, 'half': self.half}
        for i, (W, b) in enumerate(self.layers):
            tensors |= {f'W{i}': W, f'b{i}': b}
        save_weights(path, _KIND, {name: self.arrays.get(each) for name, each in tensors.items()}, self.card)

    def with_card(self, **values: Any) -> 'DdPinnNetwork':
        """The same network; its card says more."""
        return replace(self, card=self.card | values)

    def check(self, rod: CollocationRod) -> None:
        """Raises ValueError where it stands in for another rod."""
        check_card(self.card, rod)

    def __call__(self, x: Any, u: Any, parameters: Any, dt: float) -> Any:
        """States (B, n) after dt (s); NaN for a row that holds one. Raises ValueError for dt out of range."""
        share = dt / self.card['dt']
        if not 0.0 <= share <= 1.001:
            raise ValueError(f'DD-PINN: expected dt of 0 to {self.card["dt"]:.6g} s, got {dt:.6g}')
        functions, n = self.arrays.functions, x.shape[1]
        z = (functions.concatenate([x, u, parameters], -1) - self.middle) / self.half
        alpha = ansatz_parameters(self.layers, z, n, functions)
        return x + self.half[:n] * ansatz(alpha, share, functions)
