"""The C++ core on this computer, built with the address and undefined-behaviour sanitizers."""

import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[4] / 'hardware' / 'firmware'


def output_of(*command) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_core(firmware):
    assert output_of(firmware / 'core_test') == '0 failures\n'


def test_vectors_are_those_of_python(firmware):
    file = FIRMWARE / 'test_vectors' / 'frames.txt'
    assert output_of(firmware / 'vectors', file) == file.read_text()


@pytest.mark.parametrize('seed', ['1', '2', '3'])
def test_fuzz(firmware, seed):
    words = output_of(firmware / 'fuzz', '100000', seed).split()
    counts = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert counts['frames'] == 100_000
    # All three kinds of input must have got where they were aimed at, or the run proves nothing.
    assert min(counts['good'], counts['bad'], counts['answers'], counts['energised']) > 100


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (['link', 'S', '4'], 'usage'),
        (['link', 'S', '9', '500'], 'N_CHANNELS'),
        (['link', 'S', 'x', '500'], 'N_CHANNELS'),
        (['link', 'S', '4', '0'], 'STEP_RATE'),
        (['link', 'S' * 17, '4', '500'], 'SERIAL'),
        (['/no/such/folder/link', 'S', '4', '500'], 'cannot make the link'),
    ],
)
def test_host_program_refuses_wrong_arguments(firmware, tmp_path, arguments, expected):
    command = [firmware / 'tendon_board_host', *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert expected in done.stderr


def test_host_program_ends_with_its_input(firmware, tmp_path):
    link = tmp_path / 'board'
    command = [firmware / 'tendon_board_host', link, 'S', '4', '500']
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.read(2) == b'D\x04'
        assert link.is_symlink()
        process.stdin.close()
        process.stdout.read()
        assert process.wait(timeout=60) == 0
    assert not link.is_symlink()
