"""The comments of messages, services and actions."""

import pytest

from continua_tests.rules import interfaces


@pytest.mark.parametrize('rule', [interfaces.units, interfaces.headers])
def test_rule_holds(rule, holds):
    holds(rule)


def test_fields_without_unit_or_frame_are_found(made_up):
    repository = made_up(
        {
            'src/msgs/msg/A.msg': (
                '# [m] About the message, not about a field.\n'
                '\n'
                'std_msgs/Header header\n'
                'uint8 STATUS_OK = 0\n'
                'float64[] tension # [N] not above\n'
                '# [N] Above.\n'
                'float64[] command\n'
                '# [m]\n'
                '\n'
                'uint16[<=4] fault\n'
                'string name\n'
            ),
            'src/msgs/srv/B.srv': 'bool on\n---\nfloat32 x\n',
        }
    )
    assert [(v.file.name, v.line) for v in interfaces.units(repository)] == [
        ('A.msg', 5),
        ('A.msg', 10),
        ('B.srv', 3),
    ]
    assert [v.line for v in interfaces.headers(repository)] == [3]
