"""spin: how a node starts, ends and fails, seen from outside its process."""

import signal

import pytest
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rosgraph_msgs.msg import Clock
from std_msgs.msg import Int32

from continua_node import convert, qos

SETTINGS = ('-p', 'settings_id:=test')

COUNTER = """
def __init__(self):
    super().__init__('probe')
    self.settings = params.declare(self, [Parameter('rate', 50.0, 'messages per second', 'Hz')])
    from std_msgs.msg import Int32
    self.message = Int32()
    self.publisher = self.create_publisher(Int32, 'count', qos.STATE.offered)
    self.diagnostics = diagnostics.Diagnostics(self)
    self.diagnostics.timer(1.0 / self.settings.rate, self.step)

def step(self):
    self.message.data += 1
    self.publisher.publish(self.message)
"""

CLOSING = """
def close(self):
    self.message.data = -1
    spin.deliver(self.publisher, self.message)
    print('closed')
"""


@pytest.mark.parametrize('signum', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_node_which_can_still_publish(bench, script, signum):
    counts = bench.collect(Int32, 'count', qos.STATE)
    with bench.start(script(COUNTER + CLOSING), *SETTINGS) as node:
        bench.wait_until(lambda: counts, 'the first count')
        assert node.stop(signum) == 0
        bench.wait_until(lambda: counts[-1].data == -1, 'the message of close')
        assert node.output() == 'closed\n'


def test_a_second_signal_does_not_break_into_close(bench, script, tmp_path):
    may_close = tmp_path / 'may_close'
    slow = f"""
def close(self):
    import pathlib, time
    print('closing')
    while not pathlib.Path({str(may_close)!r}).exists():
        time.sleep(0.01)
    print('closed')
"""
    counts = bench.collect(Int32, 'count', qos.STATE)
    with bench.start(script(COUNTER + slow), *SETTINGS) as node:
        bench.wait_until(lambda: counts, 'the first count')
        node.send(signal.SIGINT)
        bench.wait_until(lambda: 'closing' in node.output(), 'close')
        node.send(signal.SIGINT)
        node.send(signal.SIGTERM)
        may_close.touch()
        assert node.wait() == 0
        assert node.output() == 'closing\nclosed\n'


def test_a_signal_interrupts_a_slow_start(bench, script):
    body = """
    def __init__(self):
        super().__init__('probe')
        print('starting')
        import threading
        threading.Event().wait()
    """
    with bench.start(script(body)) as node:
        bench.wait_until(lambda: 'starting' in node.output(), 'the start')
        assert node.stop(signal.SIGTERM) == 0


def test_an_exception_in_a_callback_is_logged_and_the_node_goes_on(bench, script):
    body = COUNTER + "    if self.message.data == 3: raise RuntimeError('three')\n"
    counts = bench.collect(Int32, 'count', qos.STATE)
    with bench.start(script(body), *SETTINGS) as node:
        bench.wait_until(lambda: counts and counts[-1].data > 5, 'counts after the exception')
        assert node.stop() == 0
        assert 'Exception in a callback; going on.' in node.output()
        assert 'RuntimeError: three' in node.output()


def test_a_node_that_has_finished_closes_and_ends(bench, script):
    body = COUNTER + '    self.is_finished = self.publisher.get_subscription_count() > 0\n' + CLOSING
    counts = bench.collect(Int32, 'count', qos.STATE)
    with bench.start(script(body), *SETTINGS) as node:
        bench.wait_until(lambda: counts and counts[-1].data == -1, 'the message of close')
        assert node.wait() == 0
        assert node.output() == 'closed\n'


def test_a_node_whose_every_step_fails_ends_with_a_traceback(bench, script):
    body = COUNTER + "    raise RuntimeError('always')\n" + CLOSING
    with bench.start(script(body), *SETTINGS) as node:
        assert node.wait() == 1
        assert 'Traceback' in node.output()
        assert 'RuntimeError: always' in node.output()
        assert 'closed' in node.output()


def test_wrong_user_input_is_one_sentence(bench, script):
    body = """
    def __init__(self):
        super().__init__('probe')
        raise ValueError('the file is missing; look for it')
    """
    with bench.start(script(body)) as node:
        assert node.wait() == 2
        assert node.output() == 'probe: the file is missing; look for it\n'


def test_a_wrong_parameter_is_one_sentence(bench, script):
    with bench.start(script(COUNTER), *SETTINGS, '-p', 'rat:=3.0') as node:
        assert node.wait() == 2
        assert node.output().startswith("probe: /robot/probe: no such parameter: 'rat' (did you mean 'rate'")
        assert node.output().count('\n') == 1


def test_a_parameter_file_that_is_not_there_is_one_sentence(bench, script, tmp_path):
    with bench.start(script(COUNTER), '--params-file', str(tmp_path / 'none.yaml')) as node:
        assert node.wait() == 2
        assert 'none.yaml' in node.output()
        assert 'Traceback' not in node.output()


def test_a_file_keyed_to_another_node_is_noticed(bench, script, tmp_path):
    file = tmp_path / 'settings.yaml'
    file.write_text('/**/prob:\n  ros__parameters: {settings_id: test, rate: 20.0}\n')
    with bench.start(script(COUNTER), '--params-file', str(file)) as node:
        assert node.wait() == 2
        assert "'settings_id' is not set" in node.output()


def test_anything_else_at_start_is_a_traceback(bench, script):
    body = """
    def __init__(self):
        super().__init__('probe')
        raise RuntimeError('broken')
    """
    with bench.start(script(body)) as node:
        assert node.wait() == 1
        assert 'RuntimeError: broken' in node.output()
        assert 'Traceback' in node.output()


def test_a_shutdown_from_outside_ends_it(bench, script):
    body = COUNTER + '    import rclpy; rclpy.shutdown()\n'
    with bench.start(script(body + CLOSING), *SETTINGS) as node:
        assert node.wait() == 0
        assert node.output() == 'closed\n'


def test_a_timer_follows_simulated_time(bench, script):
    counts = bench.collect(Int32, 'count', qos.STATE)
    clock = bench.node.create_publisher(Clock, '/clock', qos.STATE.offered)
    with bench.start(script(COUNTER), *SETTINGS, '-p', 'use_sim_time:=true', '-p', 'rate:=10.0') as node:
        bench.wait_until(
            lambda: clock.get_subscription_count() and bench.node.count_publishers('count'), 'it'
        )
        now = 100.0

        def tick():
            nonlocal now
            now += 0.05
            clock.publish(Clock(clock=convert.to_stamp(now)))
            return len(counts) >= 20

        bench.wait_until(tick, '20 counts')
        assert now - 100.0 >= 20 * 0.1 - 0.1
        assert node.stop() == 0


def test_it_runs_where_rclpy_has_no_events_executor(bench, script, tmp_path):
    """As on Jazzy before rclpy 7.1.5."""
    command = script(COUNTER + "    if self.message.data == 3: raise RuntimeError('three')\n" + CLOSING)
    old = tmp_path / 'old'
    old.write_text(
        "import runpy, sys; sys.modules['rclpy.experimental'] = None; runpy.run_path(sys.argv[1])\n"
    )
    counts = bench.collect(Int32, 'count', qos.STATE)
    with bench.start([command[0], str(old), command[1]], *SETTINGS) as node:
        bench.wait_until(lambda: counts and counts[-1].data > 5, 'counts after the exception')
        assert node.stop() == 0
        assert 'RuntimeError: three' in node.output()
        assert node.output().endswith('closed\n')


def test_a_lifecycle_node_changes_state_and_closes(bench, script):
    body = """
    def __init__(self):
        super().__init__('probe')
        params.declare(self, [])
        self.diagnostics = diagnostics.Diagnostics(self)

    def on_configure(self, state):
        print('configured')
        return TransitionCallbackReturn.SUCCESS

    def close(self):
        print('closed')
    """
    with bench.start(script(body, 'LifecycleNode'), *SETTINGS) as node:
        request = ChangeState.Request(transition=Transition(id=Transition.TRANSITION_CONFIGURE))
        assert bench.call(ChangeState, 'probe/change_state', request).success
        assert node.stop(signal.SIGTERM) == 0
        assert node.output() == 'configured\nclosed\n'
