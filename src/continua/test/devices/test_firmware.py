"""The C++ core on this computer, built with the address and undefined-behaviour sanitizers."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from continua.control.pid import Pid, PidGains

FIRMWARE = Path(__file__).parents[4] / 'hardware' / 'firmware'


def output_of(*command) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize('core', ['board', 'tendon', 'valve'])
def test_core(firmware, core):
    assert output_of(firmware / f'{core}_test') == '0 failures\n'


@pytest.mark.parametrize('board', ['tendon', 'valve'])
def test_vectors_are_those_of_python(firmware, board):
    file = FIRMWARE / 'test_vectors' / f'{board}_board.txt'
    assert output_of(firmware / 'vectors', board, file) == file.read_text()


def test_pressure_controller_is_that_of_python(firmware):
    random = np.random.default_rng(0)
    setpoint = np.repeat(random.uniform(0.0, 75e3, 20), 50)
    measured = 75e3 * np.sin(0.02 * np.arange(setpoint.size)) ** 2
    gains, dt = PidGains(3e-5, 1e-4, 1e-7, 0.01), 1e-3
    pid = Pid(gains, 1)
    expected = [pid.step(r, y, dt)[0] for r, y in zip(setpoint[:, None], measured[:, None], strict=True)]
    numbers = [*vars(gains).values(), dt, *np.stack([setpoint, measured], axis=-1).ravel()]
    done = subprocess.run(
        [firmware / 'pid_trace'],
        input=' '.join(map(repr, map(float, numbers))),
        capture_output=True,
        text=True,
    )
    np.testing.assert_allclose(np.array(done.stdout.split(), dtype=float), expected, atol=2e-5)
    assert np.ptp(expected) == 2.0  # both limits were reached


@pytest.mark.parametrize('board', ['tendon', 'valve'])
def test_fuzz(firmware, board):
    words = output_of(firmware / 'fuzz', board, '200000', '1').split()
    counts = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert counts['frames'] == 200_000
    # All three kinds of input must have got where they were aimed at, or the run proves nothing.
    assert min(counts['good'], counts['bad'], counts['answers'], counts['energised']) > 100


@pytest.mark.parametrize('board', ['tendon', 'valve'])
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
def test_host_program_refuses_wrong_arguments(firmware, tmp_path, board, arguments, expected):
    command = [firmware / f'{board}_board_host', *arguments]
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
