"""Diagnostics: what a running node reports on /diagnostics."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rosgraph_msgs.msg import Clock
from std_msgs.msg import Empty

from continua_node import convert, qos
from continua_node.diagnostics import ERROR, WARN

SETTINGS = ('-p', 'settings_id:=test')

NODE = """
def __init__(self):
    super().__init__('probe')
    params.declare(self, [])
    self.diagnostics = diagnostics.Diagnostics(self)
    self.diagnostics.timer(0.1, self.step)
    self.steps = 0

def step(self):
    self.steps += 1
"""


@pytest.fixture
def reports(bench):
    """Statuses of the probe, newest last, each with its values as a dictionary."""
    messages = bench.collect(DiagnosticArray, '/diagnostics', qos.STATE)

    def read():
        return [
            (status, {entry.key: entry.value for entry in status.values})
            for message in messages
            for status in message.status
        ]

    return read


def test_a_healthy_node_reports_itself(bench, script, reports):
    with bench.start(script(NODE), *SETTINGS):
        bench.wait_until(lambda: any(float(values['rate [Hz]']) > 0 for _, values in reports()), 'a rate')
    status, values = reports()[-1]
    assert status.name == '/robot/probe'
    assert status.hardware_id == 'robot'
    assert status.message.startswith('running')
    assert set(values) >= {
        'rate [Hz]',
        'step_time_mean [ms]',
        'step_time_max [ms]',
        'period_max [ms]',
        'missed_deadlines',
    }
    assert 0.0 <= float(values['step_time_mean [ms]']) <= float(values['step_time_max [ms]'])


def test_latencies_are_reported_where_there_are_any(bench, script, reports):
    body = NODE.replace(
        'self.steps += 1', 'self.steps += 1\n    self.diagnostics.latency(0.002 if self.steps % 3 else 0.5)'
    )
    with bench.start(script(body), *SETTINGS):
        bench.wait_until(
            lambda: any(values.get('latency_max [ms]') == '500.000' for _, values in reports()), 'latencies'
        )
    assert any(values.get('latency_median [ms]') == '2.000' for _, values in reports())


def test_a_count_that_grows_warns_for_one_report_and_stays_in_the_values(bench, script, reports):
    body = NODE.replace(
        'self.steps = 0',
        'from std_msgs.msg import Empty\n'
        "    count = lambda message: self.diagnostics.count('rejected_nan', 3)\n"
        "    self.create_subscription(Empty, 'wrong', count, qos.COMMAND.requested)\n"
        '    self.steps = 0',
    )
    wrong = bench.node.create_publisher(Empty, 'wrong', qos.COMMAND.offered)
    with bench.start(script(body), *SETTINGS):
        bench.wait_until(lambda: reports() and wrong.get_subscription_count(), 'the first report')
        wrong.publish(Empty())
        bench.wait_until(lambda: any('rejected_nan' in values for _, values in reports()), 'the count')
        first = next(i for i, (_, values) in enumerate(reports()) if 'rejected_nan' in values)
        bench.wait_until(lambda: len(reports()) > first + 1, 'the report after')
    warning, after = reports()[first], reports()[first + 1]
    assert warning[0].level == WARN
    assert '3 rejected_nan' in warning[0].message
    assert 'rejected_nan' not in after[0].message
    assert warning[1]['rejected_nan'] == after[1]['rejected_nan'] == '3'


def test_state_and_ages_are_those_the_node_says(bench, script, reports):
    body = (
        NODE
        + "    self.diagnostics.set_state(diagnostics.ERROR, 'the board does not answer')\n"
        + "    self.diagnostics.input_age('markers', 0.25)\n"
    )
    with bench.start(script(body), *SETTINGS):
        bench.wait_until(lambda: any('age_markers [s]' in values for _, values in reports()), 'an age')
    status, values = reports()[-1]
    assert status.level == ERROR
    assert status.message.startswith('the board does not answer')
    assert values['age_markers [s]'] == '0.2500'


def test_exceptions_are_counted(bench, script, reports):
    body = NODE + "    if self.steps == 2: raise RuntimeError('two')\n"
    with bench.start(script(body), *SETTINGS):
        bench.wait_until(lambda: any(values.get('exceptions') == '1' for _, values in reports()), 'it')


def test_deadlines_missed_in_simulated_time_are_counted_exactly(bench, script, reports):
    """The clock jumps over four periods of 0.1 s once: three steps did not happen."""
    clock = bench.node.create_publisher(Clock, '/clock', qos.STATE.offered)
    body = NODE + "    print(f'step at {self.diagnostics.now():.2f}')\n"
    with bench.start(script(body), *SETTINGS, '-p', 'use_sim_time:=true') as node:
        bench.wait_until(clock.get_subscription_count, 'the subscription to the clock')
        for now in (100.0, 100.1, 100.2, 100.6, 100.7):
            bench.wait_until(
                lambda t=now: (
                    clock.publish(Clock(clock=convert.to_stamp(t))) or f'step at {t:.2f}' in node.output()
                ),
                f'the step at {now} s',
            )
        bench.wait_until(lambda: any(v['missed_deadlines'] == '3' for _, v in reports()), 'three missed')
