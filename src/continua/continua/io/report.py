"""`report.html`: a run on one page that needs no other file and no network."""

from collections.abc import Iterable
from pathlib import Path

from continua.io import plots
from continua.io.estimation_error import ErrorSeries, marker_error, tip_error
from continua.io.page import image, page, problems, table
from continua.io.run import Run, load_run
from continua.io.summary import Statistics, Summary, error_rows, run_markers, summarise_run

__all__ = ['write_report', 'write_results']

_NO_VALUE = '–'


def write_results(bag: Path, folder: Path) -> Summary:
    """Write `summary.json` and `report.html` of a bag into a folder, and return the summary.

    Raises ValueError when the bag holds nothing to summarise.
    """
    run = load_run(bag)
    summary = summarise_run(run, bag)
    (folder / 'summary.json').write_text(summary.to_json() + '\n', encoding='utf-8')
    write_report(run, summary, bag, folder / 'report.html')
    return summary


def write_report(run: Run, summary: Summary, bag: Path, path: Path) -> None:
    """Write the page."""
    title = f'{summary.robot or "robot"}, {summary.recorded_at}'
    parts = [
        problems(summary.problems),
        '<h2>Estimation error</h2>',
        error_table(summary),
        f'<p>Distances in mm; the first {summary.skipped_at_start_s:g} s of estimates do not count.</p>',
        *_figures(run, summary, bag),
        '<h2>Traffic</h2>',
        traffic_table(summary),
    ]
    path.write_text(page(title, _origin(summary), parts), encoding='utf-8')


def error_table(summary: Summary) -> str:
    """Errors of the tip and of every marker, of all estimates."""
    return table(
        ('', 'mean', 'median', '95 %', 'max', 'estimates'),
        ((label, *_cells(statistics)) for label, statistics in error_rows(summary)),
    )


def traffic_table(summary: Summary) -> str:
    """Rates, gaps, latencies and losses of every topic."""
    return table(
        ('topic', 'count', 'rate [Hz]', 'longest gap [ms]', 'latency [ms]', '99 % [ms]', 'lost', 'dropped'),
        (
            (
                name,
                str(topic.count),
                _number(topic.rate_hz),
                _number(topic.max_gap_ms),
                _number(topic.latency_ms and topic.latency_ms.median),
                _number(topic.latency_ms and topic.latency_ms.p99),
                str(topic.lost),
                str(topic.dropped),
            )
            for name, topic in summary.topics.items()
        ),
    )


def _origin(summary: Summary) -> str:
    return (
        f'{summary.duration_s:.1f} s recorded on {summary.host or "an unknown host"} '
        f'with {summary.software or "unknown software"}; robot file {summary.robot_hash or "unknown"}'
    )


def _figures(run: Run, summary: Summary, bag: Path) -> Iterable[str]:
    errors = _counted_errors(run, bag)
    if errors:
        yield image(plots.error_over_time(errors), 'Errors over time; the shaded start does not count')
    if run.estimates or run.truth is not None:
        yield '<h2>Motion</h2>'
        yield image(plots.arm_snapshots(run), 'The arm at times spread over the run')
        yield image(plots.tip_trajectory(run), 'Coordinates of the tip')
    if run.tendons is not None:
        yield '<h2>Tendons</h2>'
        yield image(plots.tensions(run), 'Tension of every tendon')
    if run.chambers is not None:
        yield '<h2>Chambers</h2>'
        yield image(plots.pressures(run), 'Pressure of every chamber')
    if any(topic.latency_ms for topic in summary.topics.values()):
        yield '<h2>Latency</h2>'
        yield image(plots.latencies(summary), 'From measurement to reception')


def _counted_errors(run: Run, bag: Path) -> dict[str, ErrorSeries]:
    """Of the tip and the held-out markers, against the truth, where there are any."""
    held_out = [marker for marker in run_markers(bag) if marker.role == 'held_out']
    errors: dict[str, ErrorSeries | None] = {}
    for name, estimate in run.estimates.items():
        of = f', {name}' if len(run.estimates) > 1 else ''
        errors[f'tip{of}'] = tip_error(run, estimate)
        errors |= {f'{marker.name}{of}': marker_error(run, estimate, marker) for marker in held_out}
    return {name: error for name, error in errors.items() if error is not None and len(error.stamp)}


def _cells(statistics: Statistics | None) -> tuple[str, ...]:
    if statistics is None:
        return (_NO_VALUE,) * 5
    s = statistics
    return (*(f'{value:.2f}' for value in (s.mean, s.median, s.p95, s.max)), str(s.count))


def _number(value: float | None) -> str:
    return _NO_VALUE if value is None else f'{value:.1f}'
