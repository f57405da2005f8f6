import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.parameters import TYPES, override, value

VARIABLES = {'$(var n)': '7', '$(var text)': 'a, b', '$(var list)': '[1.5, 2.5]'}


def typed(text: str, type_name: str = 'yaml'):
    def expand(given: str) -> str:
        for name, content in VARIABLES.items():
            given = given.replace(name, content)
        return given

    return value(text, type_name, expand)


@pytest.mark.parametrize(
    ('text', 'type_name', 'expected'),
    [
        ('1', 'yaml', 1),
        ('1.5', 'yaml', 1.5),
        ('true', 'yaml', True),
        ('yes', 'yaml', True),
        ('', 'yaml', ''),
        ('some words', 'yaml', 'some words'),
        ('a: b: c', 'yaml', 'a: b: c'),
        ("'1'", 'yaml', '1'),
        ('[1, 2]', 'yaml', [1, 2]),
        ('$(var n)', 'yaml', 7),
        ("'$(var n)'", 'yaml', 7),
        ('x$(var n)', 'yaml', 'x7'),
        ('$(var list)', 'yaml', [1.5, 2.5]),
        ('[z, "$(var text)"]', 'yaml', ['z', 'a, b']),
        ('1', 'str', '1'),
        ('$(var n)', 'str', '7'),
        ('1', 'bool', True),
        ('1', 'float', 1.0),
        ('$(var n)', 'float', 7.0),
        ('[1.0, 2.5]', 'list_of_float', [1.0, 2.5]),
        ('[$(var n), 8]', 'list_of_int', [7, 8]),
        ('[a, $(var n)]', 'list_of_str', ['a', '7']),
        ('[yes, no]', 'list_of_bool', [True, False]),
    ],
)
def test_values(text, type_name, expected):
    result = typed(text, type_name)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ('text', 'type_name', 'message'),
    [
        ('1', 'double', r"unknown type 'double'.*supported: bool, int, float"),
        ('1', 'list_of_floats', "did you mean 'list_of_float'"),
        ('1.5', 'int', 'not of type int'),
        ('abc', 'float', 'not of type float'),
        ('maybe', 'bool', 'expected true or false'),
        ('[1, 2.0]', 'yaml', r'write 1\.0, not 1'),
        ('[1, 2]', 'list_of_float', 'must all be float'),
        ('[$(var n), 1.5]', 'yaml', 'have one type'),
        ('$(var list)', 'list_of_float', 'is not a list'),
        ('{a: 1}', 'yaml', 'type="str"'),
        ('null', 'yaml', 'no boolean, number, text'),
        ('2020-01-01', 'yaml', 'type="str"'),
        ('[[1]]', 'yaml', 'no boolean, number, text'),
    ],
)
def test_errors(text, type_name, message):
    with pytest.raises(LaunchError, match=message):
        typed(text, type_name)


def test_set_parameter_passes_scalars_only():
    assert [override(text) for text in ('true', '1e-5', '2', 'a text')] == ['True', '1e-5', '2', 'a text']
    for text in ('[1.0]', '', 'null', '{a: 1}'):
        with pytest.raises(LaunchError, match='boolean, number or text'):
            override(text)


@given(st.text(), st.sampled_from(sorted(TYPES)))
def test_any_text_gives_a_parameter_or_a_launch_error(text, type_name):
    try:
        result = typed(text, type_name)
    except LaunchError:
        return
    assert isinstance(result, bool | int | float | str | list)


@given(
    st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text('ab c'))
)
def test_yaml_of_a_value_gives_the_value(expected):
    result = typed(yaml.safe_dump(expected))
    assert result == expected or math.isclose(result, expected)
