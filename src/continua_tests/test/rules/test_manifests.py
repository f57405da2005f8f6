"""The package.xml files."""

import pytest

from continua_tests.rules import manifests

MANIFEST = """<?xml version="1.0"?>
<package format="3">
  <name>{name}</name>
  <version>{version}</version>
  <description>What it does.</description>
  <maintainer email="{email}">people</maintainer>
  <license>{license}</license>
  <exec_depend>rclpy</exec_depend>
  <test_depend>std_srvs</test_depend>
</package>
"""
SETUP = "setup(name='a', version='0.2.0', description='What it does.', license='Apache-2.0')"


def manifest(name, version='0.1.0', email='a@example.org', license='Apache-2.0') -> str:
    return MANIFEST.format(name=name, version=version, email=email, license=license)


@pytest.mark.parametrize(
    'rule', [manifests.valid, manifests.agree, manifests.dependencies, manifests.find_pytest]
)
def test_rule_holds(rule, holds):
    holds(rule)


def test_an_invalid_manifest_is_found(made_up):
    repository = made_up({'src/a/package.xml': manifest('a', email='nobody')})
    (violation,) = manifests.valid(repository)
    assert 'email' in str(violation)


def test_a_wrong_name_and_licence_are_found_with_their_lines(made_up):
    repository = made_up({'src/a/package.xml': manifest('b', license='MIT')})
    assert [violation.line for violation in manifests.valid(repository)] == [3, 7]


def test_different_versions_are_found(made_up):
    repository = made_up(
        {
            'src/a/package.xml': manifest('a'),
            'src/a/setup.py': SETUP,
            'src/b/package.xml': manifest('b', version='0.3.0'),
        }
    )
    found = [(violation.file.name, violation.line) for violation in manifests.agree(repository)]
    assert found == [('package.xml', 4), ('setup.py', 1), ('package.xml', 4)]


def test_unlisted_dependencies_are_found(made_up):
    repository = made_up(
        {
            'src/continua_bringup/package.xml': manifest('continua_bringup'),
            'src/continua_bringup/continua_bringup/a.py': 'import rclpy\nimport std_srvs.srv\nimport numpy\n',
            'src/continua_bringup/test/test_a.py': 'import std_srvs.srv\nimport geometry_msgs.msg\n',
            'launch/layers/a.launch.xml': '<launch>\n  <node pkg="continua_control" exec="x"/>\n</launch>\n',
        }
    )
    found = [(v.file.name, v.line, v.sentence.split()[1]) for v in manifests.dependencies(repository)]
    assert found == [
        ('a.py', 2, '<exec_depend>std_srvs</exec_depend>'),
        ('a.launch.xml', 2, '<exec_depend>continua_control</exec_depend>'),
        ('test_a.py', 2, '<test_depend>geometry_msgs</test_depend>'),
    ]


def test_tests_that_colcon_would_not_find_are_found(made_up):
    repository = made_up(
        {
            'src/a/package.xml': manifest('a'),
            'src/a/setup.py': "setup(name='a')",
            'src/a/test/test_a.py': '',
        }
    )
    (violation,) = manifests.find_pytest(repository)
    assert 'extras_require' in str(violation)
