"""Runs an experiment and writes what came of it: DIR/ID.json and figures."""

import json
import math
import os
import platform
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from continua.io.provenance import software_version
from continua.repro.experiment import Experiment, Number, Setting

__all__ = ['machine', 'run_experiment']


def run_experiment(experiment: Experiment, out: Path, quick: bool, console: Console) -> dict[str, Any]:
    """Run into the folder `out` and return what `out`/ID.json then holds; progress goes to the console."""
    out.mkdir(parents=True, exist_ok=True)
    before = {path: path.stat().st_mtime_ns for path in out.glob('*.png')}
    start, numbers = time.perf_counter(), []
    with console.status(experiment.id) as status:
        setting = Setting(quick, out, lambda line: status.update(f'{experiment.id}: {line}'))
        for number in experiment.run(setting):
            numbers.append(number)
            console.print(f'{number.name}: {number.ours:.4g} {number.unit}', highlight=False)
    drawn = [path for path in out.glob('*.png') if before.get(path) != path.stat().st_mtime_ns]
    described = {name: getattr(experiment, name) for name in ('id', 'title', 'source', 'paper', 'goal')}
    report = described | {
        'met': all(number.met is not False for number in numbers),
        'quick': quick,
        'seed': experiment.seed,
        'wall_time_s': time.perf_counter() - start,
        'machine': machine(),
        'software': software_version(),
        'numbers': [_as_json(number) for number in numbers],
        'figures': sorted(path.name for path in drawn),
    }
    (out / f'{experiment.id}.json').write_text(json.dumps(report, indent=2) + '\n')
    return report


def _as_json(number: Number) -> dict[str, Any]:
    """JSON has no infinity, which is the error of a model without a solution: null."""
    return asdict(number) | {'ours': number.ours if math.isfinite(number.ours) else None}


def machine() -> str:
    """This machine in words: processor, cores, system, Python."""
    try:
        lines = Path('/proc/cpuinfo').read_text().splitlines()
    except OSError:
        lines = []
    named = [line.partition(':')[2].strip() for line in lines if line.startswith('model name')]
    processor = named[0] if named else platform.machine()
    cores = len(os.sched_getaffinity(0))
    return f'{processor}, {cores} cores, {platform.system()}, Python {platform.python_version()}'
