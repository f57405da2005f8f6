"""A bench in a domain of its own, and small nodes written by the tests."""

import sys
import textwrap

import pytest

from continua_node.testing import Bench


@pytest.fixture
def bench():
    with Bench('/robot') as bench:
        yield bench


@pytest.fixture
def script(tmp_path):
    """Write a node: its class body after the line `class ProbeNode(Node):`; returns its command."""

    def write(body: str, base: str = 'Node') -> list[str]:
        path = tmp_path / 'probe'
        path.write_text(
            'import sys\n'
            'from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn\n'
            'from rclpy.node import Node\n'
            'from continua_node import diagnostics, params, qos, spin\n'
            'from continua_node.params import Parameter\n\n'
            f'class ProbeNode({base}):\n'
            + textwrap.indent(textwrap.dedent(body), '    ')
            + '\n\nsys.exit(spin.spin(ProbeNode))\n'
        )
        return [sys.executable, str(path)]

    return write
