import numpy as np
import pytest
import yaml

from continua.devices.calibration import load_tendons, no_tendons
from continua.devices.errors import DeviceRefused

NAMES = ['north', 'south']
GOOD = {
    'version': 1,
    'serial': 'TB-0007',
    'date': '2025-03-14',
    'tendons': {
        'south': {'tension_scale': 1.02, 'tension_offset': 0.15, 'displacement_scale': 0.99},
        'north': {'tension_scale': 0.98, 'tension_offset': -0.2, 'displacement_scale': 1.01},
    },
}


def write(folder, content):
    (folder / 'TB-0007.yaml').write_text(yaml.safe_dump(content))


def test_good_file_in_the_order_of_the_tendons(tmp_path):
    write(tmp_path, GOOD)
    calibration = load_tendons(tmp_path, 'TB-0007', NAMES)
    np.testing.assert_allclose(calibration.tension(np.array([10.0, 10.0])), [9.6, 10.35])
    np.testing.assert_allclose(calibration.displacement_scale, [1.01, 0.99])


def test_setpoint_is_the_inverse_of_tension(tmp_path):
    write(tmp_path, GOOD)
    calibration = load_tendons(tmp_path, 'TB-0007', NAMES)
    wanted = np.array([3.0, 7.0])
    np.testing.assert_allclose(calibration.tension(calibration.setpoint(wanted)), wanted)


def test_no_calibration_changes_nothing():
    calibration = no_tendons(2)
    assert calibration.setpoint(np.array([1.0, 2.0])).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ('change', 'expected'),
    [
        ({'serial': 'TB-0008'}, 'expected serial TB-0007, got TB-0008'),
        ({'version': 2}, 'version'),
        ({'tendons': {'north': GOOD['tendons']['north']}}, 'expected the tendons north, south, got north'),
        ({'extra': 1}, 'extra'),
        ({'tendons': {'north': {'tension_scale': 100.0}}}, 'tension_scale'),
    ],
)
def test_files_that_do_not_fit(tmp_path, change, expected):
    write(tmp_path, GOOD | change)
    with pytest.raises(DeviceRefused, match=expected):
        load_tendons(tmp_path, 'TB-0007', NAMES)


def test_missing_file_says_what_to_do(tmp_path):
    with pytest.raises(DeviceRefused, match='calibrate it'):
        load_tendons(tmp_path, 'TB-0007', NAMES)


def test_a_serial_number_cannot_leave_the_folder(tmp_path):
    inner = tmp_path / 'calibration'
    inner.mkdir()
    write(tmp_path, GOOD)
    with pytest.raises(DeviceRefused):
        load_tendons(inner, '../TB-0007', NAMES)
