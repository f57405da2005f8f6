"""Training of networks: epochs with checkpoints, a log, and resumption that changes nothing.

A run is a folder: `checkpoint.safetensors`, weights and the optimiser's moments with the epoch in its header,
and `log.csv`. Random numbers of an epoch depend on the seed and its number only, so that a run which was
interrupted ends with the weights of one which was not.
"""

import csv
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from continua.reduction.pool import Progress

__all__ = ['Epoch', 'Problem', 'cosine', 'fit', 'plateau']

_FORMAT = 'continua training'
_FIELDS = ('epoch', 'loss', 'validation', 'rate', 'seconds')


@dataclass(frozen=True)
class Epoch:
    """A line of the log: mean loss of the batches, validation after them, learning rate, s so far."""

    epoch: int
    loss: float
    validation: float
    rate: float
    seconds: float


class Problem(Protocol):
    """What is fitted: settings as JSON can hold them, by which a resumed run knows its own."""

    network: torch.nn.Module
    settings: dict

    def losses(self, epoch: int) -> Iterator[torch.Tensor]:
        """Loss of each batch of an epoch, with derivatives; the optimiser steps between two."""

    def validation(self) -> float:
        """Error on what was not trained on."""

    def rate(self, history: list[Epoch]) -> float:
        """Learning rate of the next epoch."""


def plateau(initial: float, history: list[Epoch], patience: int = 75, factor: float = 0.5) -> float:
    """Learning rate, reduced by `factor` whenever no epoch of the last `patience` improved the validation."""
    best, waited, rate = float('inf'), 0, initial
    for each in history:
        waited = 0 if each.validation < best else waited + 1
        best = min(best, each.validation)
        if waited > patience:
            rate, waited = factor * rate, 0
    return rate


def cosine(initial: float, done: int, epochs: int) -> float:
    """Learning rate that falls to a hundredth of `initial` along half a cosine."""
    share = 0.5 * (1.0 + torch.cos(torch.tensor(torch.pi * done / epochs)).item())
    return initial * (0.01 + 0.99 * share)


def fit(
    problem: Problem,
    epochs: int,
    folder: Path | None = None,
    resume: bool = False,
    progress: Progress = lambda done, total: None,
    report: Callable[[Epoch], None] = lambda epoch: None,
) -> list[Epoch]:
    """Train up to `epochs` by Adam, and return the log; the network of `problem` has the weights.

    folder: of checkpoints and the log, one an epoch; None: nothing is kept. resume: go on from what is
    there, from nothing if there is none. Raises ValueError where the folder holds another run, or one and
    `resume` is not said.
    """
    optimiser = torch.optim.Adam(problem.network.parameters())
    history = _begin(problem, optimiser, folder, resume)
    start = time.perf_counter() - (history[-1].seconds if history else 0.0)
    progress(len(history), epochs)
    for epoch in range(len(history), epochs):
        rate = problem.rate(history)
        for group in optimiser.param_groups:
            group['lr'] = rate
        losses = [_descend(optimiser, loss) for loss in problem.losses(epoch)]
        validation, loss = problem.validation(), sum(losses) / len(losses)
        history.append(Epoch(epoch, loss, validation, rate, time.perf_counter() - start))
        if folder is not None:
            _write(problem, optimiser, history, folder)
        progress(len(history), epochs)
        report(history[-1])
    return history


def _descend(optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> float:
    """A step, unless the loss has no value: such a batch is left out."""
    if torch.isfinite(loss):
        optimiser.zero_grad()
        loss.backward()
        parameters = [p for group in optimiser.param_groups for p in group['params']]
        if torch.isfinite(torch.nn.utils.clip_grad_norm_(parameters, 1.0)):
            optimiser.step()
    return loss.item()


def _write(problem: Problem, optimiser: torch.optim.Optimizer, history: list[Epoch], folder: Path) -> None:
    tensors = {f'network.{name}': value for name, value in problem.network.state_dict().items()}
    for i, moments in optimiser.state_dict()['state'].items():
        tensors |= {f'optimiser.{i}.{name}': value for name, value in moments.items()}
    header = {
        'format': _FORMAT,
        'settings': json.dumps(problem.settings),
        'history': json.dumps([list(vars(each).values()) for each in history]),
    }
    partial = folder / f'checkpoint.{os.getpid()}.partial'
    save_file({name: value.contiguous() for name, value in tensors.items()}, partial, header)
    partial.replace(folder / 'checkpoint.safetensors')
    with (folder / 'log.csv').open('w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(_FIELDS)
        writer.writerows(vars(each).values() for each in history)


def _begin(
    problem: Problem, optimiser: torch.optim.Optimizer, folder: Path | None, resume: bool
) -> list[Epoch]:
    """Log of the epochs that are in the folder, which it makes."""
    if folder is None:
        return []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f'{folder}: the folder cannot be made: {error.strerror}') from None
    path = folder / 'checkpoint.safetensors'
    if not path.exists():
        return []
    if not resume:
        raise ValueError(f'{folder}: holds a run already; --resume goes on with it, or give another folder')
    try:
        with safe_open(path, framework='pt') as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, no mapping
    except (OSError, SafetensorError) as error:
        raise ValueError(f'{path}: not a checkpoint: {error}') from None
    if header.get('format') != _FORMAT or json.loads(header['settings']) != problem.settings:
        found = header.get('settings', 'no settings')
        raise ValueError(
            f'{path}: a run with other settings: expected {json.dumps(problem.settings)}, got {found}'
        )
    _restore(problem.network, optimiser, tensors)
    return [Epoch(*each) for each in json.loads(header['history'])]


def _restore(
    network: torch.nn.Module, optimiser: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]
) -> None:
    own, moments = {}, {}
    for name, value in tensors.items():
        kind, _, rest = name.partition('.')
        if kind == 'network':
            own[rest] = value
        else:
            i, _, moment = rest.partition('.')
            moments.setdefault(int(i), {})[moment] = value
    network.load_state_dict(own)
    state = optimiser.state_dict()
    optimiser.load_state_dict({'state': moments, 'param_groups': state['param_groups']})
