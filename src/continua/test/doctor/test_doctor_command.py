"""The command: table or JSON, and the exit status."""

import json
from importlib.metadata import EntryPoint

import pytest
from typer.testing import CliRunner

from continua.cli import doctor as command
from continua.cli.main import app
from continua.doctor.finding import Check, fail, ok, warn

GOOD = Check('good', lambda: ok('all there'))
DOUBTFUL = Check('doubtful', lambda: warn('not quite', 'look at it'))
BAD = Check('bad', lambda: fail('not there', 'install it'))


def _run(monkeypatch, checks, *arguments):
    monkeypatch.setattr(command, 'all_checks', lambda: checks)
    return CliRunner().invoke(app, ['doctor', *arguments])


def test_json_has_one_row_a_check(monkeypatch):
    result = _run(monkeypatch, [GOOD, BAD], '--json')
    assert json.loads(result.stdout) == [
        {'check': 'good', 'status': 'ok', 'found': 'all there', 'remedy': ''},
        {'check': 'bad', 'status': 'fail', 'found': 'not there', 'remedy': 'install it'},
    ]


@pytest.mark.parametrize(('checks', 'code'), [([GOOD, DOUBTFUL], 0), ([GOOD, BAD], 1)])
def test_only_a_failed_check_makes_the_exit_status(monkeypatch, checks, code):
    assert _run(monkeypatch, checks).exit_code == code


def test_the_table_tells_everything(monkeypatch):
    output = _run(monkeypatch, [DOUBTFUL]).stdout
    assert all(word in output for word in ('doubtful', 'warn', 'not quite', 'look at it'))


def test_without_the_ros_packages_the_doctor_says_how_to_build_them(monkeypatch, tmp_path):
    monkeypatch.setattr(command, 'entry_points', lambda group: [])
    monkeypatch.setattr(command, 'checkout', lambda: tmp_path)
    finding = {check.name: check for check in command.all_checks()}['ROS 2'].look()
    assert finding.status == 'fail'
    assert 'make setup' in finding.remedy


def test_the_library_alone_needs_no_ros(monkeypatch):
    monkeypatch.setattr(command, 'entry_points', lambda group: [])
    monkeypatch.setattr(command, 'checkout', lambda: None)
    assert {check.name: check for check in command.all_checks()}['ROS 2'].look().status == 'warn'


def test_checks_of_other_packages_are_asked(monkeypatch):
    entry = EntryPoint('more', f'{__name__}:GOOD_ONES', 'continua.checks')
    monkeypatch.setattr(EntryPoint, 'load', lambda self: (GOOD,))
    monkeypatch.setattr(command, 'entry_points', lambda group: [entry] if group == 'continua.checks' else [])
    assert 'good' in [check.name for check in command.all_checks()]
