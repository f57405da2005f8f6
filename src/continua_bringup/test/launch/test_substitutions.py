import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.substitutions import MAX_DEPTH, Call, Context, condition, evaluate, parse, truth

CONTEXT = Context({'x': '3', 'spaced': 'a b', 'yes': 'true'}, {'HOME': '/home/me'}, '/launch')


def value(text: str) -> str:
    return evaluate(parse(text), CONTEXT)


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('', ''),
        ('plain "text" (with) $ signs', 'plain "text" (with) $ signs'),
        ('$(var x)', '3'),
        ('a$(var x)b$(var spaced)', 'a3ba b'),
        (r'\$(var x)', '$(var x)'),
        (r'a\\b\c', r'a\bc'),
        ('$(env HOME)', '/home/me'),
        ('$(env NOT_SET d$(var x))', 'd3'),
        ("$(env NOT_SET 'a (b) $(var x)')", 'a (b) 3'),
        ('$(env NOT_SET "it\'s")', "it's"),
        ("$(env NOT_SET '')", ''),
        ('$(dirname)/layers', '/launch/layers'),
        ('$(not $(var yes))', 'false'),
        ('$(and on $(or no 1))', 'true'),
        ('$(equals TRUE 1)', 'true'),
        ('$(equals 1.0 1)', 'true'),
        ('$(equals 0.1 0.2)', 'false'),
        ("$(equals $(var spaced) 'a b')", 'true'),
        ('$(eval \'"$(var x)" == "3" and $(var x) < 4\')', 'True'),
    ],
)
def test_values(text, expected):
    assert value(text) == expected


def test_parsed_once_into_parts():
    assert parse('a$(env B $(var c))d') == ('a', Call('env', (('B',), (Call('var', (('c',),)),))), 'd')


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('$(vra x)', r"unknown substitution \$\(vra\) \(did you mean 'var'\?\); supported: var, env"),
        ('$(command ls)', 'unknown substitution'),
        ('$(find-pkg-prefix p)', "did you mean 'find-pkg-share'"),
        ('$(var x default)', r'takes 1 argument\(s\), got 2'),
        ('$(dirname x)', r'takes 0 argument\(s\), got 1'),
        ('$(eval 1 == 2)', 'put the expression into quotes'),
        ('$(var x', r'must end with `\)`'),
        ('$(var x )', 'argument is missing'),
        ('$(var  x)', 'argument is missing'),
        ('$( var x)', 'name must follow'),
        ('$(env A "b)', 'missing closing "'),
        ('$(env A b(c))', 'needs quotes'),
        ('$(not ' * (MAX_DEPTH + 1), 'nested more than'),
        ('$(var nope)', 'defined: x, spaced, yes'),
        ('$(var spaecd)', "did you mean 'spaced'"),
        ('$(env NOT_SET)', 'is not set'),
        ('$(not 3)', "expected true or false, got '3'"),
        ('$(find-pkg-share continua_brinup)', "not installed .*did you mean 'continua_bringup'"),
    ],
)
def test_errors(text, message):
    with pytest.raises(LaunchError, match=message):
        value(text)


def test_conditions_are_stricter_than_booleans():
    assert [condition(text) for text in ('true', '1', ' True ', 'FALSE', '0')] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert [truth(text) for text in ('on', 'yes', 'True', '1', 'off', 'no', '0')] == [True] * 4 + [False] * 3
    with pytest.raises(LaunchError, match="got 'yes'"):
        condition('yes')


pieces = st.sampled_from(
    [
        '$(',
        ')',
        ' ',
        "'",
        '"',
        '\\',
        'var',
        'env',
        'eval',
        'x',
        'not',
        'and',
        'or',
        'equals',
        'true',
        '==',
        '1',
        '$',
        '(',
    ]
)


@given(st.one_of(st.text(), st.lists(pieces, max_size=40).map(''.join)))
def test_any_text_gives_a_value_or_a_launch_error(text):
    with contextlib.suppress(LaunchError):
        assert isinstance(value(text), str)


@given(st.text())
def test_escaped_text_is_taken_literally(text):
    escaped = ''.join(character if character == '\n' else f'\\{character}' for character in text)
    assert value(escaped) == text
