"""`continua modal` against the frequencies of a cantilever."""

import json

import numpy as np
import pytest

EI, MASS = 2.0e6 * np.pi * 0.008**4 / 4.0, 1100.0 * np.pi * 0.008**2


def test_the_first_frequencies_are_those_of_euler_and_bernoulli(command, beam_file):
    text = beam_file.read_text().replace('bending_y: 2, bending_z: 2', 'bending_y: 5, bending_z: null')
    beam_file.write_text(text)
    result = command('modal', beam_file, '--gravity', 'off', '--count', '2', '--json')
    assert result.exit_code == 0, result.output
    modes = json.loads(result.stdout)['modes']
    assert [mode['name'] for mode in modes] == ['bending_y', 'bending_y']
    root = np.array([1.87510407, 4.69409113])
    expected = root**2 * np.sqrt(EI / MASS) / 0.4**2 / (2 * np.pi)
    # rotary inertia, which Euler and Bernoulli leave out, lowers them by less than (root r / L)^2 / 4
    np.testing.assert_allclose([mode['frequency_hz'] for mode in modes], expected, rtol=3e-3)
    # D = 2 (1 + nu) eta / E times K in bending, so each ratio is w / 2 times that
    loss = 2 * 1.3 * 1.0e3 / 2.0e6
    for mode in modes:
        assert mode['damping_ratio'] == pytest.approx(np.pi * mode['frequency_hz'] * loss, rel=1e-9)
        assert mode['share']['bending_y'] == pytest.approx(1.0)


def test_the_table_has_a_line_for_each_mode(command, beam_file):
    result = command('modal', beam_file, '--count', '4')
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 6
    assert 'frequency [Hz]' in result.stdout


def test_without_equilibrium_there_are_no_modes(command, beam_file):
    result = command('modal', beam_file, '--tension', '1e6,0')
    assert result.exit_code == 1
    assert 'beam: no equilibrium found' in result.stderr
