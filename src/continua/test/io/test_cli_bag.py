"""`continua bag` as a user types it."""

import json

import pytest
from typer.testing import CliRunner

from continua.cli import main
from continua.cli.bag import bag
from continua.io.bag_reader import is_finished


def run(*arguments):
    result = CliRunner().invoke(bag, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_info_as_table_and_as_json(tmp_path, write_run):
    folder = write_run(tmp_path / 'bag', custom_data={'software': 'git abc'})
    text = run('info', folder)
    assert '4.0 s, finished' in text
    assert 'software: git abc' in text
    assert '/arm/estimate/shape' in text
    content = json.loads(run('info', folder, '--json'))
    assert content['finished'] is True
    assert content['topics']['/arm/tendon/state'] == {'type': 'continua_msgs/msg/TendonState', 'count': 400}
    assert content['custom_data']['robot'] == 'arm'


def test_summary_prints_and_writes(tmp_path, write_run):
    folder = write_run(tmp_path / 'bag')
    row = next(line for line in run('summary', folder).splitlines() if line.startswith('tip, estimate'))
    assert row.split()[-4:] == ['5.00'] * 4
    content = json.loads(run('summary', folder, '--json', '--out', tmp_path))
    assert content['estimates']['estimate']['tip_error_mm']['count'] == 150
    assert (tmp_path / 'summary.json').exists()
    assert (tmp_path / 'report.html').exists()


def test_summary_says_what_is_missing(tmp_path, write_run):
    folder = write_run(tmp_path / 'bag', leave_out=['/arm/estimate/shape'])
    assert 'note: no estimate was recorded; did the estimator run?' in run('summary', folder)


def test_repair(tmp_path, write_run):
    folder = write_run(tmp_path / 'bag', finish=False)
    assert 'not finished' in run('info', folder)
    assert run('repair', folder).endswith(': 1201 messages\n')
    assert is_finished(folder)
    assert 'not finished' not in run('info', folder)


def test_wrong_input_is_one_sentence_and_status_2(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr('sys.argv', ['continua', 'bag', 'info', str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        main.main()
    assert stop.value.code == 2
    assert capsys.readouterr().err == (
        f'continua: {tmp_path} is not a bag: expected a folder with a metadata.yaml\n'
    )
