"""Which package and which subject may import which."""

import pytest

from continua_tests.rules import imports
from continua_tests.rules.repository import Package


@pytest.mark.parametrize('rule', [imports.package_order, imports.no_ros_in_library, imports.library_order])
def test_rule_holds(rule, holds):
    holds(rule)


def test_order_has_no_cycle():
    """`LIBRARY` and `PACKAGES` allow one way only."""
    for table in (imports.LIBRARY, imports.PACKAGES):
        for name, below in table.items():
            for other in below:
                assert name not in table.get(other, ()), f'{name} and {other} may import each other'


def test_every_way_to_import_is_seen(tmp_path):
    path = tmp_path / 'pack' / 'pack' / 'sub' / 'file.py'
    path.parent.mkdir(parents=True)
    path.write_text(
        'import a.b, c\n'
        'from d import e\n'
        'from . import f\n'
        'from ..g import h\n'
        'def later():\n'
        '    import i\n'
        "    importlib.import_module('j.k')\n"
        "    __import__('l')\n"
    )
    assert list(imports.imported_modules(path, Package(tmp_path / 'pack'))) == [
        (1, 'a.b'),
        (1, 'c'),
        (2, 'd.e'),
        (3, 'pack.sub.f'),
        (4, 'pack.g.h'),
        (6, 'i'),
        (7, 'j.k'),
        (8, 'l'),
    ]


def test_what_breaks_a_rule_is_found(made_up):
    repository = made_up(
        {
            'src/continua/package.xml': '',
            'src/continua/continua/rod/rod.py': 'import continua.lie\nfrom continua import simulation\n',
            'src/continua/continua/control/mpc.py': 'from ..rod import Rod\n',
            'src/continua/continua/new/x.py': '',
            'src/continua/test/test_rod.py': 'def f():\n    from std_msgs.msg import Header\n',
            'src/continua_control/package.xml': '',
            'src/continua_control/continua_control/a.py': 'import rclpy\nimport continua_estimation.b\n',
            'src/continua_node/package.xml': '',
            'src/continua_node/continua_node/a.py': "import_module('continua_bringup')\n",
        }
    )

    def found(rule) -> list[tuple[str, int]]:
        return [(violation.file.name, violation.line) for violation in rule(repository)]

    assert found(imports.library_order) == [('mpc.py', 1), ('x.py', 1), ('rod.py', 2)]
    assert found(imports.no_ros_in_library) == [('test_rod.py', 2)]
    assert found(imports.package_order) == [('a.py', 2), ('a.py', 1)]
    (nodes, _) = imports.package_order(repository)
    assert 'nodes talk by topics only' in str(nodes)
