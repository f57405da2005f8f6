"""Files of weights (.safetensors) with their card, as JSON in the header."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ['load_weights', 'save_weights']


def save_weights(path: Path, what: str, tensors: Mapping[str, np.ndarray], card: dict[str, Any]) -> None:
    """Write weights of a network of kind `what`, single precision. Raises ValueError where it cannot."""
    from safetensors.numpy import save_file

    found = {name: np.ascontiguousarray(values, dtype=np.float32) for name, values in tensors.items()}
    try:
        save_file(found, path, {'format': f'continua {what}', 'card': json.dumps(card)})
    except OSError as error:
        raise ValueError(f'{path}: the file cannot be written: {error}') from None


def load_weights(path: Path, what: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Weights and card of a network of kind `what`. Raises ValueError where the file holds none."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        command = 'pip install -r requirements/core.txt -c requirements/constraints.txt'
        raise ValueError(f'{path}: reading weights needs safetensors; install it with: {command}') from None
    try:
        with safe_open(path, framework='numpy') as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no mapping
    except (OSError, SafetensorError) as error:
        raise ValueError(f'{path}: not a file of weights: {error}') from None
    if header.get('format') != f'continua {what}':
        raise ValueError(f'{path}: expected a {what}, got {header.get("format", "other weights")}')
    return tensors, json.loads(header['card'])
