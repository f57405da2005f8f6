"""Ctrl-C while the experiment runs, and a start that a wrong setting stops."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from continua.io.bag_reader import bag_information, is_finished
from continua.io.summary import summarise
from continua_bringup.launch.find import package_share
from continua_node.testing import Bench, executable
from continua_tests.experiment import LAUNCH_FILE, NAMESPACE

PATIENCE = 120.0


@pytest.fixture
def bench():
    with Bench(NAMESPACE) as bench:
        yield bench


def processes_in_domain(domain: int) -> list[str]:
    """Command lines of all processes that were started in a ROS domain."""
    found = []
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            environment = (folder / 'environ').read_bytes().split(b'\0')
            if f'ROS_DOMAIN_ID={domain}'.encode() in environment:
                found.append((folder / 'cmdline').read_bytes().replace(b'\0', b' ').decode())
        except OSError:  # gone meanwhile, or another user's
            continue
    return found


def recorded(bag: Path, topic: str) -> int:
    """Messages of a topic that the recorder has written so far."""
    try:
        topics = bag_information(bag)['topics_with_message_count']
    except ValueError:  # it has not begun
        return 0
    counts = {entry['topic_metadata']['name']: entry['message_count'] for entry in topics}
    return counts.get(topic, 0)


def test_ctrl_c_leaves_a_bag_and_no_process(bench, tmp_path):
    bag, topic = tmp_path / 'bag', f'{NAMESPACE}/estimate/shape'
    command = [shutil.which('continua'), 'launch', LAUNCH_FILE, 'robot:=emulated', 'console:=false']
    command += ['record:=true', f'bag_dir:={bag}']
    own = {'ROS_DOMAIN_ID': str(bench.domain), 'ROS_LOG_DIR': str(tmp_path / 'ros')}
    with (tmp_path / 'output').open('w') as output:
        # A process group of its own, to which the signal goes as from a terminal.
        launch = subprocess.Popen(
            command, env=os.environ | own, stdout=output, stderr=output, start_new_session=True
        )
        try:
            bench.wait_until(lambda: recorded(bag, topic) > 0, 'recorded estimates')
            assert processes_in_domain(bench.domain)
            os.killpg(launch.pid, signal.SIGINT)
            assert launch.wait(PATIENCE) == 0, (tmp_path / 'output').read_text()
        finally:
            if launch.poll() is None:
                launch.kill()
                launch.wait()
    assert processes_in_domain(bench.domain) == []
    assert is_finished(bag)
    assert summarise(bag).topics[topic].count > 0


def test_a_setting_that_nothing_declares_stops_the_start(bench, tmp_path):
    share = Path(package_share('continua_bringup'), 'config')
    settings = tmp_path / 'reference_player.yaml'
    original = (share / 'nodes' / 'reference_player.yaml').read_text()
    settings.write_text(original.replace('amplitude:', 'amplitud:'))
    arguments = ['--params-file', str(settings), '-p', f'robot_file:={share}/robots/tendon_arm.yaml']
    with bench.start(executable('continua_control', 'reference_player'), *arguments) as node:
        assert node.wait() == 2
        assert "no such parameter: 'amplitud' (did you mean 'amplitude'?)" in node.output()
