"""`continua repro`: the table, the refusals, and what a run prints and writes."""

import json

from typer.testing import CliRunner

from continua.cli.repro import repro


def run(*arguments):
    return CliRunner().invoke(repro, [str(argument) for argument in arguments])


def test_list_names_every_study_with_its_paper():
    rows = json.loads(run('list', '--json').stdout)
    assert {'pod-single-static', 'pod-legged-platform', 'pod-speedup-table'} <= {row['id'] for row in rows}
    assert all(row['source'] and row['paper'] and row['goal'] for row in rows)
    assert 'pod-hyperredundant' in run('list').stdout


def test_an_unknown_id_is_refused_with_near_ones(tmp_path):
    result = run('run', 'pod-single-statics', '--out', tmp_path)
    assert isinstance(result.exception, ValueError)
    assert "did you mean 'pod-single-static'" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_run_prints_its_numbers_and_writes_the_same(tmp_path):
    result = run('run', 'pod-single-static', '--quick', '--json', '--out', tmp_path)
    assert result.exit_code == 0, result.output
    written = json.loads((tmp_path / 'pod-single-static.json').read_text())
    assert json.loads(result.stdout) == written
    assert set(written['figures']) == {path.name for path in tmp_path.glob('*.png')}


def test_without_a_checkout_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr('continua.repro.robots.checkout', lambda: None)
    result = run('run', 'pod-single-static', '--quick', '--out', tmp_path)
    assert isinstance(result.exception, ValueError)
    assert 'expected a checkout' in str(result.exception)
