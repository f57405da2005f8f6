"""The ROS part of the doctor, on the workspace that these tests run in and on broken ones."""

import subprocess
import sys

from continua_bringup import doctor
from continua_bringup.doctor import discovery, installation, messages
from continua_bringup.doctor.messages import stale_messages


def test_the_checks_pass_here(ros_domain_id):
    for check in doctor.CHECKS:
        finding = check.look()
        assert finding.status == 'ok', f'{check.name}: {finding.found}'


def test_the_doctor_imports_no_rclpy():
    code = 'import sys, continua_bringup.doctor; sys.exit("rclpy" in sys.modules)'
    assert subprocess.run([sys.executable, '-c', code]).returncode == 0


def test_no_rclpy(monkeypatch):
    monkeypatch.setattr(installation, 'find_spec', lambda name: None)
    assert installation.look().status == 'fail'


def test_an_rclpy_that_does_not_start(monkeypatch):
    monkeypatch.setattr(installation, 'START', 'raise ImportError("librcl.so: cannot open")')
    finding = installation.look()
    assert finding.status == 'fail'
    assert 'librcl.so: cannot open' in finding.found
    assert 'env.sh' in finding.remedy


def test_a_message_package_that_is_missing(monkeypatch):
    monkeypatch.setattr(messages, 'STANDARD', ('weather_msgs',))
    finding = messages.look()
    assert finding.status == 'fail'
    assert 'weather_msgs' in finding.found


def test_messages_of_another_checkout(monkeypatch, tmp_path):
    monkeypatch.setattr(messages, 'checkout', lambda: tmp_path)
    finding = messages.look()
    assert finding.status == 'fail'
    assert str(tmp_path) in finding.found


def test_messages_whose_definition_changed(tmp_path):
    same = 'uint16 FAULT_WATCHDOG=2\n'
    (tmp_path / 'RodShape.msg').write_text(
        'std_msgs/Header header\nfloat64[] arc_length\nfloat64[] position\n'
        'float64[] orientation_xyzw\nfloat64[] strain\n'
    )
    assert stale_messages(tmp_path) == []
    (tmp_path / 'RodShape.msg').write_text('std_msgs/Header header\nfloat64[] arc_length\nfloat64 extra\n')
    (tmp_path / 'NewOne.msg').write_text(same)
    assert stale_messages(tmp_path) == ['NewOne', 'RodShape']


def test_a_constant_that_changed(tmp_path):
    from continua_msgs.msg import TendonState

    fields = TendonState.get_fields_and_field_types()
    lines = [f'{_type(kind)} {name}' for name, kind in fields.items()]
    (tmp_path / 'TendonState.msg').write_text('\n'.join(lines) + '\n')
    assert stale_messages(tmp_path) == []
    (tmp_path / 'TendonState.msg').write_text('\n'.join(['uint16 FAULT_WATCHDOG=77', *lines]) + '\n')
    assert stale_messages(tmp_path) == ['TendonState']


def _type(kind: str) -> str:
    """IDL's name of a type in the words of a .msg file."""
    if kind.startswith('sequence<'):
        return _type(kind[len('sequence<') : -1]) + '[]'
    return {'double': 'float64', 'boolean': 'bool'}.get(kind, kind)


def test_nodes_that_do_not_meet(monkeypatch, ros_domain_id):
    monkeypatch.setattr(discovery, 'PATIENCE', 0.01)
    finding = discovery.look()
    assert finding.status == 'fail'
    assert 'did not meet' in finding.found
    assert 'firewall' in finding.remedy


def test_a_listener_that_dies(monkeypatch, ros_domain_id):
    monkeypatch.setenv('RMW_IMPLEMENTATION', 'rmw_that_is_not_there')
    finding = discovery.look()
    assert finding.status == 'fail'
    assert 'the listener ended' in finding.found
