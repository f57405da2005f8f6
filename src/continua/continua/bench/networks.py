"""Networks of the shapes that stand in for the collocation rod, with random weights: for their cost alone."""

from collections.abc import Callable
from typing import Any

import numpy as np

from continua.arrays import Arrays

__all__ = ['STATES', 'ansatz_network', 'one_step_network']

STATES, INPUTS, PARAMETERS = 72, 3, 1
_HIDDEN, _ANSATZ = 281, 23

Transition = Callable[[Any, Any, Any, float], Any]


def one_step_network(arrays: Arrays) -> Transition:
    """x + W2 tanh(W1 [x, u, c_b] + b1) + b2 with 281 hidden units: 83 kFLOP a prediction."""
    W1, b1, W2, b2 = _layers(arrays, STATES)
    tanh = arrays.functions.tanh

    def predict(x: Any, u: Any, parameters: Any, dt: float) -> Any:
        return x + 1e-2 * (tanh(_inputs(arrays, x, u, parameters) @ W1 + b1) @ W2 + b2)

    return predict


def ansatz_network(arrays: Arrays) -> Transition:
    """The paper's DD-PINN (eqs 33 to 36): 281 hidden units, 23 damped sines for each of the 72 states."""
    W1, b1, W2, b2 = _layers(arrays, 4 * STATES * _ANSATZ)
    tanh, sin, exp = arrays.functions.tanh, arrays.functions.sin, arrays.functions.exp

    def predict(x: Any, u: Any, parameters: Any, dt: float) -> Any:
        alpha = tanh(_inputs(arrays, x, u, parameters) @ W1 + b1) @ W2 + b2
        size, rate, phase, decay = alpha.reshape(len(x), 4, STATES, _ANSATZ).swapaxes(0, 1)
        return x + (size * (sin(rate * dt + phase) * exp(-decay * dt) - sin(phase))).sum(-1)

    return predict


def _layers(arrays: Arrays, outputs: int) -> list[Any]:
    random, inputs = np.random.default_rng(0), STATES + INPUTS + PARAMETERS
    shapes = (inputs, _HIDDEN), (_HIDDEN,), (_HIDDEN, outputs), (outputs,)
    return [arrays.put(random.normal(size=shape) / np.sqrt(shape[0])) for shape in shapes]


def _inputs(arrays: Arrays, x: Any, u: Any, parameters: Any) -> Any:
    return arrays.functions.concatenate([x, u, parameters], -1)
