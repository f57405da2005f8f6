"""`continua launch` as a process: options, exit codes, signals, and nothing left behind by kill -9."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

PATIENCE = 60.0
COMMAND = 'import typer; from continua_bringup.launch.cli import launch; typer.run(launch)'
IMPATIENT = """
import sys
from continua_bringup.launch.expansion import expand
from continua_bringup.launch.service import LaunchService
patience = {'sigterm_after': 0.2, 'sigkill_after': float(sys.argv[2])}
sys.exit(LaunchService(expand(sys.argv[1], {}), **patience).run())
"""
BODY = """<arg name="mode" default="a" description="Which mode."><choice value="a"/><choice value="b"/></arg>
<node pkg="launch_probe" exec="wait" name="first"/>
<node pkg="launch_probe" exec="wait" name="second" output="screen"/>"""


def call(*words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, '-c', COMMAND, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


@contextlib.contextmanager
def running(code: str, *words: str):
    """A runner in a session of its own; yields it and the pids of its processes once both are ready."""
    command = [sys.executable, '-c', code, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as runner:
        pids = []
        ready = 0
        while ready < 2:
            line = runner.stdout.readline()
            assert line, 'the runner ended early'
            if 'started with pid' in line:
                pids.append(int(line.rsplit('[', 1)[1].rstrip(']\n')))
            ready += '] ready' in line
        try:
            yield runner, pids
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(runner.pid, signal.SIGKILL)


def node(executable: str) -> str:
    return f'<node pkg="launch_probe" exec="{executable}" output="screen"/>'


def both(executable: str) -> str:
    return 2 * node(executable)


def test_the_command_is_registered():
    [entry] = [entry for entry in entry_points(group='continua.commands') if entry.name == 'launch']
    assert entry.load().__name__ == 'launch'


def test_print_processes_starts_nothing(files):
    result = call(files.write(BODY), 'mode:=b', '--print-processes')
    shown = json.loads(result.stdout)
    assert result.returncode == 0
    assert shown['arguments'] == {'mode': 'b'}
    assert [process['name'] for process in shown['processes']] == ['first', 'second']
    assert not os.path.exists(os.environ['ROS_LOG_DIR'])


def test_show_args(files):
    result = call(files.write(BODY), '--show-args')
    assert result.returncode == 0
    assert "mode (default: 'a')\n      Which mode.\n      choices: a, b\n" in result.stdout


@pytest.mark.parametrize(
    ('body', 'words', 'message'),
    [
        (BODY, ['moode:=a'], "no argument 'moode' (did you mean 'mode'?)"),
        (BODY, ['mode=a'], "expected NAME:=VALUE, got 'mode=a'"),
        (
            BODY + '<node pkg="launch_probe" exec="gone"/>',
            [],
            "test.launch.xml:4: package 'launch_probe' has no",
        ),
        (BODY + '<node pkg="gone" exec="x"/>', [], "package 'gone' is not installed"),
    ],
)
def test_an_error_is_one_sentence_and_nothing_starts(files, body, words, message):
    result = call(files.write(body), *words)
    assert result.returncode == 2
    assert message in result.stderr and result.stderr.count('\n') == 1
    assert result.stdout == ''


@pytest.mark.parametrize(('executable', 'code'), [('show', 0), ('fail', 1)])
def test_exit_code_tells_of_deaths(files, executable, code):
    assert call(files.write(f'<node pkg="launch_probe" exec="{executable}"/>')).returncode == code


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_to_the_runner_ends_everything(files, number):
    with running(COMMAND, files.write(both('wait'))) as (runner, pids):
        os.kill(runner.pid, number)
        output, _ = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 0
    assert output.count('] interrupted') == 2
    assert f'received {number.name}: stopping all processes' in output
    assert not any(os.path.exists(f'/proc/{pid}') for pid in pids)


def test_a_signal_to_the_whole_group_reaches_each_process_once(files):
    with running(IMPATIENT, files.write(both('deaf_to_sigint')), str(PATIENCE)) as (runner, _):
        os.killpg(runner.pid, signal.SIGINT)
        output, _ = runner.communicate(timeout=PATIENCE)
    assert output.count('] interrupts 1\n') == 2


def test_kill_9_of_the_runner_leaves_no_process(files):
    with running(IMPATIENT, files.write(node('stubborn') + node('wait')), '0.2') as (runner, pids):
        ends = [os.pidfd_open(pid) for pid in pids]
        os.kill(runner.pid, signal.SIGKILL)
        for end in ends:
            assert select.select([end], [], [], PATIENCE)[0], 'a process outlived its runner'
            os.close(end)


def test_a_closed_output_stops_everything(files):
    noisy = '<node pkg="launch_probe" exec="fail" respawn="true"/>'
    with running(COMMAND, files.write(both('wait') + noisy)) as (runner, pids):
        runner.stdout.close()
        assert runner.wait(PATIENCE) == 1
    assert not any(os.path.exists(f'/proc/{pid}') for pid in pids)
