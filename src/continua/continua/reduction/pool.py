"""One task after another, on all cores, or on a Ray cluster: what is done is the same.

A task is a function of a module and its arguments; it returns arrays by name. With a folder, finished tasks
are kept there, and a later run with the same tasks goes on where this one ended.
"""

import hashlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continua.jit import cache_folder
from continua.reduction.arrays_file import read_arrays, write_arrays

__all__ = ['IN_THIS_PROCESS', 'Pool', 'Progress', 'task_key']

Arrays = dict[str, np.ndarray]
Progress = Callable[[int, int], None]
"""Called with the number of finished tasks and of all."""

_FORMAT = 'continua finished task'


@dataclass(frozen=True)
class Pool:
    """Where tasks run and what is kept of them.

    workers: processes; 1: in this process; None: one for each core. ray_address: of a Ray cluster, 'auto' for
    the one that this machine belongs to, 'local' for one of this machine's cores; None: without Ray. folder:
    where finished tasks are kept; None: nowhere. Scripts that use processes need `if __name__ == '__main__'`.
    """

    workers: int | None = 1
    ray_address: str | None = None
    folder: Path | None = None

    def run(self, function: Callable[..., Arrays], tasks: Mapping[str, tuple], progress: Progress) -> list:
        """Results of function(*arguments) for the tasks, arguments by key, in their order.

        Raises ValueError where the folder cannot be used or Ray is asked for and not installed, and what the
        function raises.
        """
        done = {key: kept for key in tasks if (kept := self._kept(key)) is not None}
        left = {key: arguments for key, arguments in tasks.items() if key not in done}
        progress(len(done), len(tasks))
        for key, result in self._results(function, left):
            if self.folder is not None:
                write_arrays(self.folder / f'{key}.npz', result, {'format': _FORMAT})
            done[key] = result
            progress(len(done), len(tasks))
        return [done[key] for key in tasks]

    def _kept(self, key: str) -> Arrays | None:
        if self.folder is None:
            return None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f'{self.folder}: the folder cannot be made: {error.strerror}') from None
        path = self.folder / f'{key}.npz'
        return read_arrays(path, _FORMAT)[0] if path.exists() else None

    def _results(self, function, tasks: dict[str, tuple]) -> Iterator[tuple[str, Arrays]]:
        """Keys and results as they come."""
        workers = min(os.cpu_count() if self.workers is None else self.workers, len(tasks))
        if self.ray_address is not None:
            yield from _on_ray(function, tasks, self.ray_address)
        elif workers > 1:
            # not forked: this process may have threads
            pool = ProcessPoolExecutor(workers, multiprocessing.get_context('spawn'))
            try:
                keys = {pool.submit(function, *arguments): key for key, arguments in tasks.items()}
                for future in as_completed(keys):
                    yield keys[future], future.result()
            finally:
                # an interrupt does not wait for what has not begun
                pool.shutdown(cancel_futures=True)
        else:
            for key, arguments in tasks.items():
                yield key, function(*arguments)


IN_THIS_PROCESS = Pool()


def task_key(*content: str | bytes | np.ndarray | float | None) -> str:
    """Name of a task: a hash of what decides its result, and of the kernels that compute it."""
    digest = hashlib.sha256(cache_folder().name.encode())
    for each in content:
        data = np.asarray(each).tobytes() if isinstance(each, np.ndarray) else repr(each).encode()
        digest.update(len(data).to_bytes(8, 'little') + data)
    return digest.hexdigest()[:24]


def _on_ray(function, tasks: dict[str, tuple], address: str) -> Iterator[tuple[str, Arrays]]:
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError(
            'ray_address: Ray is not installed here; run `pip install -r requirements/cluster.txt '
            '-c requirements/constraints.txt`'
        ) from None
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    remote = ray.remote(function)
    keys = {remote.remote(*arguments): key for key, arguments in tasks.items()}
    while keys:
        (ready,), _ = ray.wait(list(keys))
        yield keys.pop(ready), ray.get(ready)
