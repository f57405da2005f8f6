"""Definition texts contain each type that a message refers to, once."""

import pytest

from continua.io.definitions import message_definition

FILES = {
    ('a_msgs', 'Outer'): """
# comment with a_msgs/Nothing
uint8 KIND_NONE=0   # constant
string TEXT = "x y"
Inner[] inner
b_msgs/Other[<=3] other
a_msgs/Inner again
string<=10 short
float64[3] numbers 0.0
""",
    ('a_msgs', 'Inner'): 'b_msgs/Other other\n',
    ('b_msgs', 'Other'): 'wstring text\nbyte b\nuint64 n\n',
}


def test_references_are_followed_and_named_once():
    text = message_definition('a_msgs/msg/Outer', lambda *key: FILES[key])
    root, *parts = text.split('=' * 80 + '\n')
    assert root.startswith(FILES['a_msgs', 'Outer'])
    assert sorted(part.split('\n', 1)[0] for part in parts) == ['MSG: a_msgs/Inner', 'MSG: b_msgs/Other']
    assert 'wstring text' in text


def test_services_have_no_definition():
    with pytest.raises(ValueError, match='expected package/msg/Name'):
        message_definition('a_msgs/srv/Do_Event', lambda *key: '')
