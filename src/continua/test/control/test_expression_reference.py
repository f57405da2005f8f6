"""Expressions in t: values, and sentences about what is refused."""

import re

import numpy as np
import pytest

from continua.control.expression_reference import ExpressionReference


def test_one_expression_an_input():
    reference = ExpressionReference('5*sin(2*pi*t); -2**2; max(0, t - 1) + 7 % 4', ['a', 'b', 'c'])
    np.testing.assert_allclose(reference(0.25), [5.0, -4.0, 3.0])
    np.testing.assert_allclose(reference(1.5), [0.0, -4.0, 3.5], atol=1e-14)


def test_step_is_one_from_its_time_on():
    reference = ExpressionReference('3*step(t - 0.5)', ['a'])
    assert [reference(t)[0] for t in (0.0, 0.49, 0.5, 2.0)] == [0.0, 0.0, 3.0, 3.0]


def test_a_robot_without_inputs_has_no_expressions():
    assert ExpressionReference('', [])(1.0).shape == (0,)
    with pytest.raises(ValueError, match='1 expressions, expected 0'):
        ExpressionReference('t', [])


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('1; 2', '2 expressions, expected 1'),
        ('sinn(t)', "no function is called 'sinn' in 'sinn(t)'; did you mean 'sin'"),
        ('x + 1', "'x' in 'x + 1' has no value; known: t, pi"),
        ('1 +', "'1 +' is not an expression"),
        ('', '0 expressions, expected 1'),
        (';', '2 expressions, expected 1'),
        ("__import__('os').system('true')", 'is not supported'),
        ('().__class__', 'is not supported'),
        ('[t][0]', 'is not supported'),
        ('"text"', 'is not supported'),
        ('True', 'is not supported'),
        ('1/t', "'1/t' has no value at t = 0 s"),
        ('sqrt(t - 1)', 'has no value at t = 0 s'),
        ('9**9**9', 'has no value at t = 0 s'),
        ('1e999', 'expected a finite number'),
        ('sin()', 'has no value at t = 0 s'),
        ('(-1)**0.5', 'has no value at t = 0 s'),
        ('-' * 200 + '1' + '+t' * 200, 'expected at most'),
    ],
)
def test_what_is_refused(text, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ExpressionReference(text, ['a'])
