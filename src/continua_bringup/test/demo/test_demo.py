"""`continua demo` as a user runs it: to its end, interrupted, and with a node that is killed."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from continua.io.bag_reader import bag_information, is_finished
from continua.io.summary import summarise
from continua_bringup.demo.experiment import new_run_folder
from continua_node import testing

PATIENCE = 240.0  # for what must happen on a busy machine that compiles kernels first


@pytest.fixture
def environment(tmp_path):
    """A ROS domain of its own, and logs where they go away."""
    with testing.Bench() as bench:
        domain = str(bench.node.context.get_domain_id())
        yield os.environ | {'ROS_DOMAIN_ID': domain, 'ROS_LOG_DIR': str(tmp_path / 'logs')}


class Demo:
    """The command in a process; leaving the context ends it."""

    def __init__(self, runs, environment, *options):
        self.runs = runs
        command = [shutil.which('continua'), 'demo', '--headless', '--out', str(runs), *options]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def finish(self):
        """(exit status, standard output, standard error)."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err

    def wait_until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end
            time.sleep(0.05)

    @property
    def folder(self):
        (folder,) = self.runs.iterdir()
        return folder

    def has_begun(self):
        return self.runs.exists() and any(self.runs.glob('*/nodes.log'))

    def is_moving(self, estimates=150):
        """Whether so many estimates are on the disk."""
        if not any(self.runs.glob('*/bag/metadata.yaml')):
            return False
        topics = bag_information(self.folder / 'bag')['topics_with_message_count']
        counts = {entry['topic_metadata']['name']: entry['message_count'] for entry in topics}
        return counts.get('/tendon_arm/estimate/shape', 0) >= estimates

    def shows_errors(self):
        """Whether what is on the disk compares estimates with the truth."""
        estimates = summarise(self.folder / 'bag').estimates if self.is_moving() else {}
        return any(estimate.tip_error_mm for estimate in estimates.values())

    def pid(self, node):
        """Of a node's process, from what the launch service says; 0 before it says it."""
        found = re.search(rf'\[{node}-\d+\]: process started with pid \[(\d+)\]', self.log())
        return int(found[1]) if found else 0

    def log(self):
        return (self.folder / 'nodes.log').read_text()

    def processes_left(self):
        """Nodes of this demo that still run."""
        pids = map(int, re.findall(r'process started with pid \[(\d+)\]', self.log()))
        return [pid for pid in pids if os.path.exists(f'/proc/{pid}')]


def test_the_whole_demo(tmp_path, environment):
    with Demo(tmp_path / 'runs', environment, '--duration', '4', '--json') as demo:
        status, out, err = demo.finish()
    assert status == 0, err
    assert re.search(r'console: http://127\.0\.0\.1:\d+', err)
    folder = demo.folder
    content = json.loads(out)
    assert content == json.loads((folder / 'summary.json').read_text())
    assert content['problems'] == []
    assert content['robot'] == 'tendon_arm'
    error = content['estimates']['estimate']
    assert error['tip_error_mm']['count'] > 0
    assert error['marker_error_mm']['m2']['role'] == 'held_out'
    assert error['marker_error_mm']['m2']['against_truth_mm']['count'] > 0
    assert content['topics']['/tendon_arm/estimate/shape']['latency_ms']['median'] > 0.0
    assert content['dropped_messages'] == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        'bag',
        'nodes.log',
        'report.html',
        'summary.json',
    ]
    assert {path.name for path in (folder / 'bag').iterdir()} == {
        'bag_0.mcap',
        'metadata.yaml',
        'parameters.yaml',
        'robot.yaml',
    }
    assert is_finished(folder / 'bag')
    assert demo.processes_left() == []


def test_an_interrupt_while_it_moves_keeps_what_was_seen(tmp_path, environment):
    with Demo(tmp_path / 'runs', environment, '--duration', '600') as demo:
        demo.wait_until(demo.is_moving)
        demo.process.send_signal(signal.SIGINT)
        status, out, err = demo.finish()
    assert status == 130
    assert 'estimation error' in out
    assert 'ended by itself' not in err
    assert is_finished(demo.folder / 'bag')
    assert summarise(demo.folder / 'bag').topics['/tendon_arm/estimate/shape'].count >= 150
    assert (demo.folder / 'report.html').exists()
    assert demo.processes_left() == []


def test_an_interrupt_at_the_start_leaves_no_process(tmp_path, environment):
    with Demo(tmp_path / 'runs', environment) as demo:
        demo.wait_until(demo.has_begun)
        demo.process.send_signal(signal.SIGTERM)
        status, _, err = demo.finish()
    assert status == 130
    assert 'Traceback' not in err
    assert demo.processes_left() == []


@pytest.mark.parametrize('node', ['shape_estimator', 'recorder'])
def test_a_killed_node_ends_it_with_a_sentence_and_a_readable_bag(tmp_path, environment, node):
    with Demo(tmp_path / 'runs', environment, '--duration', '600') as demo:
        demo.wait_until(demo.shows_errors)
        os.kill(demo.pid(node), signal.SIGKILL)
        status, out, err = demo.finish()
    assert status == 1
    assert f'/tendon_arm/{node} ended by itself, killed by SIGKILL' in err
    assert 'tip, estimate - truth' in out
    summary = summarise(demo.folder / 'bag')
    assert summary.estimates['estimate'].tip_error_mm.count > 0
    assert any('recorder was killed' in problem for problem in summary.problems) is (node == 'recorder')
    assert demo.processes_left() == []


def test_run_folders_never_meet(tmp_path):
    folders = {new_run_folder(tmp_path / 'runs') for _ in range(3)}
    assert len(folders) == 3
    assert all(re.fullmatch(r'\d{8}-\d{6}(-[23])?', folder.name) for folder in folders)
