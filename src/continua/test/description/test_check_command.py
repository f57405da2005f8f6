"""`continua check` on good and bad files."""

import json

import pytest
from typer.testing import CliRunner

from continua.cli.main import app


@pytest.fixture
def folder(tmp_path, robot):
    (tmp_path / 'good.yaml').write_text(robot.to_yaml())
    (tmp_path / 'bad.yaml').write_text(robot.to_yaml().replace('friction: 0.1\n', 'frictoin: 0.1\n'))
    return tmp_path


def _check(*arguments):
    return CliRunner().invoke(app, ['check', *map(str, arguments)])


def test_good_file(folder):
    result = _check(folder / 'good.yaml')
    assert result.exit_code == 0
    assert result.stdout.split()[-5:] == ['12', '4', '1', '2', '0']


def test_bad_file_in_a_folder(folder):
    result = _check(folder)
    assert result.exit_code == 1
    assert "tendons[0].frictoin: unknown key; did you mean 'friction'?" in result.stderr


def test_json(folder, robot):
    result = _check('--json', folder)
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report['ok'] is False
    bad, good = report['files']
    assert good['ok'] is True
    assert good['robot']['hash'] == robot.hash
    assert good['robot']['tendons'] == ['straight', 'screw', 'wavy', 'outside']
    assert good['problems'] == []
    assert bad['robot'] is None
    (problem,) = bad['problems']
    assert problem['key'] == 'tendons[0].frictoin'
    assert problem['file'].endswith('bad.yaml')
    assert problem['line'] > 1


def test_missing_file_and_empty_folder(tmp_path):
    assert _check(tmp_path / 'none.yaml').exit_code == 1
    result = _check(tmp_path)
    assert result.exit_code == 1
    assert 'this is not a file' in result.stderr


def test_no_file_is_a_usage_error():
    assert _check().exit_code == 2
