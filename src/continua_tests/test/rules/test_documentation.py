"""README and pages against what there is."""

import pytest

from continua_tests.rules import documentation


@pytest.mark.parametrize(
    'rule', [documentation.files, documentation.commands, documentation.launch_arguments]
)
def test_rule_holds(rule, holds):
    holds(rule)


def test_what_does_not_exist_is_found(made_up):
    repository = made_up(
        {
            'Makefile': 'demo: setup\n\trun\nsetup:\n',
            'launch/run.launch.xml': '<launch><arg name="robot" default="sim"/></launch>',
            'README.md': (
                '[a](docs/a.md) [b](docs/b.md#part) [c](https://example.org/x) `launch/*.xml`\n'
                '`launch/gone.launch.xml` and `config/x.yaml` and `runs/<time>/`\n'
                '    make demo HEADLESS=1\n'
                'what `make demos` would make sense\n'
                '    continua launch run robot:=sim rbot:=sim\n'
                '    ros2 launch continua_bringup walk.launch.xml\n'
                '    continua launch launch/run.launch.xml\n'
                '`continua lunch run`, and continua packages\n'
            ),
            'docs/a.md': '[readme](../README.md)\n',
        }
    )
    assert [v.line for v in documentation.files(repository)] == [1, 2]
    assert [v.line for v in documentation.commands(repository)] == [4, 8]
    assert [v.line for v in documentation.launch_arguments(repository)] == [5, 6]
