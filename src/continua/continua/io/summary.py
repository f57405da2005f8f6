"""What a run has shown, in numbers and from its bag alone: errors, rates, latencies, losses."""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from continua.description import Marker, load_robot
from continua.io.bag_reader import is_finished
from continua.io.estimation_error import START_UP, ErrorSeries, marker_error, measured_error, tip_error
from continua.io.run import Run, Traffic, load_run
from continua.io.shape_series import ShapeSeries

__all__ = [
    'EstimateError',
    'MarkerError',
    'Statistics',
    'Summary',
    'TopicSummary',
    'error_rows',
    'run_markers',
    'summarise',
    'summarise_run',
]

_SHORTEST_RATE = 1.0  # [s] of messages; a rate of less says nothing


@dataclass(frozen=True)
class Statistics:
    """Of a distance or a duration, in the unit that the field's name says."""

    count: int
    mean: float
    median: float
    p95: float
    p99: float
    max: float


@dataclass(frozen=True)
class MarkerError:
    """Distance from where the estimate puts a marker to where it truly is, and to where it was measured."""

    role: str
    against_truth_mm: Statistics | None
    against_measurement_mm: Statistics | None


@dataclass(frozen=True)
class EstimateError:
    """Of one estimate: its tip against the true one, and every marker by name."""

    tip_error_mm: Statistics | None
    marker_error_mm: dict[str, MarkerError]


@dataclass(frozen=True)
class TopicSummary:
    """Traffic of a topic.

    rate: None for messages of less than a second. latency: receive time minus header stamp; None without a
    header, or with simulated time. lost: sent and not received. dropped: received and not written.
    """

    type: str
    count: int
    rate_hz: float | None
    max_gap_ms: float | None
    latency_ms: Statistics | None
    lost: int
    dropped: int


@dataclass(frozen=True)
class Summary:
    """What `summary.json` holds. A number that the bag does not allow is None; `problems` says why.

    estimates: by name, as in `Run`.
    """

    robot: str
    robot_hash: str
    software: str
    host: str
    recorded_at: str
    duration_s: float
    skipped_at_start_s: float
    estimates: dict[str, EstimateError]
    topics: dict[str, TopicSummary]
    lost_messages: int
    dropped_messages: int
    problems: list[str]

    def to_json(self) -> str:
        """As `summary.json` has it."""
        return json.dumps(dataclasses.asdict(self), indent=2)


def summarise(folder: str | Path) -> Summary:
    """Summarise a bag, finished or not. Raises ValueError when it holds nothing to summarise."""
    return summarise_run(load_run(folder), Path(folder))


def summarise_run(run: Run, folder: Path) -> Summary:
    """Summarise what `load_run(folder)` gave."""
    custom = run.information['custom_data']
    topics = _topics(run)
    return Summary(
        robot=custom.get('robot', ''),
        robot_hash=custom.get('robot_hash', ''),
        software=custom.get('software', ''),
        host=custom.get('host', ''),
        recorded_at=datetime.fromtimestamp(run.start // 10**9, timezone.utc).isoformat(),
        duration_s=max(float(traffic.received[-1]) for traffic in run.traffic.values()),
        skipped_at_start_s=START_UP,
        estimates={
            name: _estimate_error(run, estimate, run_markers(folder))
            for name, estimate in run.estimates.items()
        },
        topics=topics,
        lost_messages=sum(topic.lost for topic in topics.values()),
        dropped_messages=sum(topic.dropped for topic in topics.values()),
        problems=_problems(run, folder),
    )


def error_rows(summary: Summary) -> Iterator[tuple[str, Statistics | None]]:
    """(what, errors in mm) of tip and markers; those of all estimates under each other."""
    for name, estimate in summary.estimates.items():
        yield f'tip, {name} - truth', estimate.tip_error_mm
    for marker in dict.fromkeys(
        marker for each in summary.estimates.values() for marker in each.marker_error_mm
    ):
        for name, estimate in summary.estimates.items():
            error = estimate.marker_error_mm[marker]
            label = f'{marker} ({error.role.replace("_", " ")})'
            yield f'{label}, {name} - truth', error.against_truth_mm
            yield f'{label}, {name} - measured', error.against_measurement_mm


def run_markers(folder: Path) -> tuple[Marker, ...]:
    """Markers of the robot file that the recorder put beside the bag; none where it did not."""
    path = folder / 'robot.yaml'
    return load_robot(path).markers if path.exists() else ()


def _estimate_error(run: Run, estimate: ShapeSeries, markers: tuple[Marker, ...]) -> EstimateError:
    return EstimateError(
        tip_error_mm=_error_statistics(tip_error(run, estimate)),
        marker_error_mm={
            marker.name: MarkerError(
                role=marker.role,
                against_truth_mm=_error_statistics(marker_error(run, estimate, marker)),
                against_measurement_mm=_error_statistics(measured_error(run, estimate, marker)),
            )
            for marker in markers
        },
    )


def _topics(run: Run) -> dict[str, TopicSummary]:
    custom = run.information['custom_data']
    lost, dropped = (json.loads(custom.get(key, '{}')) for key in ('lost', 'dropped'))
    return {
        name: _topic(traffic, run.has_simulated_time, lost.get(name, 0), dropped.get(name, 0))
        for name, traffic in run.traffic.items()
    }


def _topic(traffic: Traffic, has_simulated_time: bool, lost: int, dropped: int) -> TopicSummary:
    count = len(traffic.received)
    gaps = np.diff(traffic.received)
    span = gaps.sum()
    latency = None
    if traffic.stamp is not None and not has_simulated_time:
        latency = _statistics(1e3 * (traffic.received - traffic.stamp))
    return TopicSummary(
        type=traffic.type,
        count=count,
        rate_hz=float(len(gaps) / span) if span >= _SHORTEST_RATE else None,
        max_gap_ms=float(1e3 * gaps.max()) if count > 1 else None,
        latency_ms=latency,
        lost=lost,
        dropped=dropped,
    )


def _error_statistics(error: ErrorSeries | None) -> Statistics | None:
    return None if error is None else _statistics(1e3 * error.after_start_up())


def _statistics(values: np.ndarray) -> Statistics | None:
    if len(values) == 0:
        return None
    median, p95, p99 = np.percentile(values, [50, 95, 99])
    return Statistics(
        len(values), float(values.mean()), float(median), float(p95), float(p99), float(values.max())
    )


def _problems(run: Run, folder: Path) -> list[str]:
    """Sentences on what is missing, and what that costs."""
    errors = [tip_error(run, estimate) for estimate in run.estimates.values()]
    checks = {
        'no estimate was recorded; did the estimator run?': not run.estimates,
        'no true shape was recorded (only a simulated robot has one): no errors against truth': (
            run.truth is None
        ),
        f'no estimate later than {START_UP:g} s after the first has a true shape at its time: no errors': (
            any(error is not None and len(error.after_start_up()) == 0 for error in errors)
        ),
        'no robot.yaml in the bag: no errors of markers': not (folder / 'robot.yaml').exists(),
        'the run had simulated time, receive times did not: no latencies': run.has_simulated_time,
        'the recorder was killed: the last half second and the last counts of lost messages may be missing': (
            not is_finished(folder)
        ),
    }
    return [sentence for sentence, applies in checks.items() if applies]
