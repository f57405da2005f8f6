"""The one-step network: a small residual network in place of a control step of the collocation rod.

    h = tanh(z W1 + b1) * (z W2 + b2),    x_{k+1} = x_k + [z, h] W + b,    z = [x_k, u_k, c_b]

with layers of h as many as wanted. u_k is the wrench of the pressures that act over the step, c_b the bending
compliance. Of a rod that is symmetric about its axis, x_k and u_k are turned to one direction of bending, and
the increment back. It needs NumPy only, and runs on PyTorch where a controller does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from continua.arrays import Arrays
from continua.surrogate.symmetry import bending_direction, turned
from continua.surrogate.weights_file import load_weights, save_weights

__all__ = ['OneStepNetwork', 'increment']

_KIND = 'one-step network'


def increment(layers: Sequence[tuple[Any, Any]], z: Any, functions: Any) -> Any:
    """[z, h] W + b of inputs z (B, i); layers: matrices (in, 2 out) and offsets of h, then W (., n) and b.

    functions: NumPy or PyTorch.
    """
    h = z
    for W, b in layers[:-1]:
        both, width = h @ W + b, W.shape[1] // 2
        h = functions.tanh(both[..., :width]) * both[..., width:]
    W, b = layers[-1]
    return functions.concatenate([z, h], -1) @ W + b


@dataclass(frozen=True)
class OneStepNetwork:
    """A transition model: transition(x (B, n), u (B, m), parameters (B, 1), dt) -> (B, n).

    layers: as of `increment`, in SI units. wrench (m, 3): moments and force of a pressure of 1 Pa. card: what
    is known of it, among that 'model', what gives x its meaning, 'dt' (s) and 'symmetric'. arrays: where it
    computes.
    """

    layers: tuple[tuple[Any, Any], ...]
    wrench: Any
    card: dict[str, Any]
    arrays: Arrays

    @classmethod
    def load(cls, path: Path, arrays: Arrays | None = None) -> 'OneStepNetwork':
        """From a file of `save`; arrays: by default NumPy's, in single precision, which is twice as fast.

        Raises ValueError where the file is none.
        """
        arrays = arrays or Arrays('numpy', 'float32')
        found, card = load_weights(path, _KIND)
        tensors = {name: arrays.put(values) for name, values in found.items()}
        layers = tuple((tensors[f'W{i}'], tensors[f'b{i}']) for i in range(len(tensors) // 2))
        return cls(layers, tensors['wrench'], card, arrays)

    def save(self, path: Path) -> None:
        """Write weights with their card (.safetensors). Raises ValueError where it cannot."""
        tensors = {'wrench': self.wrench}
        for i, (W, b) in enumerate(self.layers):
            tensors |= {f'W{i}': W, f'b{i}': b}
        save_weights(path, _KIND, {name: self.arrays.get(each) for name, each in tensors.items()}, self.card)

    def with_card(self, **values: Any) -> 'OneStepNetwork':
        """The same network; its card says more."""
        return replace(self, card=self.card | values)

    def __call__(self, x: Any, u: Any, parameters: Any, dt: float) -> Any:
        """States (B, n) after a step; NaN for a row that holds one. Raises ValueError for another dt."""
        trained = self.card['dt']
        if not abs(dt - trained) <= 1e-3 * trained:
            raise ValueError(
                f'one-step network: expected the step of the training, {trained:.6g} s, got {dt:.6g} s; '
                'run at that rate, or train another: continua train student --rate'
            )
        functions, wrench = self.arrays.functions, u @ self.wrench
        if not self.card['symmetric']:
            z = functions.concatenate([x, wrench, parameters], -1)
            return x + increment(self.layers, z, functions)
        direction = bending_direction(x, functions)
        vectors = turned(functions.concatenate([x, wrench], -1), direction, functions)
        change = increment(self.layers, functions.concatenate([vectors, parameters], -1), functions)
        return x + turned(change, direction, functions, back=True)
