"""Paths into a robot description, and their scales."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua.description import load_robot
from continua.identification import Parameter, ParameterSet, parameter, usual_parameters

ROOT = Path(__file__).parents[4]
ARM = load_robot(ROOT / 'config/robots/tendon_arm.yaml')


@given(st.floats(1e-3, 1e3), st.floats(1.001, 1e6), st.floats(0.0, 1.0))
def test_a_share_of_positive_bounds_is_one_of_their_ratio(low, ratio, share):
    each = Parameter('x', low, low * ratio)
    assert each.is_logarithmic
    assert each.value(share) == pytest.approx(low * ratio**share, rel=1e-9)
    assert each.share(each.value(share)) == pytest.approx(share, abs=1e-9)


@given(st.floats(-10.0, 0.0), st.floats(1e-3, 10.0), st.floats(0.0, 1.0))
def test_a_share_of_other_bounds_is_one_of_their_difference(low, span, share):
    each = Parameter('x', low, low + span)
    assert each.value(share) == pytest.approx(low + span * share, abs=1e-9)
    assert each.share(each.value(share)) == pytest.approx(share, abs=1e-6)


def test_values_go_where_the_paths_lead():
    asked = [
        parameter(ARM, 'links.arm.material.density'),
        parameter(ARM, 'tendons.*.friction=0,1'),
        parameter(ARM, 'markers.m1.offset.1=-0.1,0.1'),
        parameter(ARM, 'base.position.2'),
    ]
    both = ParameterSet(ARM, asked)
    np.testing.assert_allclose(both.given, [1000.0, 0.0, 0.025, 0.4])
    robot = both.robot(np.array([1100.0, 0.2, 0.03, 0.5]))
    assert robot.link('arm').material.density == 1100.0
    assert [tendon.friction for tendon in robot.tendons] == [0.2] * 6
    assert robot.marker('m1').offset == (0.0, 0.03) and robot.marker('m0') == ARM.marker('m0')
    assert robot.base.position == (0.0, 0.0, 0.5)
    assert ParameterSet(ARM, asked).robot(both.given) == ARM


def test_bounds_are_a_tenth_to_ten_times_where_none_are_given():
    each = parameter(ARM, 'links.arm.material.youngs_modulus')
    assert (each.low, each.high) == (1e5, 1e7)


def test_usual_parameters():
    prototype = load_robot(ROOT / 'config/robots/sdre_prototype.yaml')
    assert usual_parameters(ARM, has_motions=False) == [
        'links.arm.material.density',
        'links.arm.material.youngs_modulus',
    ]
    assert usual_parameters(prototype, has_motions=True) == [
        'links.arm.material.density',
        'links.arm.material.youngs_modulus',
        'links.arm.material.damping',
        'tendons.*.friction',
    ]


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('links.arm.material.densty', "did you mean 'density'"),
        ('links.leg.length', "no 'leg'"),
        ('links.arm.material', 'not a number'),
        ('name', 'not a number'),
        ('links.arm.length.x', "no 'x'"),
        ('tendons.*.friction', 'give bounds'),
        ('links.arm.length=1', 'PATH=LOW,HIGH'),
        ('links.arm.length=2,1', 'LOW < HIGH'),
    ],
)
def test_what_is_no_parameter_is_told(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parameter(ARM, text)


def test_sets_that_make_no_sense_are_refused():
    density = parameter(ARM, 'links.arm.material.density')
    with pytest.raises(ValueError, match='no parameter'):
        ParameterSet(ARM, [])
    with pytest.raises(ValueError, match='leave one out'):
        ParameterSet(ARM, [density, parameter(ARM, 'links.0.material.density')])
    with pytest.raises(ValueError, match='no robot has'):
        ParameterSet(ARM, [density]).robot(np.array([-1.0]))
