"""The benchmark of prediction and control: its networks, and that every row is measured."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from continua.arrays import Arrays
from continua.bench.networks import INPUTS, PARAMETERS, STATES, ansatz_network, one_step_network
from continua.cli.bench import bench

DT = 1.0 / 70.0


def batch(rng, count):
    return [rng.normal(size=(count, n)) for n in (STATES, INPUTS, PARAMETERS)]


@pytest.mark.parametrize('make', [one_step_network, ansatz_network])
def test_a_network_is_the_same_in_pytorch(make):
    pytest.importorskip('torch')
    rows = batch(np.random.default_rng(1), 5)
    here, there = (arrays.wrap(make(arrays))(*rows, DT) for arrays in (Arrays(), Arrays('cpu', 'float64')))
    np.testing.assert_allclose(here, there, atol=1e-12)


def test_the_ansatz_starts_at_the_state():
    """Eq 34: a(alpha, 0) = 0."""
    x, u, parameters = batch(np.random.default_rng(2), 3)
    predict = ansatz_network(Arrays())
    np.testing.assert_array_equal(predict(x, u, parameters, 0.0), x)
    assert np.abs(predict(x, u, parameters, DT) - x).max() > 1e-3


def test_the_command_measures_beside_the_paper(monkeypatch):
    def once(call):
        call()
        return 2e-3

    monkeypatch.setattr('continua.bench.control.seconds_per_call', once)
    result = CliRunner().invoke(bench, ['control', '--quick', '--json'])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    value = {row['name']: row['value'] for row in rows}
    assert value['collocation, 72 states, 1'] == pytest.approx(2000.0)
    assert value['paper: DD-PINN in PyTorch on a GPU, 1000'] == 0.802
    assert value['UKF step, 147 sigma points, numpy'] == pytest.approx(2.0)
    assert value['NEMPC step, 100 particles, horizon 4, numpy'] == pytest.approx(2.0)
