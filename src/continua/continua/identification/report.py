"""What an identification found: as text, as numbers, and on a page."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from continua.identification import figures
from continua.identification.fit import Identified
from continua.identification.observations import Motion, Poses
from continua.io.page import image, page, problems, table

__all__ = ['numbers', 'page_of', 'provenance']

_FIT_COLUMNS = ('', 'rms [mm]', 'largest [mm]', 'noise [mm]', 'correlation', 'delay [ms]', 'fall [%]')


def numbers(found: Identified) -> dict[str, Any]:
    """All numbers, for JSON; SI units."""
    return {
        'robot': found.robot.name,
        'parameters': {
            each.path: {
                'value': float(found.value[i]),
                'given': float(found.given[i]),
                'standard_deviation': float(found.deviation[i]),
                'interval_95': found.interval[i].tolist(),
                'bounds': [each.low, each.high],
            }
            for i, each in enumerate(found.parameters)
        },
        'correlation': found.excitation.correlation.tolist(),
        'singular_values': found.excitation.singular_values.tolist(),
        'condition': found.excitation.condition,
        'is_excited': found.excitation.is_complete,
        'residual_rms_m': {each.label: each.rms for each in found.residuals},
        'noise_m': {each.label: each.noise for each in found.residuals},
        'fall_misread': {each.label: each.misread.fall for each in found.residuals},
        'delay_s': {each.label: each.misread.delay for each in found.residuals},
        'converged': found.converged,
        'message': found.message,
        'sentences': list(found.sentences),
    }


def provenance(found: Identified, source: str) -> str:
    """Lines for the head of a robot file: what changed, how sure that is, and from what."""
    lines = [f'Identified {source}:']
    lines += [
        f'  {each.path}: {given:.6g} -> {value:.6g}, 95 % in [{low:.6g}, {high:.6g}]'
        for each, given, value, (low, high) in zip(
            found.parameters, found.given, found.value, found.interval, strict=True
        )
    ]
    lines += [
        f'  residual of {each.label}: {1e3 * each.rms:.3g} mm root mean square' for each in found.residuals
    ]
    return '\n'.join(lines)


def page_of(
    found: Identified, groups: Sequence[Poses | Motion], source: str, sentences: Sequence[str]
) -> str:
    """The report in HTML. groups: the poses and motions, in the order of the residuals."""
    parts = [
        problems(sentences),
        f'<p>{found.message}; condition number {found.excitation.condition:.3g}.</p>',
        '<h2>Parameters</h2>',
        table(('', 'robot file', 'identified', '95 % interval', 'standard deviation'), _values(found)),
        image(figures.interval_figure(found), 'Intervals'),
        '<h2>Correlation</h2>',
        image(figures.correlation_figure(found), 'Correlation of the parameters'),
        '<h2>Fit</h2>',
        table(_FIT_COLUMNS, _fits(found)),
    ]
    for group, observed in zip(found.residuals, groups, strict=True):
        parts.append(image(figures.fit_figure(group, observed), f'Fit of {group.label}'))
        parts.append(image(figures.residual_figure(group, observed), f'Residuals of {group.label}'))
    return page(f'{found.robot.name}: identified parameters', f'Identified {source}', parts)


def _values(found: Identified) -> Iterator[tuple[str, ...]]:
    for each, given, value, deviation, (low, high) in zip(
        found.parameters, found.given, found.value, found.deviation, found.interval, strict=True
    ):
        relative = f'{1e2 * deviation / abs(value):.2f} %' if value else f'{deviation:.3g}'
        yield each.path, f'{given:.5g}', f'{value:.5g}', f'{low:.5g} to {high:.5g}', relative


def _fits(found: Identified) -> Iterator[tuple[str, ...]]:
    for each in found.residuals:
        lengths = (each.rms, np.nanmax(each.distance), each.noise)
        yield (
            each.label,
            *(f'{1e3 * length:.3f}' for length in lengths),
            f'{each.correlation:.2f}',
            f'{1e3 * each.misread.delay:.2f}',
            f'{1e2 * each.misread.fall:.2f}',
        )
