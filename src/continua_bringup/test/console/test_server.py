"""The page is served where the settings say, and refused with a sentence where it cannot be."""

import http.client
import os
import socket
from urllib.parse import urlparse

import numpy as np
import pytest

from continua_bringup.console.presence import Presence
from continua_bringup.console.server import open_server


@pytest.fixture
def taken_port():
    with socket.socket() as holder:
        holder.bind(('127.0.0.1', 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_port_0_takes_a_free_port_and_serves_the_page(server):
    connection = http.client.HTTPConnection('127.0.0.1', server.get_port(), timeout=30)
    connection.request('GET', '/')
    answer = connection.getresponse()
    assert answer.status == 200
    assert b'<html' in answer.read()


def test_a_taken_port_is_refused_with_a_sentence(taken_port):
    with pytest.raises(ValueError, match=f'cannot listen on 127.0.0.1:{taken_port}.*Give another `port`'):
        open_server('127.0.0.1', taken_port, 'test')


def test_a_host_that_is_not_here_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match='cannot listen on 192.0.2.1:0.*`host`'):
        open_server('192.0.2.1', 0, 'test')


def test_the_process_ends_with_2_when_the_port_is_taken(console_process, taken_port):
    process = console_process('-p', f'port:={taken_port}')
    assert process.process.wait(timeout=90) == 2
    assert f'console: the console cannot listen on 127.0.0.1:{taken_port}' in process.log.read_text()


def test_the_process_ends_with_2_without_viser(console_process, tmp_path):
    (tmp_path / 'viser.py').write_text("raise ImportError('not here')\n")
    process = console_process(PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ['PYTHONPATH']]))
    assert process.process.wait(timeout=90) == 2
    said = process.log.read_text()
    assert 'pip install -r requirements/console.txt -c requirements/constraints.txt' in said
    assert 'Traceback' not in said


def test_the_process_serves_on_localhost_only_unless_told_otherwise(console_process):
    process = console_process()
    address = urlparse(process.address())
    assert address.hostname == '127.0.0.1'
    with pytest.raises(OSError), socket.create_connection(('127.0.0.2', address.port), timeout=5):
        pass
    assert process.close() == 0


def test_nobody_looks_at_a_page_without_browser(server):
    assert Presence(server).absence() == np.inf
