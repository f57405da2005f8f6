"""The Koopman regulator as a process, with a model learned from the arm that it controls."""

import numpy as np
import pytest

from continua.control.koopman import fit_koopman
from continua.control.nempc import first_order_lag
from continua.reduction.arrays_file import write_arrays
from continua_msgs.action import TrackTrajectory
from continua_msgs.msg import ControllerStatus

DT = 0.02


@pytest.fixture
def arm(start_arm, model, tmp_path):
    write_model(model, tmp_path / 'arm.npz')
    return start_arm('koopman_lqr', model_file=tmp_path / 'arm.npz')


def tips(model, pressures):
    """Positions (k, 3) m at rest under pressures (k, 3)."""
    x = np.array([model.equilibrium(each) for each in pressures])
    return model.position(x, np.repeat(model.parameters[None], len(x), axis=0))


def write_model(model, file):
    """From 12 s of random steps of pressure, with what the arm's own lag makes of them."""
    rng, lag, pressure = np.random.default_rng(0), first_order_lag(0.0914), np.zeros(3)
    setpoints, pressures = np.repeat(rng.uniform(0.0, 30e3, (60, 3)), 10, axis=0), []
    for each in setpoints:
        pressures.append(pressure)
        pressure = lag(pressure, each, DT)
    fitted = fit_koopman([(tips(model, pressures), setpoints)], DT, delays=1, ridge=1e-8)
    arrays = {name: value for name, value in vars(fitted).items() if isinstance(value, np.ndarray)}
    settings = {name: value for name, value in vars(fitted).items() if name not in arrays}
    write_arrays(file, arrays, {'format': 'Koopman model', **settings})


def test_the_tip_follows_and_late_readings_bring_the_chambers_to_rest(arm, model, reference):
    refused = arm.result(arm.send(reference(time=[1.0], pressure=np.zeros(3))))
    assert refused.code == TrackTrajectory.Result.CODE_REJECTED
    assert 'tip_position' in refused.message

    start, goal = tips(model, np.array([[0.0, 0.0, 0.0], [20e3, 5e3, 0.0]]))
    way = np.linalg.norm(goal - start)
    handle = arm.send(reference(time=[0.0, 1.0, 4.0], tip_position=np.concatenate([start, goal, goal])))
    result = arm.result(handle)
    assert result.code == TrackTrajectory.Result.CODE_OK
    assert np.median([each.error for each in arm.feedback[-50:]]) < 0.3 * way
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')

    handle = arm.send(reference(time=[600.0], tip_position=goal))
    arm.bench.wait_until(lambda: arm.command.any(), 'pressure')
    arm.is_seen = False
    assert 'markers is late' in arm.wait_status(ControllerStatus.STATUS_INPUT_STALE)
    arm.bench.wait_until(lambda: not arm.command.any(), 'the pressures of rest')
    arm.is_seen = True
    arm.wait_status(ControllerStatus.STATUS_OK)
