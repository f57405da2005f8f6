"""`continua train`: a small network from a robot's name, and on with it."""

import json

import pytest
from typer.testing import CliRunner

pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

_SMALL = [
    'student',
    'pneumatic_arm',
    '--nodes',
    '2',
    '--motions',
    '1',
    '--hidden',
    '8',
    '--epochs',
    '3',
    '--json',
    '--out',
]


@pytest.fixture
def train(tmp_path):
    from continua.cli.train import train

    return lambda *options: CliRunner().invoke(train, [*_SMALL, str(tmp_path), *options])


def test_a_student_is_trained_and_resumed(train, tmp_path):
    first = train()
    assert first.exit_code == 0, first.output
    card = json.loads(first.stdout)
    assert card['epochs'] == 3 and card['settings']['hidden'] == [8]
    assert (tmp_path / 'student.safetensors').is_file()
    assert json.loads(train('--resume').stdout)['validation'] == card['validation']


def test_a_run_is_not_written_over(train):
    train()
    assert 'holds a run already' in str(train().exception)
