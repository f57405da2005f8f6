"""Tip and setpoints of recorded runs, and the Koopman model that is learned from them."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from continua.cli.koopman import koopman
from continua.control.koopman import KoopmanModel
from continua.io.bag import BagWriter
from continua.io.chamber_runs import load_tip_and_pressures
from continua.reduction.arrays_file import read_arrays

START = 1_700_000_000_000_000_000  # ns
ROBOT_FILE = Path(__file__).parents[4] / 'config' / 'robots' / 'pneumatic_arm.yaml'
NAMES = ('chamber_1', 'chamber_2', 'chamber_3')
RATE = 60.0
RAMP = np.array([0.1, -0.2, 0.3])  # m/s


def pressures(t):
    """Steps of 0.5 s, of each chamber."""
    return 1e3 * (1.0 + np.arange(3)) * (1 + (int(t / 0.5) * 7) % 5)


def messages(types, topic):
    """Two seconds: tips every 10 ms on a straight line, states every 5 ms with chambers in another order."""
    for k in range(200):
        stamp = START + k * 10_000_000
        tip = RAMP * 0.01 * k
        if topic == '/arm/markers':
            fields = {'name': ['end_effector'], 'position': tip, 'valid': np.ones(1, np.uint8)}
            yield topic, 'continua_msgs/msg/MarkerArray3D', stamp, fields
    for k in range(400):
        stamp = START + k * 5_000_000
        fields = {
            'name': [NAMES[2], NAMES[0], NAMES[1]],
            'pressure': np.zeros(3),
            'command': pressures(0.005 * k)[[2, 0, 1]],
            'opening': np.zeros(0),
            'is_saturated': np.zeros(3, bool),
            'fault': np.zeros(3, np.uint16),
        }
        yield '/arm/pressure/state', 'continua_msgs/msg/PressureState', stamp, fields


@pytest.fixture
def write_run(types, tmp_path):
    def write(topic='/arm/markers'):
        folder = tmp_path / 'run'
        bag = BagWriter(folder, {'robot': 'arm', 'robot_hash': 'abc'})
        rows = sorted(messages(types, topic), key=lambda row: row[2])
        for name, type_name in sorted({row[:2] for row in rows}):
            bag.add_topic(types.topic(name, type_name))
        for name, type_name, stamp, fields in rows:
            data = types.cdr(type_name, header=types.header(stamp), **fields)
            bag.write(name, data, stamp, stamp)
        bag.close()
        return folder

    return write


def test_tip_and_setpoints_are_at_even_samples(write_run):
    y, u = load_tip_and_pressures(write_run(), NAMES, 'end_effector', RATE)
    t = np.arange(len(y)) / RATE
    assert len(y) == int(1.99 * RATE) + 1
    np.testing.assert_allclose(y, RAMP * t[:, None], atol=1e-9)
    # A sample at the very moment of a step may fall on either side of it.
    inside = np.abs(t / 0.5 - np.round(t / 0.5)) > 1e-3
    np.testing.assert_allclose(u[inside], np.array([pressures(each) for each in t])[inside])


def test_a_run_without_the_tip_says_what_it_needs(write_run):
    with pytest.raises(ValueError, match="tip_pose or marker 'end_effector'"):
        load_tip_and_pressures(write_run('/arm/other'), NAMES, 'end_effector', RATE)


def test_the_command_writes_a_model(write_run, tmp_path):
    import typer

    app = typer.Typer()
    app.command()(koopman)
    file = tmp_path / 'model.npz'
    result = CliRunner().invoke(app, [str(ROBOT_FILE), str(write_run()), '--out', str(file), '--delays', '1'])
    assert result.exit_code == 0, result.output
    assert 'mean error of the tip 500 ms ahead' in result.output
    arrays, settings = read_arrays(file, 'Koopman model')
    model = KoopmanModel(**arrays, **settings)
    assert (model.delays, model.degree, model.dt) == (1, 1, pytest.approx(1.0 / RATE))
    # The tip goes straight on, whatever the pressures are.
    y = RAMP * np.arange(2)[:, None] / RATE
    after = model.predict(model.lift(y, np.array([pressures(0.0)])), np.array([pressures(0.0)]))
    np.testing.assert_allclose(after[0], 2.0 * RAMP / RATE, atol=2e-3)
