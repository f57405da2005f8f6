"""Where a batched model computes: NumPy, or PyTorch on the CPU or a GPU.

    there = Arrays('cuda')
    costs = there.get(model(there.put(x), there.put(u)))

Models and costs that use only operators and methods which NumPy and PyTorch share (`+`, `@`, `.sum(-1)`,
`.clip(0.0)`) run on all of them.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

__all__ = ['DEVICES', 'Arrays']

DEVICES = ('numpy', 'cpu', 'cuda')


class Arrays:
    """Arrays of one kind.

    device: one of DEVICES; 'cpu' and 'cuda' are PyTorch's. functions: the module with `tanh`, `sin`, `exp`
    and others of the same name in both.
    """

    def __init__(self, device: str = 'numpy', dtype: str | None = None) -> None:
        """dtype: 'float64', the default with NumPy, or 'float32', that with PyTorch.

        Raises ValueError where there is no such device, and where PyTorch is missing.
        """
        if device not in DEVICES:
            raise ValueError(f'device: expected one of {", ".join(DEVICES)}, got {device!r}')
        self.device = device
        dtype = dtype or ('float64' if device == 'numpy' else 'float32')
        if device == 'numpy':
            self.functions: Any = np
            self._dtype: Any = np.dtype(dtype)
            return
        try:
            import torch
        except ImportError:
            command = 'pip install -r requirements/learning.txt -c requirements/constraints.txt'
            raise ValueError(f'device {device!r} needs PyTorch; install it with: {command}') from None
        if device == 'cuda' and not torch.cuda.is_available():
            raise ValueError("device 'cuda': PyTorch finds no GPU here; use 'cpu' or 'numpy'")
        self.functions = self._torch = torch
        self._dtype = getattr(torch, dtype)

    def put(self, values: np.ndarray) -> Any:
        """NumPy's numbers, there."""
        if self.device == 'numpy':
            return np.asarray(values, dtype=self._dtype)
        return self._torch.from_numpy(np.array(values)).to(self.device, self._dtype)

    def get(self, values: Any) -> np.ndarray:
        """Numbers from there, in NumPy and double precision; waits until they are computed."""
        return np.asarray(values if self.device == 'numpy' else values.cpu(), dtype=float)

    def inference(self) -> Any:
        """Context in which nothing is kept for derivatives."""
        return nullcontext() if self.device == 'numpy' else self._torch.inference_mode()

    def wrap(self, function: Callable) -> Callable:
        """`function` of arrays there, as one of NumPy's arrays; other arguments pass as they are."""

        def wrapped(*arguments: Any) -> np.ndarray:
            with self.inference():
                there = (self.put(a) if isinstance(a, np.ndarray) else a for a in arguments)
                return self.get(function(*there))

        return wrapped
