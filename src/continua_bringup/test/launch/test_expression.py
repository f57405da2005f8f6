"""$(eval ...): same values as Python's eval for what is allowed, refusal for everything else."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.expression import evaluate


@pytest.mark.parametrize(
    'text',
    [
        '1 == 1.0',
        '"sim" == "sim" and not False',
        "'a' in ['a', 'b']",
        '1 < 2 <= 2 != 3',
        '1 < 0 < nothing',
        '"" or "fallback"',
        'None or 0',
        '[1.5, -2]',
        '(1, +2.5)',
        '"b" not in ("a",)',
        ' 1e-3 ',
    ],
)
def test_allowed_expressions_have_pythons_value(text):
    assert evaluate(text) == str(eval(text.strip()))


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('__import__("os").system("touch /tmp/x")', 'not supported'),
        ('open', "name 'open'"),
        ('true', 'put text into quotes'),
        ('().__class__', 'not supported'),
        ('"a" * 10 ** 10', 'not supported'),
        ('1 + 1', 'not supported'),
        ('1 is 1', 'not supported'),
        ('[x for x in [1]]', 'not supported'),
        ('f"{1}"', 'not supported'),
        ('(x := 1)', 'not supported'),
        ('lambda: 1', 'not supported'),
        ('b"bytes"', 'not supported'),
        ('1j', 'not supported'),
        ('- "a"', 'not supported'),
        ('1 < "a"', 'cannot evaluate'),
        ('1 in 2', 'cannot evaluate'),
        ('1 ==', 'cannot evaluate'),
        ('', 'cannot evaluate'),
        ('x = 1', 'cannot evaluate'),
        ('(' * 500, 'cannot evaluate'),
        ('not ' * 240, 'cannot evaluate'),
        ('-' * 999, 'cannot evaluate'),
        ('1' * 1001, 'at most 1000'),
    ],
)
def test_everything_else_is_refused(text, message):
    with pytest.raises(LaunchError, match=message):
        evaluate(text)


scalars = st.one_of(
    st.booleans(), st.none(), st.integers(0, 10**6), st.floats(0, 1e6), st.text('abc \'"\\', max_size=5)
).map(repr)


def compound(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        inner.map('(not {})'.format),
        pair.map(lambda p: f'({p[0]} and {p[1]})'),
        pair.map(lambda p: f'({p[0]} or {p[1]})'),
        st.tuples(inner, st.sampled_from(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in']), inner).map(
            lambda p: f'({p[0]} {p[1]} {p[2]})'
        ),
        st.lists(inner, max_size=3).map(lambda items: f'[{", ".join(items)}]'),
    )


@given(st.recursive(scalars, compound, max_leaves=12))
def test_generated_expressions_have_pythons_value(text):
    try:
        expected = str(eval(text))
    except TypeError:
        with pytest.raises(LaunchError):
            evaluate(text)
    else:
        assert evaluate(text) == expected


@given(st.one_of(st.text(), st.text('()[]{}"\'\\.,:=<>!+-*/%@ \n\t0123456789abceilnoprstx_')))
def test_any_text_gives_a_value_or_a_launch_error(text):
    with contextlib.suppress(LaunchError):
        assert isinstance(evaluate(text), str)
