"""References of tensions or pressures read from a CSV file.

    time,long_1,long_2,long_3
    0.0,0.0,0.0,0.0
    1.5,2.0,0.0,0.5

Time in s, tensions in N, pressures in Pa. The header names every tendon, or chamber, of the robot once, in
any order; empty lines and lines that start with # are skipped.
"""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from continua.description.errors import did_you_mean

__all__ = ['CsvReference']

INTERPOLATIONS = ('linear', 'hold')


class CsvReference:
    """The rows of a CSV file, joined by straight lines (`linear`) or held until the next (`hold`)."""

    def __init__(self, path: str | Path, names: Sequence[str], interpolation: str = 'linear') -> None:
        """names: inputs in the order of the result. Raises ValueError that names file and line."""
        if interpolation not in INTERPOLATIONS:
            raise ValueError(
                f'interpolation is {interpolation!r}, expected one of {", ".join(INTERPOLATIONS)}'
            )
        rows = _rows(Path(path))
        table = _table(path, rows, names)
        self._is_linear = interpolation == 'linear'
        self._time, self._tension = table[:, 0], table[:, 1:]
        self.duration = float(self._time[-1])
        self.low, self.high = self._tension.min(axis=0), self._tension.max(axis=0)

    def __call__(self, t: float) -> np.ndarray:
        if self._is_linear:
            return np.array([np.interp(t, self._time, column) for column in self._tension.T])
        row = np.searchsorted(self._time, t, side='right') - 1
        return self._tension[max(row, 0)].copy()


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of each line that counts."""
    try:
        lines = path.read_text(encoding='utf-8-sig').splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f'{path}: cannot be read as a CSV file: {error}') from None
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith('#'):
            yield number, [cell.strip() for cell in next(csv.reader([line]))]


def _table(path: str | Path, rows: Iterator[tuple[int, list[str]]], names: Sequence[str]) -> np.ndarray:
    """(m, 1 + n): time and tensions in the order of `names`."""
    number, header = next(rows, (1, []))
    wanted = ['time', *names]
    for name in header:
        if name not in wanted:
            raise ValueError(f'{path}:{number}: no input is called {name!r}; {did_you_mean(name, wanted)}')
    if sorted(header) != sorted(wanted):
        raise ValueError(
            f'{path}:{number}: the header is {",".join(header)!r}, expected each of {",".join(wanted)!r} once'
        )
    order = [header.index(name) for name in wanted]
    table: list[list[float]] = []
    for number, cells in rows:
        if len(cells) != len(header):
            raise ValueError(f'{path}:{number}: {len(cells)} cells, expected {len(header)} as in the header')
        values = [_number(f'{path}:{number}', name, cell) for name, cell in zip(header, cells, strict=True)]
        table.append([values[i] for i in order])
        time, last = table[-1][0], table[-2][0] if len(table) > 1 else None
        if time < 0.0 or (last is not None and time <= last):
            raise ValueError(f'{path}:{number}: time is {time:g} s, expected to start at 0 or later and rise')
    if not table:
        raise ValueError(f'{path}: no row with numbers below the header')
    return np.array(table)


def _number(where: str, name: str, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise ValueError(f'{where}: {name} is {cell!r}, expected a finite number')
    return value
