"""The set-up's own functions: what it takes as done, what it builds again, what it says on failure."""

import ast
import sys
from pathlib import Path

import pytest


@pytest.fixture
def tree(tmp_path):
    """A checkout with one Python package, one CMake package and the folders beside them."""
    files = {
        'src/a/package.xml': '<package/>',
        'src/a/setup.py': 'setup()',
        'src/a/a/node.py': 'pass',
        'src/b/package.xml': '<package/>',
        'src/b/CMakeLists.txt': 'project(b)',
        'src/b/b/console.py': 'pass',
        'src/b/msg/State.msg': 'float64 x',
        'src/b/test/test_b.py': 'pass',
        'hardware/firmware/core.cpp': 'int x;',
        'launch/run.launch.xml': '<launch/>',
        'config/robots/arm.yaml': 'version: 1',
        'requirements/ros_wheels.cmake': '# fix',
        'colcon.meta': '{}',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_set_up_needs_the_standard_library_only(root):
    folder = root / 'requirements' / 'workspace'
    own = {file.stem for file in folder.glob('*.py')}
    for file in folder.glob('*.py'):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in (name.partition('.')[0] for name in names):
                assert name in sys.stdlib_module_names or name in own, f'{file.name} imports {name}'


def test_digest_tells_parts_and_files_apart(workspace, tmp_path):
    digest = workspace.stamps.digest
    file = tmp_path / 'file'
    file.write_text('one')
    before = digest('a', file)
    assert before == digest('a', file)
    assert digest('ab', 'c') != digest('a', 'bc')
    file.write_text('two')
    assert digest('a', file) != before


def test_stamps_survive_and_are_cleared(workspace, tmp_path):
    stamps = workspace.stamps.Stamps(tmp_path / 'stamps.json')
    assert not stamps.has('build')
    stamps.set('build', 'key')
    stamps.set('packages', 'other')
    again = workspace.stamps.Stamps(tmp_path / 'stamps.json')
    assert again.is_current('build', 'key')
    assert not again.is_current('build', 'another key')
    again.clear('build')
    assert not stamps.has('build')
    assert stamps.has('packages')


def test_broken_stamps_mean_nothing_is_done(workspace, tmp_path):
    (tmp_path / 'stamps.json').write_text('{"build": "ke')
    assert not workspace.stamps.Stamps(tmp_path / 'stamps.json').has('build')


@pytest.mark.parametrize(
    'name',
    ['src/a/package.xml', 'src/a/setup.py', 'src/b/CMakeLists.txt', 'src/b/msg/State.msg',
     'hardware/firmware/core.cpp', 'requirements/ros_wheels.cmake', 'colcon.meta'],
)  # fmt: skip
def test_a_change_that_needs_a_build(workspace, tree, name):
    digest, build = workspace.stamps.digest, workspace.build
    before = digest(*build.build_inputs(tree))
    (tree / name).write_text('changed')
    assert digest(*build.build_inputs(tree)) != before


@pytest.mark.parametrize('name', ['src/b/b/new.py', 'launch/new.launch.xml', 'config/robots/new.yaml'])
def test_a_new_file_that_is_linked_needs_a_build(workspace, tree, name):
    digest, build = workspace.stamps.digest, workspace.build
    before = digest(*build.build_inputs(tree))
    (tree / name).write_text('new')
    assert digest(*build.build_inputs(tree)) != before


@pytest.mark.parametrize(
    'name',
    ['src/a/a/node.py', 'src/a/a/new.py', 'src/b/b/console.py', 'src/b/test/new.py', 'launch/run.launch.xml',
     'config/robots/arm.yaml'],
)  # fmt: skip
def test_a_change_that_needs_no_build(workspace, tree, name):
    digest, build = workspace.stamps.digest, workspace.build
    before = digest(*build.build_inputs(tree))
    (tree / name).write_text('changed')
    assert digest(*build.build_inputs(tree)) == before


def test_constraints_keep_the_numpy_of_an_installed_ros(workspace):
    text = "# versions\nnumpy==2.2.6 ; python_version < '3.11'\nnumpy==2.4.6\nscipy==1.17.1\nrich==14.3.4\n"
    result = workspace.packages.constraints_for_numpy(text, '1.26.4').splitlines()
    assert 'numpy==1.26.4' in result
    assert 'rich==14.3.4' in result
    assert [line for line in result if line.startswith(('numpy', 'scipy'))] == ['numpy==1.26.4']


def test_a_step_that_works_is_logged(workspace, tmp_path, capsys):
    log = tmp_path / 'log' / 'step.log'
    workspace.step.run_step('say something', [sys.executable, '-c', 'print("something")'], log)
    assert 'something\n' in log.read_text()
    assert 'say something: done' in capsys.readouterr().out


@pytest.mark.parametrize(
    ('message', 'advice'),
    [
        ('ERROR: Connection broken: IncompleteRead(1 bytes read)', 'run the same command again'),
        ('OSError: [Errno 28] No space left on device', 'free some disk space'),
        ('fatal error: Python.h: No such file or directory', 'python3-dev'),
        ('something else', 'read the log'),
    ],
)
def test_a_step_that_fails_says_why_and_what_to_do(workspace, tmp_path, message, advice):
    log = tmp_path / 'step.log'
    command = [sys.executable, '-c', f'import sys; print({message!r}); sys.exit(3)']
    with pytest.raises(workspace.step.StepFailed) as failure:
        workspace.step.run_step('try it', command, log)
    text = str(failure.value)
    assert all(part in text for part in ('try it', 'exit code 3', message, str(log), advice))


def test_a_machine_without_tools_is_told_what_to_install(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(workspace.step.StepFailed, match=r'gcc, g\+\+, cmake.*\n.*apt install'):
        workspace.machine.check_machine(tmp_path, None)


def test_a_checkout_with_a_space_in_its_path_is_refused(workspace, tmp_path):
    with pytest.raises(workspace.step.StepFailed, match='has a space'):
        workspace.machine.check_machine(tmp_path / 'my robots', None)


def test_a_sourced_ros_that_this_python_cannot_use_is_refused(workspace, monkeypatch):
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')
    monkeypatch.setattr(workspace.machine.sys, 'executable', '/bin/false')
    with pytest.raises(workspace.step.StepFailed, match='jazzy is sourced, but /bin/false cannot'):
        workspace.machine.find_ros()


def test_without_a_sourced_ros_the_wheels_are_used(workspace, monkeypatch):
    monkeypatch.delenv('ROS_DISTRO', raising=False)
    assert workspace.machine.find_ros() is None


def test_headers_and_pip_of_another_python_are_not_guessed(workspace, monkeypatch, tmp_path):
    monkeypatch.setattr(workspace.debian.sys, 'base_prefix', '/opt/python')
    with pytest.raises(workspace.step.StepFailed, match='sudo apt install python3-dev python3-venv'):
        workspace.debian.unpack(workspace.debian.HEADERS, tmp_path, Path(tmp_path, 'log'))
