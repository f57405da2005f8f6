"""The commands that people type: make targets, env.sh, continuous integration."""

import os
import shutil
import subprocess

import pytest


def test_make_lists_its_targets(root):
    output = subprocess.run(['make'], cwd=root, capture_output=True, text=True, check=True).stdout
    for target in ('help', 'setup', 'demo', 'test', 'lint', 'bench', 'clean'):
        assert f'make {target} ' in output


@pytest.mark.parametrize(('headless', 'expected'), [('1', True), ('0', False), ('', False)])
def test_headless_demo(root, headless, expected):
    command = ['make', '--dry-run', 'demo', f'HEADLESS={headless}']
    output = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert 'continua demo' in output
    assert ('--headless' in output) == expected


def test_continuous_integration_runs_the_command_of_the_readme(root):
    run = root / '.ci' / 'run'
    assert run.stat().st_mode & 0o111
    assert run.read_text().splitlines()[-1] == 'exec make test'


@pytest.mark.parametrize('shell', [shell for shell in ('bash', 'zsh') if shutil.which(shell)])
def test_env_before_the_set_up_says_what_to_do(root, tmp_path, shell):
    shutil.copy(root / 'env.sh', tmp_path)
    command = [shell, '-c', 'source ./env.sh']
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 1
    assert 'make setup' in result.stderr


@pytest.mark.parametrize('shell', [shell for shell in ('bash', 'zsh') if shutil.which(shell)])
def test_env_makes_the_workspace_usable_and_may_be_sourced_twice(root, shell):
    source = 'source ./env.sh && source ./env.sh && python -c "import rclpy, continua_msgs.msg"'
    command = [shell, '-c', f'{source} && command -v continua && echo "$LD_LIBRARY_PATH"']
    empty = {'PATH': '/usr/local/bin:/usr/bin:/bin', 'HOME': str(root)}
    environment = os.environ if 'ROS_DISTRO' in os.environ else empty
    result = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    where, libraries = result.stdout.split()
    assert where.startswith(str(root / 'install'))
    assert len(libraries.split(':')) == len(set(libraries.split(':')))


def test_style(root):
    """`make lint` passes."""
    for arguments in (['check'], ['format', '--check']):
        result = subprocess.run(['ruff', *arguments, '.'], cwd=root, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout[-3000:]
