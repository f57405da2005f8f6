"""What a node says about itself on /diagnostics, once per second of wall time.

    self.diagnostics = diagnostics.Diagnostics(self)
    self.diagnostics.timer(1 / settings.rate, self._step)       # the node's one timer, measured
    ...
    self.diagnostics.input_age('tendon/state', age)
    self.diagnostics.latency(age)                               # of a measurement, when its result is out
    self.diagnostics.count('rejected_nan')
    self.diagnostics.set_state(diagnostics.ERROR, 'board does not answer; retrying')

Everything counted is an event that should not happen: in a second in which a count grew, the level is
at least WARN.
"""

import statistics
import time
from collections import Counter
from collections.abc import Callable

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.timer import Timer

from continua_node import qos

__all__ = ['ERROR', 'OK', 'WARN', 'Diagnostics']

OK = DiagnosticStatus.OK
WARN = DiagnosticStatus.WARN
ERROR = DiagnosticStatus.ERROR
_INTERVAL = 1.0


class Diagnostics:
    """Rate, step times, missed deadlines, counted events, input ages and one sentence of state of one node.

    counts: how often each event happened since start; `counts['missed_deadlines']` is kept by `timer`.
    """

    def __init__(self, node: Node, hardware_id: str | None = None) -> None:
        """hardware_id: the robot's name, by default the node's namespace."""
        self._node = node
        self._hardware_id = node.get_namespace().strip('/') if hardware_id is None else hardware_id
        self.counts: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()
        self._ages: dict[str, float] = {}
        self._level, self._sentence = OK, 'running'
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._clock = node.get_clock() if node.get_parameter('use_sim_time').value else steady
        self._start_window()
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', qos.STATE.offered)
        node.create_timer(_INTERVAL, self._publish, clock=steady)

    def now(self) -> float:
        """Seconds on the clock of `timer`: steady time or, under `use_sim_time`, simulated time."""
        return self._clock.now().nanoseconds * 1e-9

    def timer(self, period: float, step: Callable[[], None], *, steady: bool = False) -> Timer:
        """Call `step` every `period` s, in steady time or, under `use_sim_time`, in simulated time.

        steady: steady time in any case, for the node that makes simulated time.
        """
        clock = Clock(clock_type=ClockType.STEADY_TIME) if steady else self._clock
        last = None

        def measured_step() -> None:
            nonlocal last
            now = self.now()
            if last is not None:
                self._note_period(now - last, period)
            last = now
            start = time.perf_counter()
            step()
            self.tick(time.perf_counter() - start)

        return self._node.create_timer(period, measured_step, clock=clock)

    def tick(self, duration: float) -> None:
        """Note one step that took `duration` s; only nodes without `timer` call it."""
        self._durations.append(duration)

    def count(self, event: str, times: int = 1) -> None:
        """Count something that should not happen, such as `rejected_nan`, `dropped`, `reconnects`."""
        self.counts[event] += times

    def input_age(self, name: str, seconds: float) -> None:
        """Note how old the newest input `name` was when it was used."""
        self._ages[name] = seconds

    def latency(self, seconds: float) -> None:
        """Note how old a measurement was when what was made of it was published."""
        self._latencies.append(seconds)

    def set_state(self, level: bytes, sentence: str) -> None:
        """Say how the node is, until said otherwise: OK, WARN or ERROR and one sentence."""
        self._level, self._sentence = level, sentence

    def _note_period(self, period: float, expected: float) -> None:
        self._period_max = max(self._period_max, period)
        if period > 1.5 * expected:
            self.count('missed_deadlines', round(period / expected) - 1)

    def _start_window(self) -> None:
        self._durations: list[float] = []
        self._latencies: list[float] = []
        self._period_max = 0.0
        self._window_start = time.monotonic()

    def _publish(self) -> None:
        status = self._status()
        self._start_window()
        self._reported = self.counts.copy()
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)

    def _status(self) -> DiagnosticStatus:
        durations = self._durations or [0.0]
        values = {
            'rate [Hz]': f'{len(self._durations) / (time.monotonic() - self._window_start):.2f}',
            'step_time_mean [ms]': f'{1e3 * sum(durations) / len(durations):.3f}',
            'step_time_max [ms]': f'{1e3 * max(durations):.3f}',
            'period_max [ms]': f'{1e3 * self._period_max:.3f}',
            'missed_deadlines': str(self.counts['missed_deadlines']),
        }
        if self._latencies:
            values['latency_median [ms]'] = f'{1e3 * statistics.median(self._latencies):.3f}'
            values['latency_max [ms]'] = f'{1e3 * max(self._latencies):.3f}'
        values |= {event: str(times) for event, times in sorted(self.counts.items())}
        values |= {f'age_{name} [s]': f'{age:.4f}' for name, age in sorted(self._ages.items())}
        grown = self.counts - self._reported
        level, sentence = self._level, self._sentence
        if grown:
            level = max(level, WARN)
            sentence += '; last second: ' + ', '.join(f'{times} {event}' for event, times in grown.items())
        return DiagnosticStatus(
            level=level,
            name=self._node.get_fully_qualified_name(),
            message=sentence,
            hardware_id=self._hardware_id,
            values=[KeyValue(key=key, value=value) for key, value in values.items()],
        )
