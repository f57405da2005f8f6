"""The checks of the machine, with a machine that is broken on purpose."""

import os
import sys
from collections import namedtuple

import pytest

from continua.doctor import machine
from continua.doctor.extras import EXTRAS
from continua.doctor.finding import Check, fail, ok, run_checks, warn

Usage = namedtuple('Usage', 'total used free')


def test_a_check_that_raises_fails_and_the_others_still_run():
    def broken():
        raise RuntimeError('out of order')

    rows = run_checks([Check('first', broken), Check('second', lambda: ok('fine'))])
    assert [(row.check, row.status) for row in rows] == [('first', 'fail'), ('second', 'ok')]
    assert 'RuntimeError: out of order' in rows[0].found


def test_rows_carry_what_the_check_found():
    (row,) = run_checks([Check('sky', lambda: warn('grey', 'take an umbrella'))])
    assert (row.check, row.status, row.found, row.remedy) == ('sky', 'warn', 'grey', 'take an umbrella')


def test_python(monkeypatch):
    assert machine.python().status == 'ok'
    monkeypatch.setattr(sys, 'version_info', (3, 9, 1))
    assert machine.python().status == 'fail'


def test_build_tools_reads_versions(tmp_path, monkeypatch):
    gxx = 'g++ (Debian 12.2.0-14) 12.2.0'
    _tools(
        tmp_path, **{'gcc': 'gcc 12.2.0', 'g++': gxx, 'cmake': 'cmake version 3.25.1', 'make': 'GNU Make 4.3'}
    )
    monkeypatch.setenv('PATH', str(tmp_path))
    finding = machine.build_tools()
    assert (finding.status, finding.found) == ('ok', 'g++ 12.2.0, cmake 3.25.1')


def test_build_tools_too_old_or_missing(tmp_path, monkeypatch):
    monkeypatch.setenv('PATH', str(tmp_path))
    finding = machine.build_tools()
    assert finding.status == 'warn'
    assert 'no gcc, g++, cmake, make' in finding.found
    assert 'apt install' in finding.remedy
    _tools(
        tmp_path, gcc='gcc 12.2.0', cmake='cmake version 3.18.4', make='GNU Make 4.3', **{'g++': 'g++ 12.2.0'}
    )
    finding = machine.build_tools()
    assert finding.status == 'warn'
    assert 'CMake 3.19' in finding.found


def _tools(folder, **lines):
    for name, line in lines.items():
        (folder / name).write_text(f'#!/bin/sh\necho "{line}"\n')
        (folder / name).chmod(0o755)


@pytest.mark.parametrize(('free', 'status'), [(50e9, 'ok'), (2e9, 'warn'), (1e8, 'fail')])
def test_disk(monkeypatch, free, status):
    monkeypatch.setattr(machine.shutil, 'disk_usage', lambda _: Usage(1e12, 0, free))
    assert machine.disk().status == status


def test_kernel_cache_counts_kernels(tmp_path, monkeypatch):
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path))
    assert 'empty' in machine.kernel_cache().found
    (folder,) = tmp_path.iterdir()
    (folder / 'kernel.nbi').write_bytes(b'')
    finding = machine.kernel_cache()
    assert finding.status == 'ok'
    assert '1 kernels' in finding.found


def test_kernel_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / 'file').write_text('not a folder')
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path / 'file'))
    finding = machine.kernel_cache()
    assert finding.status == 'warn'
    assert 'NUMBA_CACHE_DIR' in finding.remedy


def test_serial_ports(tmp_path, monkeypatch):
    port = tmp_path / 'ttyACM0'
    port.write_text('')
    monkeypatch.setattr(machine, 'SERIAL_PORTS', (str(tmp_path / 'ttyACM*'),))
    assert machine.serial().found == str(port)
    monkeypatch.setattr(os, 'access', lambda *_: False)
    finding = machine.serial()
    assert finding.status == 'warn'
    assert str(port) in finding.found
    assert 'dialout' in finding.remedy


def test_no_board_and_no_permission(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, 'SERIAL_PORTS', (str(tmp_path / 'ttyACM*'),))
    monkeypatch.setattr(os, 'getuid', lambda: 1000)
    monkeypatch.setattr(machine, '_in_group', lambda name: False)
    assert machine.serial().status == 'warn'
    monkeypatch.setattr(machine, '_in_group', lambda name: name == 'dialout')
    assert machine.serial().status == 'ok'


def test_extras_are_never_a_failure(monkeypatch):
    before = set(sys.modules)  # other tests load them
    for row in run_checks(EXTRAS):
        assert row.status == 'ok'
        assert 'requirements/' in row.remedy or row.found[0].isdigit()
    assert not {'torch', 'pyrealsense2', 'ray'} & (set(sys.modules) - before)


def test_fail_is_what_a_failed_check_returns():
    assert fail('broken', 'mend it').status == 'fail'
