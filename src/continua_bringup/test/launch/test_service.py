"""Real processes: output, ends, respawn, stopping. Patience is short here; its use is what is tested."""

import io
import os
import signal
from pathlib import Path

import pytest

from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.service import LaunchService

PATIENCE = 60.0


@pytest.fixture
def service_of(files, recorder):
    """Makes services whose output is kept in their `text`, and stops those that still run at the end."""
    services = []

    def make(body: str, **settings) -> LaunchService:
        text = io.StringIO()
        service = LaunchService(
            files.expand(body),
            on_exit=recorder.on_exit,
            on_output=recorder.on_output,
            screen=text,
            **settings,
        )
        service.text = text
        services.append(service)
        return service

    yield make
    for service in services:
        if any(status.pid for status in service.statuses()):
            service.stop()


def node(executable: str, attributes: str = '') -> str:
    return f'<node pkg="launch_probe" exec="{executable}" {attributes}/>'


def run(service: LaunchService) -> int:
    service.start()
    assert service.wait(PATIENCE)
    return service.exit_code


def test_processes_get_arguments_and_environment(service_of, recorder):
    service = service_of('<set_env name="PROBE" value="p"/>' + node('show', 'args="a \'b c\'" name="n"'))
    assert run(service) == 0
    assert recorder.line('show-1', 'ARGS') == 'ARGS ["a", "b c", "--ros-args", "-r", "__node:=n"]'
    assert recorder.line('show-1', 'PROBE') == 'PROBE p'
    assert ('show-1', 'stderr', 'to stderr') in recorder.lines


@pytest.mark.parametrize(
    ('output', 'on_screen', 'in_log'),
    [
        ('screen', {'out', 'err'}, set()),
        ('log', {'err'}, {'out', 'err'}),
        ('both', {'out', 'err'}, {'out', 'err'}),
    ],
)
def test_output_goes_where_the_attribute_says(service_of, output, on_screen, in_log):
    service = service_of(node('show', f'output="{output}"'))
    run(service)

    def streams(text: str) -> set[str]:
        return {
            name
            for name, line in (('out', '[show-1] PROBE None'), ('err', '[show-1] to stderr'))
            if line in text
        }

    assert streams(service.text.getvalue()) == on_screen
    assert streams((service.log_folder / 'launch.log').read_text()) == in_log


def test_logs_lie_in_a_folder_per_run_with_a_link_to_the_latest(service_of):
    services = [service_of(node('show')) for _ in range(2)]
    folders = [service.log_folder for service in services]
    assert folders[0] != folders[1]
    assert folders[0].parent == Path(os.environ['ROS_LOG_DIR'])
    assert (folders[1].parent / 'latest').resolve() == folders[1]


@pytest.mark.parametrize(
    ('ros_log_dir', 'ros_home', 'expected'),
    [('', '{}/h', '{}/h/log'), ('', '', '{}/.ros/log'), ('{}/l', '{}/h', '{}/l')],
)
def test_log_folder_is_that_of_ros(service_of, monkeypatch, tmp_path, ros_log_dir, ros_home, expected):
    monkeypatch.setenv('ROS_LOG_DIR', ros_log_dir.format(tmp_path))
    monkeypatch.setenv('ROS_HOME', ros_home.format(tmp_path))
    monkeypatch.setenv('HOME', str(tmp_path))
    assert str(service_of(node('show')).log_folder.parent) == expected.format(tmp_path)


def test_unwritable_log_folder_is_an_error(service_of, monkeypatch, tmp_path):
    (tmp_path / 'file').touch()
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path / 'file'))
    with pytest.raises(LaunchError, match='set ROS_LOG_DIR'):
        service_of(node('show'))


def test_a_death_is_reported_and_the_others_go_on(service_of, recorder):
    service = service_of(node('fail') + node('wait', 'name="waiter"'))
    service.start()
    recorder.line('wait-2', 'ready')
    [death] = recorder.ends(1)
    assert (death.label, death.exit_code, death.died, death.pid) == ('fail-1', 3, True, None)
    assert service.status('waiter').pid is not None
    service.stop()
    assert service.exit_code == 1
    assert '[ERROR] [fail-1]: process has died, exit code 3' in service.text.getvalue()
    assert '[ERROR] [launch]: ended by themselves: fail-1 (exit code 3)' in service.text.getvalue()


def test_a_killed_process_names_its_signal(service_of, recorder):
    service = service_of(node('wait'))
    service.start()
    recorder.line('wait-1', 'ready')
    os.kill(service.status('wait').pid, signal.SIGKILL)
    assert service.wait(PATIENCE)
    assert (service.exit_code, service.status('wait').exit_code) == (1, -9)
    assert 'killed by SIGKILL' in service.text.getvalue()


def test_stop_interrupts_every_process(service_of, recorder):
    service = service_of(node('wait') + node('wait'), sigterm_after=PATIENCE)
    with service:
        for label in ('wait-1', 'wait-2'):
            recorder.line(label, 'ready')
    for label in ('wait-1', 'wait-2'):
        assert recorder.line(label, 'interrupted')
    assert [status.pid for status in service.statuses()] == [None, None]
    assert service.exit_code == 0
    assert 'still runs' not in service.text.getvalue()


def test_a_process_deaf_to_its_interrupt_is_terminated(service_of, recorder):
    service = service_of(node('deaf_to_sigint'), sigterm_after=0.2, sigkill_after=PATIENCE)
    with service:
        recorder.line('deaf_to_sigint-1', 'ready')
    assert recorder.line('deaf_to_sigint-1', 'interrupts') == 'interrupts 1'
    assert service.exit_code == 0
    assert 'still runs 0.2 s after SIGINT: sending SIGTERM' in service.text.getvalue()


def test_a_stubborn_process_is_killed(service_of, recorder):
    service = service_of(node('stubborn'), sigterm_after=0.1, sigkill_after=0.1)
    with service:
        recorder.line('stubborn-1', 'ready')
    assert service.status('stubborn').exit_code == -signal.SIGKILL
    assert service.exit_code == 0


def test_helpers_of_a_process_do_not_outlive_the_launch(service_of, recorder):
    with service_of(node('parent')):
        helper = int(recorder.line('parent-1', 'helper').split()[1])
        assert Path(f'/proc/{helper}').exists()
    assert (
        not Path(f'/proc/{helper}').exists() or 'Z' in Path(f'/proc/{helper}/stat').read_text().split(')')[1]
    )


def test_respawn(service_of, recorder):
    service = service_of(node('fail', 'respawn="true" respawn_delay="0.01"'))
    with service:
        assert [status.starts for status in recorder.ends(3)][:3] == [1, 2, 3]
    assert service.exit_code == 1


@pytest.mark.parametrize(('executable', 'exit_code'), [('show', 0), ('fail', 1)])
def test_the_end_of_a_required_process_stops_the_others(service_of, recorder, executable, exit_code):
    service = service_of(node('wait') + node(executable, 'on_exit="shutdown" respawn="true"'))
    assert run(service) == exit_code
    assert service.status(executable).starts == 1
    assert f'{executable}-2 has ended: stopping all processes' in service.text.getvalue()


def test_no_respawn_while_stopping(service_of, recorder):
    with service_of(node('wait', 'respawn="true"')) as service:
        recorder.line('wait-1', 'ready')
    assert service.status('wait').starts == 1


def test_a_pending_respawn_does_not_delay_stopping(service_of, recorder):
    with service_of(node('fail', 'respawn="true" respawn_delay="1e6"')) as service:
        recorder.ends(1)
    assert service.status('fail').starts == 1


def test_a_process_that_cannot_start_stops_the_launch(service_of, files, recorder):
    path = Path(files.folder, 'prefix/lib/launch_probe/broken')
    path.write_text('#!/no/such/interpreter\n')
    path.chmod(0o755)
    service = service_of(node('wait') + '\n' + node('broken'))
    with pytest.raises(LaunchError, match=r'test\.launch\.xml:3: broken-2 cannot be started'):
        service.start()
    assert [status.pid for status in service.statuses()] == [None, None]


def test_an_error_in_a_callback_ends_everything_and_is_raised(files, recorder):
    def fail(status):
        raise RuntimeError('callback')

    service = LaunchService(files.expand(node('fail') + node('wait')), on_exit=fail, screen=io.StringIO())
    with pytest.raises(RuntimeError, match='callback'), service:
        service.wait(PATIENCE)
    assert [status.pid for status in service.statuses()] == [None, None]


def test_long_and_unfinished_lines_come_through(service_of, files, recorder):
    path = Path(files.folder, 'prefix/lib/launch_probe/show')
    shebang = path.read_text().splitlines()[0]
    path.write_text(f"{shebang}\nimport sys\nsys.stdout.buffer.write(b'x' * 200000 + b'\\r\\n\\xff end')\n")
    run(service_of(node('show')))
    lines = [line for _, stream, line in recorder.lines if stream == 'stdout']
    assert ''.join(lines) == 'x' * 200000 + '\ufffd end'
    assert lines[-1] == '\ufffd end'


def test_nothing_to_run_ends_at_once(files):
    service = LaunchService(files.expand('<let name="a" value="b"/>'), screen=io.StringIO())
    service.start()
    assert service.wait(PATIENCE) and service.exit_code == 0


def test_status_is_found_by_label_node_name_or_executable(service_of):
    service = service_of(node('wait', 'name="a" namespace="ns"') + node('wait', 'name="b"'))
    for name in ('wait-1', 'a', '/ns/a'):
        assert service.status(name).label == 'wait-1'
    assert service.status('wait-1').node == '/ns/a'
    with pytest.raises(KeyError, match="2 processes are called 'wait'"):
        service.status('wait')
    with pytest.raises(KeyError, match="0 processes are called 'wiat-1' .*did you mean"):
        service.status('wiat-1')
