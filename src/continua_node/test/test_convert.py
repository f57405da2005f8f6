"""Conversions: what goes in comes out, and what cannot be used is refused with its reason."""

import math
from array import array

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from continua.control import safety
from continua_msgs.msg import MarkerArray3D, RodShape, RodState, TendonCommand, TendonState
from continua_node import convert

NAMES = ['north', 'south', 'west']
STAMP = Time(sec=12, nanosec=345)
finite = st.floats(allow_nan=False, allow_infinity=False)


def straight_shape(m: int = 5, length: float = 0.25) -> convert.ShapeArrays:
    """A rod along the world's x axis."""
    X = np.linspace(0.0, length, m)
    return convert.ShapeArrays(
        arc_length=X,
        position=np.stack([X, 0.0 * X, 0.0 * X], axis=-1),
        orientation_xyzw=np.tile([0.0, 0.0, 0.0, 1.0], (m, 1)),
        strain=np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0], (m, 1)),
    )


def tendon_state(names=NAMES) -> TendonState:
    n = len(names)
    return convert.tendon_state_to_msg(
        STAMP,
        names,
        tension=np.arange(n) + 0.5,
        displacement=0.1 * np.arange(n),
        velocity=-0.2 * np.arange(n),
        command=np.arange(n) + 1.0,
        is_saturated=np.arange(n) == 1,
        fault=np.arange(n) * 8,
    )


@given(st.integers(0, 2**31 - 1), st.integers(0, 999_999_999))
def test_stamps_survive_seconds(sec, nanosec):
    """A double holds times of this size to a fraction of a microsecond."""
    back = convert.to_stamp(convert.from_stamp(Time(sec=sec, nanosec=nanosec)))
    assert abs((back.sec - sec) * 10**9 + back.nanosec - nanosec) <= 240


def test_a_stamp_just_below_a_full_second_carries_over():
    assert convert.to_stamp(3.9999999999) == Time(sec=4, nanosec=0)


@given(arrays(float, st.tuples(st.integers(0, 4), st.just(3)), elements=finite))
def test_flat_keeps_values_in_row_order(values):
    result = convert.flat(values)
    assert isinstance(result, array)
    assert result.typecode == 'd'
    assert result.tolist() == values.reshape(-1).tolist()


def test_flat_takes_views_and_integers():
    assert convert.flat(np.arange(6).reshape(2, 3).T).tolist() == [0, 3, 1, 4, 2, 5]


def test_a_shape_survives_its_message():
    shape = straight_shape()
    message = convert.shape_to_msg(shape, STAMP, 'world')
    assert (message.header.stamp, message.header.frame_id) == (STAMP, 'world')
    back = convert.shape_from_msg(message)
    for field in ('arc_length', 'position', 'orientation_xyzw', 'strain'):
        np.testing.assert_array_equal(getattr(back, field), getattr(shape, field))


@pytest.mark.parametrize('field', ['position', 'orientation_xyzw', 'strain'])
def test_a_shape_of_wrong_length_is_refused(field):
    message = convert.shape_to_msg(straight_shape(), STAMP)
    setattr(message, field, getattr(message, field)[:-1])
    with pytest.raises(convert.Rejected, match=f'{field} has') as refusal:
        convert.shape_from_msg(message)
    assert refusal.value.reason == 'length'


def test_a_shape_with_nan_is_refused():
    message = convert.shape_to_msg(straight_shape(), STAMP)
    message.position[4] = math.nan
    with pytest.raises(convert.Rejected, match='position holds a number that is not finite') as refusal:
        convert.shape_from_msg(message)
    assert refusal.value.reason == 'nan'


def test_an_empty_shape_is_empty():
    assert convert.shape_from_msg(RodShape()).position.shape == (0, 3)


def test_a_command_is_read_by_name():
    message = TendonCommand(name=['west', 'north'], tension=[2.0, 1.0])
    assert convert.tendon_command_from_msg(message, NAMES) == ('tension', {'west': 2.0, 'north': 1.0})
    message = TendonCommand(name=['south'], displacement=[0.01])
    assert convert.tendon_command_from_msg(message, NAMES) == ('displacement', {'south': 0.01})


@pytest.mark.parametrize(
    ('fields', 'reason', 'sentence'),
    [
        ({'name': ['north']}, 'quantity', 'none is filled'),
        ({'name': ['north'], 'tension': [1.0], 'displacement': [1.0]}, 'quantity', 'both are filled'),
        ({'name': ['nord'], 'tension': [1.0]}, 'name', 'no tendon is called nord; the robot has north'),
        ({'name': ['north', 'north'], 'tension': [1.0, 2.0]}, 'name', 'named twice'),
        ({'name': ['north', 'south'], 'tension': [1.0]}, 'length', 'tension has 1 numbers, expected 2'),
        ({'name': [], 'tension': [1.0]}, 'length', 'tension has 1 numbers, expected 0'),
        ({'name': ['north'], 'tension': [math.nan]}, 'nan', 'not finite'),
        ({'name': ['north'], 'displacement': [math.inf]}, 'nan', 'not finite'),
    ],
)
def test_a_wrong_command_is_refused(fields, reason, sentence):
    with pytest.raises(convert.Rejected, match=sentence) as refusal:
        convert.tendon_command_from_msg(TendonCommand(**fields), NAMES)
    assert refusal.value.reason == reason


def test_a_tendon_state_is_brought_into_the_order_asked_for():
    state = convert.tendon_state_from_msg(tendon_state(), ['west', 'north', 'south'])
    assert state.tension.tolist() == [2.5, 0.5, 1.5]
    assert state.displacement.tolist() == pytest.approx([0.2, 0.0, 0.1])
    assert state.velocity.tolist() == pytest.approx([-0.4, 0.0, -0.2])
    assert state.command.tolist() == [3.0, 1.0, 2.0]
    assert state.is_saturated.tolist() == [False, False, True]
    assert state.fault.tolist() == [16, 0, 8]


@pytest.mark.parametrize('field', ['tension', 'velocity', 'is_saturated', 'fault'])
def test_a_tendon_state_of_wrong_length_is_refused(field):
    message = tendon_state()
    setattr(message, field, getattr(message, field)[:-1])
    with pytest.raises(convert.Rejected) as refusal:
        convert.tendon_state_from_msg(message, NAMES)
    assert refusal.value.reason == 'length'


def test_a_tendon_state_must_hold_every_tendon():
    with pytest.raises(convert.Rejected, match='tendon west is missing') as refusal:
        convert.tendon_state_from_msg(tendon_state(['north', 'south']), NAMES)
    assert refusal.value.reason == 'name'


def test_the_library_and_the_message_mean_the_same_faults():
    for fault in ('NONE', 'WATCHDOG', 'EMERGENCY_STOP'):
        assert getattr(safety, f'FAULT_{fault}') == getattr(TendonState, f'FAULT_{fault}')


def test_markers_that_are_not_valid_or_not_named_are_zero_and_not_valid():
    position = np.array([[1.0, 2.0, 3.0], [np.nan, np.nan, np.nan]])
    message = convert.markers_to_msg(STAMP, 'world', ['south', 'north'], position, np.array([True, False]))
    assert message.position.tolist() == [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]
    position, valid = convert.markers_from_msg(message, NAMES)
    assert position.tolist() == [[0.0] * 3, [1.0, 2.0, 3.0], [0.0] * 3]
    assert valid.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ('fields', 'reason'),
    [
        ({'name': ['nord'], 'position': [0.0] * 3, 'valid': [1]}, 'name'),
        ({'name': ['north'], 'position': [0.0] * 2, 'valid': [1]}, 'length'),
        ({'name': ['north'], 'position': [0.0] * 3, 'valid': []}, 'length'),
        ({'name': ['north'], 'position': [0.0, math.nan, 0.0], 'valid': [1]}, 'nan'),
    ],
)
def test_wrong_markers_are_refused(fields, reason):
    with pytest.raises(convert.Rejected) as refusal:
        convert.markers_from_msg(MarkerArray3D(**fields), NAMES)
    assert refusal.value.reason == reason


def test_coordinates_of_another_model_or_length_are_refused():
    message = RodState(model_id='ours', q=[0.1, 0.2])
    np.testing.assert_array_equal(convert.coordinates_from_msg(message, 'ours', 2), [0.1, 0.2])
    for model_id, dof, reason in (('theirs', 2, 'model'), ('ours', 3, 'length')):
        with pytest.raises(convert.Rejected) as refusal:
            convert.coordinates_from_msg(message, model_id, dof)
        assert refusal.value.reason == reason
